"""Fields near an address: of variables by their types, else of what an access takes them for."""

from __future__ import annotations

import pytest

from irsan.reports.model.memory import MemoryField
from irsan.reports.model.report import (
    Access,
    Finding,
    Frame,
    GlobalVariable,
    HeapRegion,
    Location,
    StackLocation,
    StackObject,
)
from irsan.runtime.diagnosis.memory_fields import MAX_FIELDS, Layout, fields_around, parse_layout

POINT = "point<int, 2> 8\nx 0 4\nlong name[2] 4 4"
LO = 0x7000_0000


def finding(*locations: Location, address: int = LO) -> Finding:
    access = Access("read", 4, address)
    return Finding("AddressSanitizer", "heap-buffer-overflow", access=access, locations=locations)


def names(fields: tuple[MemoryField, ...]) -> list[tuple[str, int]]:
    return [(field.name, field.address - LO) for field in fields]


def test_a_layout_is_read() -> None:
    assert parse_layout(POINT) == Layout("point<int, 2>", 8, (("x", 0, 4), ("long name[2]", 4, 4)))


def test_elements_of_a_global_that_lie_in_the_rows() -> None:
    place = GlobalVariable(LO, "table", LO, 80)
    found = fields_around(finding(place), {"table": POINT}.get, ("", 0), LO + 12, LO + 24)  # type: ignore[arg-type]
    assert names(found) == [
        ("table[1].long name[2]", 12), ("table[2].x", 16), ("table[2].long name[2]", 20),
    ]  # fmt: skip


def test_a_type_of_another_size_is_that_of_another_variable() -> None:
    place = GlobalVariable(LO, "table", LO, 12)
    assert fields_around(finding(place), {"table": POINT}.get, ("", 0), LO, LO + 64) == ()  # type: ignore[arg-type]


def test_locals_are_known_by_name_and_line() -> None:
    objects = (StackObject("p", 32, 40, 7), StackObject("q", 48, 56, 8))
    place = StackLocation(LO + 32, "T0", 32, Frame("f"), objects)
    found = fields_around(finding(place), {"q:8": POINT}.get, ("", 0), LO, LO + 64)  # type: ignore[arg-type]
    assert names(found) == [("q.x", 48), ("q.long name[2]", 52)]


def test_heap_blocks_have_the_type_of_the_access() -> None:
    block = HeapRegion(LO + 4, "inside", 4, LO, LO + 8)
    found = fields_around(finding(block, address=LO + 4), lambda _: "", (POINT, 4), LO, LO + 16)
    assert names(found) == [("point<int, 2>.x", 0), ("point<int, 2>.long name[2]", 4)]
    assert fields_around(finding(block), lambda _: "", ("", 0), LO, LO + 16) == ()


@pytest.mark.parametrize(("cookie", "rest", "n"), [(0, 0, 3), (8, 0, 3), (0, 4, 1), (20, 0, 1)])
def test_elements_of_a_heap_array(cookie: int, rest: int, n: int) -> None:
    wide = "node 16\nkey 0 4\nnext 8 8"
    block = HeapRegion(LO, "inside", 0, LO, LO + cookie + 48 + rest)
    used = finding(block, address=LO + cookie + 24)
    found = fields_around(used, lambda _: "", (wide, 8), LO, LO + 99)
    keys = [(f"node[{i}].key", cookie + 16 * i) for i in range(3)]
    assert names(found)[::2] == (keys if n > 1 else [("node.key", cookie + 16)])


def test_more_fields_than_a_picture_shows_are_left_out() -> None:
    place = GlobalVariable(LO, "bytes", LO, MAX_FIELDS + 9)
    found = fields_around(
        finding(place), {"bytes": "byte 1\nvalue 0 1"}.get, ("", 0), LO, LO + 999  # type: ignore[arg-type]
    )
    assert len(found) == MAX_FIELDS
