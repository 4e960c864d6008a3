"""What lies at an address: every kind of place, and which chunk is blamed between two."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.reports.model.report import (
    Frame,
    GlobalVariable,
    HeapRegion,
    StackLocation,
    StackObject,
    ThreadStack,
    TlsBlock,
    WildAddress,
)
from irsan.runtime.diagnosis.describe import GlobalEntry, GlobalTable, Places, describe_address
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.heap import heap
from irsan.runtime.layout import memory_map, options
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from irsan.runtime.views.stack_frames import MAGIC, parse_description

UNKNOWN = int(heap.UNKNOWN_SIZE)
STACK = memory_map.STACK_SLOTS_LO + (1 << 20)


@pytest.fixture
def places(guest: Any) -> Places:
    options.set_default_options(guest.ctx)
    heap.heap_init(guest.ctx)
    guest.main["stack"]["lo"], guest.main["stack"]["hi"] = STACK, STACK + 65536
    guest.main["tls"] = STACK + 65536
    guest.ctx["thread_locals"]["size_bytes"] = 64
    return Places(guest.ctx, lambda stack_id: (Frame(f"f{stack_id}"),))


def allocate(places: Places, size: int) -> int:
    return int(heap.heap_allocate(places.ctx, size, 0, hr.MALLOC))


def free(places: Places, addr: int) -> None:
    assert heap.heap_free(places.ctx, addr, hr.MALLOC, UNKNOWN, 0) != int(heap.NOT_FREED)


def region(places: Places, addr: int, size: int = 1) -> HeapRegion:
    location = describe_address(places, addr, size).location
    assert isinstance(location, HeapRegion)
    return location


def test_inside_before_and_after_a_chunk(places: Places) -> None:
    addr = allocate(places, 40)
    assert region(places, addr + 4) == HeapRegion(addr + 4, "inside", 4, addr, addr + 40)
    assert region(places, addr - 3) == HeapRegion(addr - 3, "before", 3, addr, addr + 40)
    assert region(places, addr + 40) == HeapRegion(addr + 40, "after", 0, addr, addr + 40)
    assert region(places, addr + 38, 4) == HeapRegion(addr + 40, "after", 0, addr, addr + 40)
    free(places, addr)
    assert region(places, addr + 4).freed


def test_between_two_chunks_the_live_one_is_blamed_then_the_nearer(places: Places) -> None:
    first, second = allocate(places, 16), allocate(places, 16)
    assert second == first + 32
    assert region(places, first + 16).region_lo == first
    assert region(places, second - 1).region_lo == second
    free(places, second)
    assert region(places, second - 1).region_lo == first
    free(places, first)
    assert region(places, second - 1).region_lo == second


def test_far_behind_the_last_chunk(places: Places) -> None:
    addr = allocate(places, 100)
    assert region(places, addr + 5000).distance_bytes == 4900
    top = heap_view.heap_top(places.ctx)
    assert region(places, top + 5000).region_lo == addr
    far = describe_address(places, top + (4 << 20)).location
    assert far == WildAddress(top + (4 << 20), 1)


def test_large_chunks_and_their_stacks(places: Places) -> None:
    addr = allocate(places, 1 << 20)
    found = describe_address(places, addr + (1 << 20), subject=1)
    assert isinstance(found.location, HeapRegion) and found.location.relation == "after"
    assert [(stack.role, stack.thread, stack.subject) for stack in found.stacks] == [
        ("allocation", "T0", 1)
    ]
    free(places, addr)
    assert [stack.role for stack in describe_address(places, addr).stacks] == [
        "allocation", "free",
    ]  # fmt: skip


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sizes=st.lists(st.integers(0, 600), min_size=1, max_size=8), offset=st.integers(-64, 700))
def test_a_byte_of_a_live_chunk_is_told_exactly(
    places: Places, sizes: list[int], offset: int
) -> None:
    addrs = [allocate(places, size) for size in sizes]
    addr = addrs[-1] + offset
    holder = next((a for a, n in zip(addrs, sizes, strict=True) if a <= addr < a + n), None)
    found = region(places, addr)
    if holder is not None:
        assert (found.region_lo, found.relation) == (holder, "inside")
    elif found.relation == "inside":
        assert heap_view.addr_to_chunk(places.ctx, addr) is not None


@pytest.mark.parametrize("is_freed", [False, True])
def test_of_an_overwritten_block_no_stacks_are_told(places: Places, is_freed: bool) -> None:
    addr = allocate(places, 40)
    if is_freed:
        free(places, addr)
    assert describe_address(places, addr).hint == ""
    ctypes.memset(addr - 1, 0xFF, 1)
    found = describe_address(places, addr)
    assert (found.stacks, found.tids) == ((), frozenset())
    assert f"[{addr - 16:#x},{addr:#x}) in front of it has been overwritten" in found.hint
    if not is_freed:
        free(places, addr)
        assert describe_address(places, addr).hint == found.hint


def test_chunks_are_listed_by_address(places: Places) -> None:
    addrs = [allocate(places, size) for size in (5, 5000, 300_000, 5, 64)]
    free(places, addrs[1])
    assert [chunk.begin for chunk in heap_view.live_chunks(places.ctx)] == sorted(
        addr for addr in addrs if addr != addrs[1]
    )


def test_globals_by_nearest(guest: Any) -> None:
    lo = memory_map.GLOBALS_LO + 4096
    table = GlobalTable(lambda: [
        GlobalEntry(lo, 40, "table", "a.c", 3), GlobalEntry(lo + 128, 4, "n", "b.c", 9),
    ])  # fmt: skip
    places = Places(guest.ctx, globals=table)

    def told(addr: int, size: int = 1) -> tuple[str, str, int]:
        found = describe_address(places, addr, size).location
        assert isinstance(found, GlobalVariable)
        return found.name, found.relation, found.distance_bytes

    assert told(lo + 8) == ("table", "inside", 8)
    assert told(lo + 40) == ("table", "after", 0)
    assert told(lo + 38, 4) == ("table", "after", 0)
    assert told(lo + 127) == ("n", "before", 1)
    assert told(lo - 10) == ("table", "before", 10)
    assert isinstance(describe_address(places, lo + 100_000).location, WildAddress)


def test_stack_frames_tell_their_objects(places: Places) -> None:
    frame, text = STACK + 4096, STACK + 512
    ctypes.memmove(text, b"2 32 10 5 buf:7 64 4 1 n\0", 25)
    (ctypes.c_uint64 * 3).from_address(frame)[:] = (MAGIC, text, 77)
    shadow.fill_shadow(places.ctx, frame, 32, 0xF1)
    found = describe_address(places, frame + 42).location
    assert found == StackLocation(
        frame + 42, "T0", 42, Frame(pc=77),
        (StackObject("buf", 32, 42, 7), StackObject("n", 64, 68)), 1,
    )  # fmt: skip
    assert describe_address(places, frame + 8192).location == ThreadStack(frame + 8192, "T0")


@pytest.mark.parametrize("text", ["", "x", "3 1", "1 2 3 4 ab", "2 32 4 1 a"])
def test_damaged_descriptions_end_the_list(text: str) -> None:
    assert len(parse_description(text)) <= 1


def test_thread_local_block_and_wild_addresses(places: Places) -> None:
    assert describe_address(places, STACK + 65536 + 8).location == TlsBlock(STACK + 65544, "T0")
    assert describe_address(places, STACK - 8).location == WildAddress(STACK - 8)
    for addr in (0, 1 << 50, (1 << 64) - 1):
        assert isinstance(describe_address(places, addr).location, WildAddress)
    area = describe_address(places, memory_map.ASAN_SHADOW + 100).location
    assert isinstance(area, WildAddress) and area.area == "low shadow"


def test_damaged_tables_are_not_followed(places: Places) -> None:
    addr = allocate(places, 40)
    for value in (1, 1 << 63, hr.CHUNKS_LO, hr.SPANS_LO + 800):
        ctypes.c_uint64.from_address(hr.UNIT_TABLE + 8).value = value
        assert isinstance(describe_address(places, addr).location, WildAddress)
