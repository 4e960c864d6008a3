"""Sizes of types in one module, each computed once.

    sizes = TypeSizes(module)
    sizes.store_size(x86_fp80) == 10         bytes a load or store touches
    sizes.gep_offset(struct, [0, 2])         bytes, None when not known before the program runs
    sizes.gep_range(i32, [zext i1 %c])       0..4 bytes

A scalable vector counts as if vscale were 1; types without a size (target extensions) count 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.errors import UnsupportedError
from irsan.instrument.analysis.values.value_ranges import Range, signed_range
from irsan.ir.constants import ConstantInt
from irsan.ir.datalayout import DataLayout
from irsan.ir.module import Module
from irsan.ir.types import Type, VectorType
from irsan.ir.values import Value

_FAR = 1 << 20  # indices that no small offset has


class TypeSizes:
    """Keeps what `DataLayout` computes."""

    __slots__ = ("_alloc", "_layout", "_store")

    def __init__(self, module: Module) -> None:
        self._layout = DataLayout.of(module.data_layout)
        self._store: dict[Type, int] = {}
        self._alloc: dict[Type, int | None] = {}

    def store_size(self, of_type: Type) -> int:
        """Bytes that an access of the type touches."""
        found = self._store.get(of_type)
        if found is None:
            found = self._store[of_type] = self._compute_store_size(of_type)
        return found

    def alloc_size(self, of_type: Type) -> int | None:
        """Bytes that a variable of the type takes; None when not known."""
        if of_type not in self._alloc:
            try:
                self._alloc[of_type] = self._layout.alloc_size(of_type)
            except UnsupportedError:
                self._alloc[of_type] = None
        return self._alloc[of_type]

    def abi_alignment(self, of_type: Type) -> int:
        """Bytes that a variable of the type is aligned to; of a type without a size 1."""
        try:
            return self._layout.abi_alignment(of_type)
        except UnsupportedError:
            return 1

    def gep_offset(self, source_type: Type, indices: Sequence[Value]) -> int | None:
        """Bytes that constant `indices` step over; None when one is not a constant."""
        numbers = []
        for index in indices:
            if not isinstance(index, ConstantInt):
                return None
            numbers.append(index.value)
        try:
            return self._layout.gep_offset(source_type, numbers)
        except UnsupportedError:
            return None

    def gep_range(self, source_type: Type, indices: Sequence[Value]) -> Range | None:
        """Least and greatest number of bytes that `indices` step over; None when it may be any.

        Strides are not negative, so the ends are where all indices have theirs.
        """
        ranges = [signed_range(index) for index in indices]
        known = [one for one in ranges if one is not None and one.lo >= -_FAR and one.hi <= _FAR]
        if len(known) < len(ranges):
            return None
        try:
            ends = [self._layout.gep_offset(source_type, side) for side in zip(*known, strict=True)]
        except UnsupportedError:
            return None
        return Range(*ends)

    def _compute_store_size(self, of_type: Type) -> int:
        if isinstance(of_type, VectorType) and of_type.scalable:
            return (of_type.count * 8 * self.store_size(of_type.element) + 7) // 8
        try:
            return self._layout.store_size(of_type)
        except UnsupportedError:
            return 0
