"""What an access touches, in the words of the source: `s->next[3]`, `table[i].hi`, `this->count`.

    %s = load ptr, ptr %s.addr        #dbg_declare(%s.addr, "s", struct node *)     s
    %n = gep %struct.node, %s, 0, 1                                                 + 8 bytes
    %e = gep [4 x ptr], %n, 0, 3                                                    + 24 bytes
    store %x, %e                                                    bytes 32 to 40: s->next[3]

The words come from debug info: variables by the records that tie values to them, members and
elements by byte offsets into the declared type (debug_types.py), so it does not matter how the
compiler has rewritten the arithmetic.  An index that no variable is known for is `...`.

May miss: whatever has no variable at its root, such as the result of a call, or lost it to an
optimisation; then there are no words.

Source: the LLVM Language Reference, "Debug records".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from irsan.errors import UnsupportedError
from irsan.instrument.sites.debug_types import (
    Inside,
    Term,
    index_text,
    inside,
    plain_type,
    pointee,
    size_bytes,
    variable_node,
)
from irsan.ir.constants import ConstantExpr, ConstantInt
from irsan.ir.datalayout import DataLayout
from irsan.ir.memory import GetElementPtr, Load
from irsan.ir.metadata import DebugNode, DILocation, Metadata, MetadataNode, ValueAsMetadata
from irsan.ir.operations import BinaryOp, Cast, Freeze
from irsan.ir.values import Function, GlobalVariable, Value

_MAX_DEPTH = 12
_MAX_TEXT = 120
_DEREF = 0x06  # DW_OP_deref
_FRAGMENT = 0x1000  # DW_OP_LLVM_fragment: offset and size in bits
_CASTS = frozenset(("sext", "zext", "trunc", "bitcast", "addrspacecast"))
_SIGNS = {"add": "+", "sub": "-", "mul": "*"}

_Known = dict[Value, dict[DebugNode, None]]


class _Place(NamedTuple):
    """`offset` bytes and `terms` into an object, or into what the pointer `text` leads to."""

    text: str
    is_pointed: bool
    type: DebugNode | None
    offset: int = 0
    terms: tuple[Term, ...] = ()


class Touched(NamedTuple):
    """What an access touches in the source's words; "" when nothing is known.

    record: the structure that the bytes are part of, from `offset` on; None when there is none.
    """

    text: str = ""
    record: DebugNode | None = None
    offset: int = 0


NOTHING = Touched()


class _Words(NamedTuple):
    """A value in the source's words, and its declared type; of a place as `Touched` has it."""

    text: str
    type: DebugNode | None
    record: DebugNode | None = None
    offset: int = 0


PartsOfTypes = dict[tuple[DebugNode | None, int, tuple[Term, ...], int, str], Inside]


class AccessPaths:
    """Answers for one function."""

    __slots__ = (
        "_chosen", "_layout", "_parts", "_scope", "_values", "_variables", "locals_in_memory",
    )  # fmt: skip

    def __init__(
        self, function: Function, layout: DataLayout, parts: PartsOfTypes | None = None
    ) -> None:
        """parts: what has been found inside of types so far, for all functions of a module."""
        self._layout = layout
        self._parts: PartsOfTypes = {} if parts is None else parts
        self._scope: DebugNode | None = None
        self._variables: _Known = {}
        self.locals_in_memory: dict[DebugNode, None] = {}
        self._values: _Known = {}
        self._chosen: dict[tuple[Value, DebugNode | None], DebugNode] = {}
        for block in function.blocks:
            for instruction in block.instructions:
                for record in instruction.debug_records:
                    self._read_record(record.kind, record.operands)

    def of(self, pointer: Value, n_bytes: int, location: MetadataNode | None) -> Touched:
        """What an access to `n_bytes` at `pointer` touches.

        location  of the access: one value may be variables of several inlined functions
        """
        scope = location.scope if isinstance(location, DILocation) else None
        self._scope = _subprogram(scope)
        place = self._place(pointer, _MAX_DEPTH)
        if place is None:
            return NOTHING
        text, _, record, offset = self._render(place, n_bytes)
        return Touched(text, record, offset) if 0 < len(text) <= _MAX_TEXT else NOTHING

    def _read_record(self, kind: str, operands: Sequence[object]) -> None:
        if kind not in ("declare", "value", "assign"):
            return
        value, variable, expression = operands[:3]
        known = self._variables if kind == "declare" else self._values
        elements = expression.get("elements") if isinstance(expression, DebugNode) else None
        is_plain = isinstance(expression, DebugNode) and not elements
        if isinstance(variable, DebugNode) and (kind != "value" or elements == [_DEREF]):
            self.locals_in_memory[variable] = None
        if isinstance(value, ValueAsMetadata) and isinstance(variable, DebugNode) and is_plain:
            known.setdefault(value.value, {})[variable] = None

    def _place(self, pointer: Value, depth: int) -> _Place | None:
        """Where a pointer leads."""
        if not depth:
            return None
        if isinstance(pointer, GlobalVariable):
            return _global_place(pointer)
        variable = self._best(pointer, self._variables)
        if variable is not None:
            return _Place(variable.string("name"), False, plain_type(variable.get("type")))
        if isinstance(pointer, GetElementPtr) or _is_gep(pointer):
            return self._moved(pointer, depth - 1)
        words = self._words(pointer, depth - 1)
        if words is None:
            return None
        leads_to, is_reference = pointee(words.type)
        return _Place(words.text, not is_reference, leads_to)

    def _best(self, value: Value, known: _Known) -> DebugNode | None:
        """Of the variables that a value is: one of this function, one that says where it points."""
        variables = known.get(value)
        if variables is None:
            return None
        key = value, self._scope
        found = self._chosen.get(key)
        if found is None:
            found = self._chosen[key] = max(variables, key=self._fitness)
        return found

    def _fitness(self, variable: DebugNode) -> tuple[bool, bool]:
        is_own = _subprogram(variable.get("scope")) is self._scope
        return is_own, size_bytes(pointee(variable.get("type"))[0]) > 0

    def _moved(self, gep: Value, depth: int) -> _Place | None:
        base, *indices = gep.operands  # type: ignore[attr-defined]
        place = self._place(base, depth)
        if place is None:
            return None
        try:
            constant, terms = self._layout.gep_terms(gep.source_type, indices)  # type: ignore[attr-defined]
        except UnsupportedError:
            return None
        added = tuple([(self._index_words(index, depth), stride) for index, stride in terms])
        return place._replace(offset=place.offset + constant, terms=place.terms + added)

    def _index_words(self, index: Value, depth: int) -> str:
        words = self._words(index, depth)
        return words.text if words is not None else "..."

    def _words(self, value: Value, depth: int) -> _Words | None:
        """A value in the source's words."""
        variable = self._best(value, self._values)
        if variable is not None:
            return _Words(variable.string("name"), variable.get("type"))
        if isinstance(value, ConstantInt):
            return _Words(str(value.value), None)
        if not depth:
            return None
        if isinstance(value, Load):
            place = self._place(value.operands[0], depth - 1)
            n_bytes = self._layout.store_size(value.type)
            found = self._render(place, n_bytes) if place is not None else _Words("", None)
            return found if found.text else None
        if isinstance(value, Freeze) or (isinstance(value, Cast) and value.opcode in _CASTS):
            return self._words(value.operands[0], depth - 1)
        return self._sum(value, depth - 1) if isinstance(value, BinaryOp) else None

    def _sum(self, value: BinaryOp, depth: int) -> _Words | None:
        sign = _SIGNS.get(value.opcode)
        if sign is None:
            return None
        left, right = (self._words(one, depth) for one in value.operands)
        if left is None or right is None:
            return None
        if sign == "+" and right.text.startswith("-"):
            return _Words(f"{left.text} - {right.text[1:]}", None)
        return _Words(f"{left.text} {sign} {right.text}", None)

    def _render(self, place: _Place, n_bytes: int) -> _Words:
        """The words for `n_bytes` at a place; no text when a step has no place in the type."""
        text, is_pointed, offset, terms = place.text, place.is_pointed, place.offset, place.terms
        stride = size_bytes(place.type)
        if is_pointed and stride:
            steps = [term for term in terms if term[1] == stride]
            if steps or not 0 <= offset < stride:
                text += index_text([term[0] for term in steps], offset // stride)
                terms = tuple([term for term in terms if term[1] != stride])
                is_pointed, offset = False, offset % stride
        found = self._inside(place.type, offset, terms, n_bytes, "->" if is_pointed else ".")
        if not found.is_found:
            return _Words("", None)
        words = text + found.text
        if is_pointed and not found.text.startswith("->"):
            words = f"(*{text}){found.text}" if found.text else f"*{text}"
        return _Words(words, found.type, found.record, found.record_offset)

    def _inside(
        self, node: DebugNode | None, offset: int, terms: tuple[Term, ...], n_bytes: int, arrow: str
    ) -> Inside:
        """As `inside`: a program touches the same members of the same types again and again."""
        key = node, offset, terms, n_bytes, arrow
        found = self._parts.get(key)
        if found is None:
            found = self._parts[key] = inside(node, offset, terms, n_bytes, arrow)
        return found


def _subprogram(scope: Metadata | None) -> DebugNode | None:
    """The function that a scope is in."""
    while isinstance(scope, DebugNode) and scope.kind != "DISubprogram":
        scope = scope.get("scope")
    return scope if isinstance(scope, DebugNode) else None


def declared_type(variable: GlobalVariable) -> DebugNode | None:
    """The type that debug info has for a whole global."""
    place = _global_place(variable)
    return place.type if place is not None and not place.offset else None


def _global_place(variable: GlobalVariable) -> _Place | None:
    """A global, or the fragment of one that the optimiser has left."""
    for kind, node in variable.metadata:
        described = variable_node(node) if kind == "dbg" else None
        if described is not None and isinstance(node, DebugNode):
            text, declared = described.string("name"), plain_type(described.get("type"))
            return _Place(text, False, declared, _fragment_offset(node.get("expr")))
    return None


def _fragment_offset(expression: object) -> int:
    """Bytes from the start of a variable to the part that an expression is about."""
    elements = expression.get("elements") if isinstance(expression, DebugNode) else None
    if not isinstance(elements, list) or len(elements) != 3 or elements[0] != _FRAGMENT:
        return 0
    return int(elements[1]) // 8


def _is_gep(value: Value) -> bool:
    return isinstance(value, ConstantExpr) and value.opcode == "getelementptr"
