"""Birth and end of threads: slots, stacks with guards, thread-local blocks, the first frame."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.combined import thread_life
from irsan.runtime.kernels.race import access
from irsan.runtime.kernels.race.thread_clocks import thread_fork
from irsan.runtime.kernels.threads import scheduler, switching
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.thread_states import FINISHED, FREE, RUNNABLE
from irsan.runtime.views import mappings
from tests.support.green import SCRATCH, GreenGuest, idle_body, slot_to_addr, view_thread

STACK_BYTES = 64 << 10
IMAGE = SCRATCH


@pytest.fixture
def ctx(guest: Any) -> Iterator[Any]:
    """A guest whose main thread is in the runnable list."""
    green = GreenGuest(guest.ctx)
    green.start(idle_body())
    yield guest.ctx
    green.close()


def start(ctx: Any, is_detached: int = 0) -> Any:
    return view_thread(int(thread_life.start_thread(ctx, 7, 8, is_detached, STACK_BYTES)))


def is_accessible(addr: int) -> bool:
    for line in Path("/proc/self/maps").read_text().splitlines():
        bounds, permissions = line.split()[:2]
        lo, hi = (int(text, 16) for text in bounds.split("-"))
        if lo <= addr < hi:
            return permissions.startswith("rw")
    return False


def test_a_started_thread_waits_for_its_turn(ctx: Any) -> None:
    child = start(ctx)
    assert (child["state"], child["tid"], child["slot"], child["parent_tid"]) == (RUNNABLE, 1, 1, 0)
    assert (child["start_routine"], child["argument"]) == (7, 8)
    assert (
        ctx["schedule"]["n_live"],
        ctx["schedule"]["n_threads"],
        ctx["schedule"]["n_runnable"],
    ) == (2, 2, 2)
    assert ctx["fuel"] == 0


def test_a_stack_has_its_size_and_a_guard_below(ctx: Any) -> None:
    child = start(ctx)
    lo, hi = int(child["stack"]["lo"]), int(child["stack"]["hi"])
    slot_lo = memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES
    assert STACK_BYTES <= hi - lo < STACK_BYTES + 4096
    assert slot_lo < lo < hi == slot_lo + memory_map.STACK_SLOT_BYTES
    assert is_accessible(lo) and is_accessible(hi - 1)
    assert not is_accessible(lo - 1) and not is_accessible(slot_lo)


@pytest.mark.parametrize(("size", "align"), [(1, 1), (100, 64), (4096, 4096), (70_000, 16)])
def test_a_thread_local_block_is_a_copy_of_the_image(ctx: Any, size: int, align: int) -> None:
    raw = bytes(range(1, 252)) * (size // 251 + 1)
    ctypes.memmove(IMAGE, raw, size)
    (
        ctx["thread_locals"]["image"],
        ctx["thread_locals"]["size_bytes"],
        ctx["thread_locals"]["align"],
    ) = IMAGE, size, align
    blocks = [int(start(ctx)["tls"]) for _ in range(2)]
    for block in blocks:
        assert block % max(align, 64) == 0
        assert ctypes.string_at(block, size) == raw[:size]
    ctypes.memset(blocks[0], 0, size)
    assert ctypes.string_at(blocks[1], size) == raw[:size]
    assert view_thread(slot_to_addr(1))["stack"]["hi"] == blocks[0]


def test_the_first_frame_is_what_a_switch_expects(ctx: Any) -> None:
    ctx["entry_points"] = (0x1111, 0x2222, 0)
    child = start(ctx)
    sp = int(child["sp"])
    words = arena.view_words(sp, 10).tolist()
    assert sp % 16 == 0 and sp + 80 <= child["stack"]["hi"]
    assert words == [0x037F_0000_1F80, 0, 0, 0, 0, 0x2222, 0, 0x1111, 0, 0]


def test_a_reused_slot_has_forgotten_its_last_thread(ctx: Any) -> None:
    child = start(ctx)
    lo = int(child["stack"]["lo"])
    ctx["sanitize_address"] = 1
    shadow.poison_range(ctx, lo, 64, 0xF1)
    child["name"][0] = 5
    scheduler.leave_runnable(ctx, slot_to_addr(1), FREE)
    again = start(ctx)
    assert (again["slot"], again["tid"], again["name"][0]) == (1, 2, 0)
    assert not shadow.is_poisoned(lo)


def test_a_thread_without_room_in_the_race_detector_was_never_there(ctx: Any) -> None:
    start(ctx)
    thread_life.cancel_start(ctx, slot_to_addr(1))
    assert view_thread(slot_to_addr(1))["state"] == FREE
    assert (ctx["schedule"]["n_live"], ctx["schedule"]["n_runnable"]) == (1, 1)
    assert start(ctx)["slot"] == 1


def test_an_end_says_whether_it_was_the_last(ctx: Any) -> None:
    child, detached = start(ctx), start(ctx, is_detached=1)
    for record, state in ((child, FINISHED), (detached, FREE)):
        switching.switch_threads(ctx, slot_to_addr(int(record["slot"])))
        assert not thread_life.end_thread(ctx)
        assert record["state"] == state
    switching.switch_threads(ctx, slot_to_addr(0))
    assert thread_life.end_thread(ctx)
    assert ctx["schedule"]["n_runnable"] == 0


def test_slots_run_out(ctx: Any) -> None:
    ctx["schedule"]["n_threads"] = memory_map.MAX_LIVE_THREADS
    records = arena.view_bytes(
        memory_map.THREADS, memory_map.MAX_LIVE_THREADS * memory_map.THREAD_STRIDE
    )
    states = records.view("u8").reshape(memory_map.MAX_LIVE_THREADS, -1)
    states[:, view_thread(slot_to_addr(0)).dtype.fields["state"][1] // 8] = RUNNABLE
    assert thread_life.start_thread(ctx, 7, 8, 0, STACK_BYTES) == 0
    ctx["schedule"]["n_threads"] = 1


def test_the_stack_of_an_ended_thread_races_with_nobody(ctx: Any) -> None:
    """Two threads of one slot that know nothing of each other."""
    mappings.refresh_mappings(ctx)
    ctx["sanitize_thread"] = 1
    for _ in range(2):
        child = start(ctx, is_detached=1)
        assert thread_fork(ctx, slot_to_addr(1))
        switching.switch_threads(ctx, slot_to_addr(1))
        access.race_access_slow(ctx, int(child["stack"]["lo"]), 8, 1)
        assert ctx["action"] == 0
        thread_life.end_thread(ctx)
        switching.switch_threads(ctx, slot_to_addr(0))


def test_a_fresh_stack_holds_the_pattern_as_deep_as_is_asked_for_and_zeros_below(ctx: Any) -> None:
    """One that is used again holds what the last thread has left, as natively."""
    options.set_default_options(ctx)
    n_bytes = int(ctx["options"][options.MAX_STACK_FILL_BYTES])
    child = start(ctx)
    lo, hi = int(child["stack"]["lo"]), int(child["stack"]["hi"])
    upper, lower = arena.view_bytes(hi - n_bytes, n_bytes), arena.view_bytes(lo, hi - lo - n_bytes)
    assert (upper[:-256] == ctx["options"][options.STACK_FILL_BYTE]).all()
    assert len(lower) and not lower.any()
    lower[5] = 7
    scheduler.leave_runnable(ctx, slot_to_addr(1), FREE)
    assert int(start(ctx)["stack"]["lo"]) == lo and lower[5] == 7
