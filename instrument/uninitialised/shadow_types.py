"""Types and constants of shadow: as wide and as laid out as what they shadow.

    i32 -> i32      ptr, double -> i64      <4 x float> -> <4 x i32>      { ptr, [2 x half] } -> ...

A set bit says: not initialised.  `None` in place of a shadow value says that no bit can be set, so
nothing has to be computed for it.  Types whose size is not known before the program runs, and
those without one, have no shadow: they count as initialised.
"""

from __future__ import annotations

from irsan.errors import UnsupportedError
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.constants import (
    ConstantAggregate,
    ConstantInt,
    ConstantNull,
    ConstantSplat,
    Poison,
    Undef,
)
from irsan.ir.datalayout import DataLayout
from irsan.ir.module import Module
from irsan.ir.types import (
    FLOAT_BITS,
    ArrayType,
    IntegerType,
    PointerType,
    StructType,
    Type,
    TypeID,
    VectorType,
)
from irsan.ir.values import Constant, Value

_MAX_ELEMENTS = 4096  # of an array held in a register


class ShadowTypes:
    """Shadow types of one module."""

    __slots__ = ("_known", "_layout", "_types", "sizes")

    def __init__(self, module: Module) -> None:
        self._types = module.types
        self._layout = DataLayout.of(module.data_layout)
        self.sizes = TypeSizes(module)
        self._known: dict[Type, Type | None] = {}

    def of(self, kind: Type) -> Type | None:
        """The shadow type, None for a type without shadow."""
        if kind not in self._known:
            self._known[kind] = self._make(kind)
        return self._known[kind]

    def _make(self, kind: Type) -> Type | None:
        if isinstance(kind, IntegerType):
            return kind
        if isinstance(kind, PointerType):
            return self._types.i64 if kind.address_space == 0 else None
        if kind.type_id in FLOAT_BITS:
            return self._types.integer(FLOAT_BITS[kind.type_id])
        if isinstance(kind, VectorType):
            element = self.of(kind.element)
            return None if element is None or kind.scalable else self._types.vector(
                element, kind.count
            )
        if isinstance(kind, ArrayType):
            element = self.of(kind.element)
            is_small = 0 < kind.count <= _MAX_ELEMENTS
            return self._types.array(element, kind.count) if element and is_small else None
        return self._struct(kind) if isinstance(kind, StructType) else None

    def _struct(self, kind: StructType) -> Type | None:
        elements = [self.of(element) for element in kind.elements]
        if not elements or None in elements:
            return None
        return self._types.struct([e for e in elements if e is not None], kind.is_packed)

    def size_bytes(self, kind: Type) -> int:
        """Bytes of a value in memory; 0 when not known."""
        try:
            return self._layout.store_size(kind)
        except UnsupportedError:
            return 0

    def alloc_bytes(self, kind: Type) -> int | None:
        """Bytes from one variable of the type to the next; None when not known."""
        try:
            return self._layout.alloc_size(kind)
        except UnsupportedError:
            return None

    def size_bits(self, kind: Type) -> int:
        """Width of a shadow type."""
        return self._layout.size_bits(kind)


def clean(shadow: Type) -> Constant:
    """The shadow of an initialised value."""
    return ConstantInt(shadow, 0) if isinstance(shadow, IntegerType) else ConstantNull(shadow)


def poisoned(shadow: Type) -> Constant:
    """The shadow of a value that has no initialised bit."""
    if isinstance(shadow, IntegerType):
        return ConstantInt(shadow, -1)
    if isinstance(shadow, VectorType):
        return ConstantSplat(shadow, poisoned(shadow.element))
    if isinstance(shadow, ArrayType):
        return ConstantAggregate(shadow, [poisoned(shadow.element)] * shadow.count)
    assert isinstance(shadow, StructType)
    return ConstantAggregate(shadow, [poisoned(element) for element in shadow.elements])


def constant_shadow(value: Value, shadow: Type) -> Constant | None:
    """The shadow of a constant: only undef and poison have bits set."""
    if isinstance(value, (Undef, Poison)):
        return poisoned(shadow)
    if isinstance(value, ConstantAggregate):
        parts = _parts(shadow, len(value.elements))
        found = [
            constant_shadow(element, part)
            for element, part in zip(value.elements, parts, strict=True)
        ]
        if any(part is not None for part in found):
            filled = [
                part if part is not None else clean(kind)
                for part, kind in zip(found, parts, strict=True)
            ]
            return ConstantAggregate(shadow, filled)
    if isinstance(value, ConstantSplat) and isinstance(shadow, VectorType):
        element = constant_shadow(value.element, shadow.element)
        return None if element is None else ConstantSplat(shadow, element)
    return None


def _parts(shadow: Type, count: int) -> list[Type]:
    if isinstance(shadow, StructType):
        return list(shadow.elements)
    assert isinstance(shadow, (ArrayType, VectorType))
    return [shadow.element] * count


def is_simple(shadow: Type) -> bool:
    """Whether a shadow is an integer or a vector of integers: bitwise operations take it."""
    return shadow.type_id in (TypeID.INTEGER, TypeID.FIXED_VECTOR)
