"""Tables: records of arrays whose types, shapes and first values stand where the array is named.

    class Readers(NamedTuple):
        first: Any = column("i32", "variables", fill=NONE)
        thread: Any = column("i32", "reads")

A shape is a list of axes; an axis is a name, or a number that never changes.  `grown_table` makes
the named axes longer, in all arrays that have them and in the tables below, so the size of one axis
is the same wherever it occurs.  A table that is part of another one may know an axis by another
name: `part(Clocks, rows="locks")`.

**Invariants**: a named axis doubles when it is too short, so that growing costs a constant per
element; old values stay where they are, new places hold the first value; an array without elements
is one that is not in use, and stays so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

Table = TypeVar("Table")
_DTYPES = {"u8": np.uint8, "i32": np.int32, "i64": np.int64, "u64": np.uint64}


@dataclass(frozen=True, slots=True)
class Column:
    """An array of a table: its type, its axes, and what new places hold."""

    dtype: str
    axes: tuple[str | int, ...]
    fill: int

    def shape(self, sizes: dict[str, int]) -> tuple[int, ...]:
        """Its shape when axes have these sizes; those that are not named have one place."""
        return tuple(axis if isinstance(axis, int) else sizes.get(axis, 1) for axis in self.axes)


@dataclass(frozen=True, slots=True)
class Part:
    """A table in a table: what it is, and other names for its axes."""

    kind: type
    renamed: dict[str, str]

    def sizes(self, sizes: dict[str, int]) -> dict[str, int]:
        """The sizes of its own axes."""
        own = {inner: sizes[outer] for inner, outer in self.renamed.items() if outer in sizes}
        return {name: n for name, n in sizes.items() if name not in self.renamed} | own


def column(dtype: str, *axes: str | int, fill: int = 0) -> Any:
    """Declare an array as a field of a table; `dtype` is u8, i32, i64 or u64."""
    return Column(dtype, axes, fill)


def part(kind: type, **renamed: str) -> Any:
    """Declare a table as a field of another one; `renamed` says what an axis is called there."""
    return Part(kind, renamed)


def new_table(kind: type[Table], **sizes: int) -> Table:
    """A table of a NamedTuple of columns, with axes of these sizes, all in their first state."""
    fields: dict[str, Column | Part] = kind._field_defaults  # type: ignore[attr-defined]
    return kind(*(_first_state(spec, sizes) for spec in fields.values()))


def grown_table(table: Table, **needed: int) -> Table:
    """The table with at least so many places on each of these axes.

    A table with a method `enlarged` grows by that.  O(1) when all is large enough.
    """
    if hasattr(table, "enlarged"):
        return table.enlarged(**needed)  # type: ignore[no-any-return]
    fields: dict[str, Column | Part] = table._field_defaults  # type: ignore[attr-defined]
    grown = {name: _grown(getattr(table, name), spec, needed) for name, spec in fields.items()}
    return table._replace(**grown)  # type: ignore[attr-defined,no-any-return]


def capacity(current: int, needed: int) -> int:
    """The least doubling of `current` (or 1) that holds `needed`."""
    size = max(current, 1)
    while size < needed:
        size *= 2
    return size


def _first_state(spec: Column | Part, sizes: dict[str, int]) -> Any:
    if isinstance(spec, Part):
        return new_table(spec.kind, **spec.sizes(sizes))
    return _filled(spec.shape(sizes), spec)


def _filled(shape: tuple[int, ...], spec: Column) -> Any:
    """Pages of zeros cost nothing before they are used, so these are not written."""
    dtype = _DTYPES[spec.dtype]
    return np.full(shape, spec.fill, dtype) if spec.fill else np.zeros(shape, dtype)


def _grown(old: Any, spec: Column | Part, needed: dict[str, int]) -> Any:
    if isinstance(spec, Part):
        return grown_table(old, **spec.sizes(needed))
    wanted = spec.shape(needed)
    if not old.size or all(a >= b for a, b in zip(old.shape, wanted, strict=True)):
        return old
    new = _filled(tuple(map(capacity, old.shape, wanted)), spec)
    new[tuple(slice(n) for n in old.shape)] = old
    return new
