"""The fields of objects in the memory around a finding, by name.

    location is a variable    fields of its type, if it is as big as that, or an array of it
    else                      fields of what the access takes the bytes for; of all elements, if a
                              heap block is an array of such, behind a cookie or none

Texts of types are as instrument/sites/record_layouts.py writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from irsan.reports.model.memory import MemoryField
from irsan.reports.model.report import Finding, GlobalVariable, HeapRegion, StackLocation

MAX_FIELDS: Final = 64
_COOKIE_BYTES: Final = (0, 8, 16)  # the number of elements, which new[] may put in front
VariableToLayout = Callable[[str], str]


class Layout(NamedTuple):
    """A type's name and bytes, and name, offset and bytes of each field."""

    name: str
    size_bytes: int
    fields: tuple[tuple[str, int, int], ...]


class _Object(NamedTuple):
    name: str
    lo: int
    hi: int
    layout: Layout


def parse_layout(text: str) -> Layout:
    """The layout in a text that is not empty."""
    (name, (size,)), *fields = (_line(line, 1 + (n > 0)) for n, line in enumerate(text.split("\n")))
    return Layout(name, size, tuple((field, at, n_bytes) for field, (at, n_bytes) in fields))


def _line(line: str, n_numbers: int) -> tuple[str, list[int]]:
    name, *numbers = line.rsplit(" ", n_numbers)
    return name, [int(number) for number in numbers]


def fields_around(
    finding: Finding,
    variable_to_layout: VariableToLayout,
    record: tuple[str, int],
    lo: int,
    hi: int,
) -> tuple[MemoryField, ...]:
    """Fields with bytes in [lo, hi).

    record: text of the type that the access takes its bytes for, and where in that they are
    """
    objects = [*_variables(finding, variable_to_layout)]
    text, offset = record
    if not objects and text and finding.access is not None:
        layout, base = parse_layout(text), finding.access.address - offset
        objects = [_Object(layout.name, *_array_around(finding, base, layout.size_bytes), layout)]
    found = sorted(field for each in objects for field in _fields(each, lo, hi))
    return tuple(MemoryField(name, at, n_bytes) for at, n_bytes, name in found[:MAX_FIELDS])


def _array_around(finding: Finding, base: int, size_bytes: int) -> tuple[int, int]:
    """From the first to behind the last element of the array that the one at `base` is of."""
    blocks = [place for place in finding.locations if isinstance(place, HeapRegion) and size_bytes]
    for place in blocks:
        if place.region_lo <= base < place.region_hi:
            before, behind = base - place.region_lo, place.region_hi - base
            if before % size_bytes in _COOKIE_BYTES and not behind % size_bytes:
                return base - before // size_bytes * size_bytes, place.region_hi
    return base, base + size_bytes


def _variables(finding: Finding, variable_to_layout: VariableToLayout) -> Iterator[_Object]:
    for place in finding.locations:
        if isinstance(place, GlobalVariable):
            named = [(place.name, place.name, place.lo, place.lo + place.size_bytes)]
        elif isinstance(place, StackLocation):
            frame = place.address - place.offset
            named = [
                (f"{one.name}:{one.line}", one.name, frame + one.begin, frame + one.end)
                for one in place.objects
            ]
        else:
            continue
        for key, name, lo, hi in named:
            text = variable_to_layout(key)
            layout = parse_layout(text) if text else None
            if layout is not None and layout.size_bytes and not (hi - lo) % layout.size_bytes:
                yield _Object(name, lo, hi, layout)


def _fields(one: _Object, lo: int, hi: int) -> Iterator[tuple[int, int, str]]:
    """Address, bytes and name of those in [lo, hi); elements of an array have their index."""
    step = one.layout.size_bytes
    is_array = one.hi - one.lo > step
    for base in range(one.lo, one.hi, step):
        if base >= hi or base + step <= lo:
            continue
        name = f"{one.name}[{(base - one.lo) // step}]" if is_array else one.name
        for field, at, n_bytes in one.layout.fields:
            if base + at < hi and base + at + n_bytes > lo:
                yield base + at, n_bytes, f"{name}.{field}"
