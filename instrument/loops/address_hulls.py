"""Hulls of the addresses of a loop: those that differ by a constant alone are asked about together.

    a[i - 1], a[i]      one hull: from a[i - 1] on, two elements long, one element further each turn
    b[i].x              another

    for hull, group in hulls_of(places)     one `Range` for each group of places
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.control_flow.linear_forms import Form
from irsan.ir.values import Value

MAX_STRIDE: Final = 1 << 32  # bytes: strips of so many turns stay below 2^63


@dataclass(slots=True)
class Range:
    """A hull: `span` bytes from `pointer` on, which grows by `stride` bytes each turn."""

    pointer: Value
    stride: int
    span: int


@dataclass(frozen=True, slots=True)
class Place:
    """`size_bytes` at `pointer`, which is `form` and grows by `stride` bytes each turn.

    key: whose place it is.
    """

    key: Hashable
    pointer: Value
    form: Form
    stride: int
    size_bytes: int

    @property
    def end(self) -> int:
        """Behind its last byte, as `form.constant` is for the first one."""
        return self.form.constant + self.size_bytes


def hulls_of(places: Iterable[Place]) -> list[tuple[Range, list[Place]]]:
    """The hulls, with the places in each, in the order of their first places."""
    groups: dict[tuple[object, int], list[Place]] = {}
    for place in places:
        groups.setdefault((place.form.terms, place.stride), []).append(place)
    return [(_hull(group), group) for group in groups.values()]


def _hull(group: list[Place]) -> Range:
    """The bytes of all places of a group in one turn, from the first one on."""
    first = min(group, key=lambda place: place.form.constant)
    end = max(place.end for place in group)
    return Range(first.pointer, first.stride, end - first.form.constant)
