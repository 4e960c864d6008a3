"""What lies at an offset inside an object, in the words of its declaration: debug info's types.

    struct node { int key; struct node *next[4]; }      32, 8 bytes  ->  .next[3], struct node *
    struct cell grid[2][5]                              offset 24, [i] of 60 bytes  ->  [i][2]

A union's member is the first that holds the bytes, of one with the very size of the access before
others.  Members without a name, and base classes, add no word of their own.

Source: the LLVM Language Reference, "DIDerivedType", "DICompositeType", "DISubrange".
Deviation: bytes of several bit-fields count as the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from irsan.ir.constants import (
    ConstantInt,
)
from irsan.ir.dwarf import TAGS
from irsan.ir.metadata import DebugNode, MetadataTuple, ValueAsMetadata


def variable_node(node: object) -> DebugNode | None:
    """The DIGlobalVariable of a `dbg` attachment."""
    if not isinstance(node, DebugNode):
        return None
    inner = node.get("var") if node.kind == "DIGlobalVariableExpression" else node
    return inner if isinstance(inner, DebugNode) else None


_TAG = {name: number for number, name in TAGS.items()}
_NAMED_SAME = frozenset(
    _TAG[name] for name in ("typedef", "const_type", "volatile_type", "restrict_type",
                            "atomic_type", "immutable_type")
)  # fmt: skip
_RECORDS = frozenset(_TAG[name] for name in ("structure_type", "class_type", "union_type"))
_POINTERS = frozenset(_TAG[name] for name in ("pointer_type",))
_REFERENCES = frozenset(_TAG[name] for name in ("reference_type", "rvalue_reference_type"))
_MEMBERS = frozenset((_TAG["member"], _TAG["inheritance"]))
ARRAY, MEMBER = _TAG["array_type"], _TAG["member"]
_STATIC = 1 << 12  # DIFlagStaticMember
_MAX_DEPTH = 24

Term = tuple[str, int]
"""An index in the source's words, and the bytes that one step of it is."""


class Inside(NamedTuple):
    """A part of an object: the words to it, its type, and what no word was found for.

    record: the outermost structure, class or union around it that it has a constant place in, and
    how many bytes into that it begins; None when there is none.
    """

    text: str
    type: DebugNode | None
    offset: int
    terms: tuple[Term, ...]
    record: DebugNode | None = None
    record_offset: int = 0

    @property
    def is_found(self) -> bool:
        """Whether the words lead to the bytes and not past them."""
        return not self.terms and 0 <= self.offset < max(size_bytes(self.type), 1)


def plain_type(node: object) -> DebugNode | None:
    """The type behind names and qualifiers."""
    for _ in range(_MAX_DEPTH):
        if not isinstance(node, DebugNode) or node.get("tag") not in _NAMED_SAME:
            break
        node = node.get("baseType")
    return node if isinstance(node, DebugNode) else None


def is_record(node: DebugNode | None) -> bool:
    """Whether a type is a structure, a class or a union."""
    return node is not None and node.get("tag") in _RECORDS


def element_type(node: DebugNode | None) -> DebugNode | None:
    """What an array has in it; any other type is itself."""
    is_array = node is not None and node.get("tag") == ARRAY
    return plain_type(node.get("baseType")) if node is not None and is_array else node


def pointee(node: object) -> tuple[DebugNode | None, bool]:
    """What a pointer or reference leads to, and whether it is a reference."""
    plain = plain_type(node)
    if plain is None or plain.get("tag") not in _POINTERS | _REFERENCES:
        return None, False
    return plain_type(plain.get("baseType")), plain.get("tag") in _REFERENCES


def size_bytes(node: object) -> int:
    """Bytes of an object of a type; 0 when not known."""
    plain = plain_type(node)
    return _number(plain.get("size")) // 8 if plain is not None else 0


def inside(
    node: DebugNode | None, offset: int, terms: tuple[Term, ...], n_bytes: int, arrow: str = "."
) -> Inside:
    """The smallest part of an object of type `node` that holds [offset, offset + n_bytes).

    arrow  what stands before the first member's name
    """
    text, record, record_offset = "", None, 0
    for _ in range(_MAX_DEPTH):
        if record is None and is_record(node):
            record, record_offset = node, offset
        step = _into_array(node, offset, terms, n_bytes) or _into_record(node, offset, n_bytes)
        if step is None:
            break
        words, node, offset, used = step
        record = None if used else record  # which element it is, only a run knows
        terms = tuple([term for term in terms if term not in used])
        if words:
            text += words if words.startswith("[") or text else arrow + words[1:]
    return Inside(text, node, offset, terms, record, record_offset)


_Step = tuple[str, "DebugNode | None", int, tuple[Term, ...]]


def _into_record(node: DebugNode | None, offset: int, n_bytes: int) -> _Step | None:
    if node is None or not is_record(node):
        return None
    fitting = list(_members_at(node, offset, n_bytes))
    if not fitting:
        return None
    found = min(fitting, key=lambda member: _distance(member, n_bytes))
    name = found.string("name") if found.get("tag") == MEMBER else ""
    words, kind = "." + name if name else "", plain_type(found.get("baseType"))
    return words, kind, offset - member_start(found), ()


def members_of(node: DebugNode) -> Iterator[DebugNode]:
    """What objects of a record have: its members but for static ones, and its base classes."""
    for member in _elements(node):
        if member.get("tag") in _MEMBERS and not _number(member.get("flags")) & _STATIC:
            yield member


def _members_at(node: DebugNode, offset: int, n_bytes: int) -> Iterator[DebugNode]:
    for member in members_of(node):
        end = member_start(member) + max(member_bytes(member), 1)
        if member_start(member) <= offset and offset + n_bytes <= end:
            yield member


def _distance(member: DebugNode, n_bytes: int) -> int:
    """How far a member is from what was meant: a plain one of that size, one with parts, others."""
    plain = plain_type(member.get("baseType"))
    has_parts = plain is not None and plain.get("tag") in _RECORDS | {ARRAY}
    return 1 if has_parts else 2 * (member_bytes(member) != n_bytes)


def _into_array(
    node: DebugNode | None, offset: int, terms: tuple[Term, ...], n_bytes: int
) -> _Step | None:
    if node is None or node.get("tag") != ARRAY:
        return None
    element = plain_type(node.get("baseType"))
    stride = size_bytes(element)
    if not stride or n_bytes > stride:
        return None
    text, used = "", []
    counts = array_counts(node)
    for dimension in range(len(counts)):
        step = stride
        for count in counts[dimension + 1 :]:
            step *= count
        found = [term for term in terms if term[1] == step]
        text += index_text([term[0] for term in found], offset // step)
        offset %= step
        used += found
    return text, element, offset, tuple(used)


def array_counts(node: DebugNode) -> list[int]:
    """How many elements an array has, by dimension; 1 where that is not known."""
    return [max(_number(row.get("count")), 1) for row in _elements(node)]


def index_text(words: list[str], number: int) -> str:
    """`[i]`, `[3]`, `[i + 1]`, `[i - 1]`."""
    text = " + ".join(words)
    if not text:
        return f"[{number}]"
    if not number:
        return f"[{text}]"
    return f"[{text} {'-' if number < 0 else '+'} {abs(number)}]"


def _elements(node: DebugNode) -> list[DebugNode]:
    found = node.get("elements")
    operands = found.operands if isinstance(found, MetadataTuple) else ()
    return [one for one in operands if isinstance(one, DebugNode)]


def member_start(member: DebugNode) -> int:
    """Offset of a member in bytes."""
    return _number(member.get("offset")) // 8


def member_bytes(member: DebugNode) -> int:
    """Bytes of a member; those of a bit-field that it is in."""
    n_bits = _number(member.get("size"))
    return -(-(_number(member.get("offset")) % 8 + n_bits) // 8) or size_bytes(
        member.get("baseType")
    )


def _number(value: object) -> int:
    if isinstance(value, ValueAsMetadata) and isinstance(value.value, ConstantInt):
        return value.value.value
    return value if isinstance(value, int) else 0
