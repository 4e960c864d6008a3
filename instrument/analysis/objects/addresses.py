"""Facts about an address: the object it starts from, and how many bytes into it.

    facts = AddressFacts(sizes)
    facts.locate(%p)      %p = gep {i32, i32}, ptr @pair, i64 0, i32 1   ->  Place(@pair, 4)
    facts.is_inside(%p, 4)                                               ->  True
    facts.object_of(gep i8, ptr %a, i64 %n)                              ->  %a

The root is what remains when constant offsets are taken off: a global, an alloca, an argument, a
loaded pointer.

Soundness: `is_inside` answers True only for objects whose size this module decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.constants import ConstantExpr, ConstantInt
from irsan.ir.memory import Alloca, GetElementPtr
from irsan.ir.operations import Cast
from irsan.ir.types import Type, VectorType
from irsan.ir.values import GlobalVariable, Value

_OWN_DEFINITIONS = frozenset(
    ("external", "internal", "private", "linkonce_odr", "weak_odr", "appending")
)
_NOTHING: Mapping[Value, int] = MappingProxyType({})


class Place(NamedTuple):
    """`offset` bytes into `root`."""

    root: Value
    offset: int


class AddressFacts:
    """Places of pointers in one function, each found once."""

    __slots__ = ("_byval_sizes", "_places", "_sizes")

    def __init__(self, sizes: TypeSizes, byval_sizes: Mapping[Value, int] = _NOTHING) -> None:
        """byval_sizes: bytes of the arguments that are objects of the function itself."""
        self._sizes, self._byval_sizes = sizes, byval_sizes
        self._places: dict[Value, Place] = {}

    def locate(self, pointer: Value) -> Place:
        """The place of `pointer`; (pointer, 0) when nothing more is known."""
        found = self._places.get(pointer)
        if found is None:
            found = self._places[pointer] = self._trace(pointer)
        return found

    def object_of(self, pointer: Value) -> Value:
        """The object `pointer` points into, whatever the offset; `pointer` itself when unknown."""
        at = pointer
        for _ in range(64):
            at = self.locate(at).root
            if not isinstance(at, (GetElementPtr, ConstantExpr)) or not _is_step(at):
                break
            at = at.operands[0]
        return at

    def is_inside(self, pointer: Value, size_bytes: int) -> bool:
        """Whether [pointer, pointer + size_bytes) surely lies in the object it starts from."""
        root, offset = self.locate(pointer)
        room = self.object_size(root)
        return room is not None and offset >= 0 and offset + size_bytes <= room

    def object_size(self, root: Value) -> int | None:
        """Bytes of an alloca or global of this module; None when not known for sure."""
        if root in self._byval_sizes:
            return self._byval_sizes[root] or None
        if isinstance(root, Alloca):
            count = root.count
            if not isinstance(count, ConstantInt):
                return None
            each = self._sizes.alloc_size(root.allocated_type)
            return None if each is None else count.unsigned * each
        if not isinstance(root, GlobalVariable) or root.is_declaration or root.thread_local:
            return None
        if root.linkage not in _OWN_DEFINITIONS:
            return None
        return self._sizes.alloc_size(root.value_type)

    def alloc_size(self, of_type: Type) -> int | None:
        """Bytes that a variable of the type takes; None when not known."""
        return self._sizes.alloc_size(of_type)

    def _trace(self, pointer: Value) -> Place:
        offset, at = 0, pointer
        for _ in range(64):  # chains are short; a cycle is possible in unreachable code
            step = self._step(at)
            if step is None:
                break
            at, offset = step[0], offset + step[1]
        return Place(at, offset)

    def _step(self, at: Value) -> tuple[Value, int] | None:
        """One constant step towards the root."""
        if isinstance(at, GetElementPtr):
            offset = self._sizes.gep_offset(at.source_type, at.operands[1:])
            is_scalar = not isinstance(at.type, VectorType)
            return (at.operands[0], offset) if offset is not None and is_scalar else None
        if isinstance(at, ConstantExpr):
            if at.opcode == "getelementptr" and at.source_type is not None:
                offset = self._sizes.gep_offset(at.source_type, at.operands[1:])
                return (at.operands[0], offset) if offset is not None else None
            return (at.operands[0], 0) if at.opcode == "bitcast" else None
        if isinstance(at, Cast) and at.opcode == "bitcast" and at.type is at.operands[0].type:
            return at.operands[0], 0
        return None


def _is_step(value: GetElementPtr | ConstantExpr) -> bool:
    return value.opcode == "getelementptr" and not isinstance(value.operands[0].type, VectorType)
