"""Arrays inside of objects: members of structures, rows of arrays, as getelementptr names them.

    %q = gep %struct.S, ptr %p, i64 0, i32 1, i64 %i        int field[10] is member 1 of S
    inner_array(%q)  ->  (gep %struct.S, ptr %p, i64 0, i32 1; 40 bytes)

The innermost array on the way counts, since that is what the last index of the source was for.
Arrays of 0 or 1 elements are taken for flexible ones: they bound nothing.

Soundness: only what getelementptr still names is found; from -O1 on LLVM counts in bytes.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.constants import ConstantInt
from irsan.ir.memory import GetElementPtr
from irsan.ir.types import ArrayType, StructType, Type, VectorType
from irsan.ir.values import Value

_MAX_STEPS = 16
_FLEXIBLE = 1  # arrays of at most so many elements


class InnerArray(NamedTuple):
    """`lo` is its address; `is_new` says that the instruction is still to be put somewhere."""

    lo: Value
    size_bytes: int
    is_new: bool


def inner_array(pointer: Value, sizes: TypeSizes) -> InnerArray | None:
    """The innermost array that an index on the way to `pointer` counts in, or None."""
    at = pointer
    for _ in range(_MAX_STEPS):
        if not isinstance(at, GetElementPtr) or isinstance(at.type, VectorType):
            return None
        found = _last_array(at)
        if found is not None:
            return _address_of(at, *found, sizes)
        at = at.operands[0]
    return None


def _last_array(gep: GetElementPtr) -> tuple[int, ArrayType] | None:
    """Position among the indices of the last one that counts in an array, and that array."""
    found: tuple[int, ArrayType] | None = None
    kind: Type = gep.source_type
    for position, index in enumerate(gep.indices[1:], start=1):
        if isinstance(kind, ArrayType):
            if kind.count > _FLEXIBLE:
                found = position, kind
            kind = kind.element
        elif isinstance(kind, StructType) and isinstance(index, ConstantInt):
            kind = kind.elements[index.value]
        else:
            break
    return found


def _address_of(
    gep: GetElementPtr, position: int, array: ArrayType, sizes: TypeSizes
) -> InnerArray | None:
    each = sizes.alloc_size(array.element)
    if not each:
        return None
    before = gep.indices[:position]
    if all(isinstance(index, ConstantInt) and index.value == 0 for index in before):
        return InnerArray(gep.operands[0], array.count * each, is_new=False)
    made = GetElementPtr(gep.type, gep.source_type, gep.operands[0], before)
    return InnerArray(made, array.count * each, is_new=True)
