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

from irsan.ir.constants import ConstantInt
from irsan.ir.dwarf import TAGS
from irsan.ir.metadata import DebugNode, MetadataTuple, ValueAsMetadata

_TAG = {name: number for number, name in TAGS.items()}
_NAMED_SAME = frozenset(
    _TAG[name] for name in ("typedef", "const_type", "volatile_type", "restrict_type",
                            "atomic_type", "immutable_type")
)  # fmt: skip
_RECORDS = frozenset(_TAG[name] for name in ("structure_type", "class_type", "union_type"))
_POINTERS = frozenset(_TAG[name] for name in ("pointer_type",))
_REFERENCES = frozenset(_TAG[name] for name in ("reference_type", "rvalue_reference_type"))
_MEMBERS = frozenset((_TAG["member"], _TAG["inheritance"]))
_ARRAY = _TAG["array_type"]
_STATIC = 1 << 12  # DIFlagStaticMember
_MAX_DEPTH = 24

Term = tuple[str, int]
"""An index in the source's words, and the bytes that one step of it is."""


class Inside(NamedTuple):
    """A part of an object: the words to it, its type, and what no word was found for."""

    text: str
    type: DebugNode | None
    offset: int
    terms: tuple[Term, ...]

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
    text = ""
    for _ in range(_MAX_DEPTH):
        step = _into_array(node, offset, terms, n_bytes) or _into_record(node, offset, n_bytes)
        if step is None:
            break
        words, node, offset, used = step
        terms = tuple([term for term in terms if term not in used])
        if words:
            text += words if words.startswith("[") or text else arrow + words[1:]
    return Inside(text, node, offset, terms)


_Step = tuple[str, "DebugNode | None", int, tuple[Term, ...]]


def _into_record(node: DebugNode | None, offset: int, n_bytes: int) -> _Step | None:
    if node is None or node.get("tag") not in _RECORDS:
        return None
    fitting = list(_members_at(node, offset, n_bytes))
    if not fitting:
        return None
    found = min(fitting, key=lambda member: _distance(member, n_bytes))
    name = found.string("name") if found.get("tag") == _TAG["member"] else ""
    return "." + name if name else "", plain_type(found.get("baseType")), offset - _start(found), ()


def _members_at(node: DebugNode, offset: int, n_bytes: int) -> Iterator[DebugNode]:
    for member in _elements(node):
        is_part = member.get("tag") in _MEMBERS and not _number(member.get("flags")) & _STATIC
        end = _start(member) + max(_length(member), 1)
        if is_part and _start(member) <= offset and offset + n_bytes <= end:
            yield member


def _distance(member: DebugNode, n_bytes: int) -> int:
    """How far a member is from what was meant: a plain one of that size, one with parts, others."""
    plain = plain_type(member.get("baseType"))
    has_parts = plain is not None and plain.get("tag") in _RECORDS | {_ARRAY}
    return 1 if has_parts else 2 * (_length(member) != n_bytes)


def _into_array(
    node: DebugNode | None, offset: int, terms: tuple[Term, ...], n_bytes: int
) -> _Step | None:
    if node is None or node.get("tag") != _ARRAY:
        return None
    element = plain_type(node.get("baseType"))
    stride = size_bytes(element)
    if not stride or n_bytes > stride:
        return None
    text, used = "", []
    counts = [max(_number(row.get("count")), 1) for row in _elements(node)]
    for dimension in range(len(counts)):
        step = stride
        for count in counts[dimension + 1 :]:
            step *= count
        found = [term for term in terms if term[1] == step]
        text += index_text([term[0] for term in found], offset // step)
        offset %= step
        used += found
    return text, element, offset, tuple(used)


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


def _start(member: DebugNode) -> int:
    return _number(member.get("offset")) // 8


def _length(member: DebugNode) -> int:
    """Bytes of a member; those of a bit-field that it is in."""
    n_bits = _number(member.get("size"))
    return -(-(_number(member.get("offset")) % 8 + n_bits) // 8) or size_bytes(
        member.get("baseType")
    )


def _number(value: object) -> int:
    if isinstance(value, ValueAsMetadata) and isinstance(value.value, ConstantInt):
        return value.value.value
    return value if isinstance(value, int) else 0
