"""Rooms of stacks: a slot for most, a run of free units for what needs more, where each ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels.combined import thread_life
from irsan.runtime.kernels.threads import scheduler, stack_rooms
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import FREE, RUNNABLE
from irsan.runtime.records.context import THREAD_DTYPE

UNIT = memory_map.STACK_SLOT_BYTES
BIG = memory_map.BIG_STACKS_LO


@pytest.fixture
def ctx(guest: Any) -> Iterator[Any]:
    guest.main["state"] = RUNNABLE
    guest.ctx["schedule"]["n_runnable"] = guest.ctx["sanitize_thread"] = 0
    yield guest.ctx
    arena.protect(memory_map.STACK_SLOTS_LO, 4 * UNIT, 3)
    arena.protect(BIG, memory_map.STACKS_HI - BIG, 3)


def start(ctx: Any, stack_bytes: int) -> Any:
    addr = int(thread_life.start_thread(ctx, 7, 8, 0, stack_bytes))
    return arena.view_record(addr, THREAD_DTYPE) if addr else None


def end(ctx: Any, thread: Any) -> None:
    scheduler.leave_runnable(ctx, memory_map.slot_to_thread(int(thread["slot"])), FREE)


def room(thread: Any) -> tuple[int, int]:
    return int(thread["stack"]["room_lo"]), int(thread["stack"]["room_hi"])


def test_a_stack_is_as_large_as_asked_for_and_guarded(ctx: Any) -> None:
    small, large = start(ctx, 8 << 20), start(ctx, 1 << 30)
    assert room(small) == (memory_map.STACK_SLOTS_LO + UNIT, memory_map.STACK_SLOTS_LO + 2 * UNIT)
    assert room(large) == (BIG, BIG + (1 << 30) + UNIT)
    lo, hi = int(large["stack"]["lo"]), int(large["stack"]["hi"])
    assert 1 << 30 <= hi - lo < (1 << 30) + 4096 and lo - BIG >= memory_map.MIB
    assert stack_rooms.stack_end(lo) == stack_rooms.stack_end(hi - 1) == BIG + (1 << 30) + UNIT


def test_units_go_to_the_next_one_when_their_thread_is_gone(ctx: Any) -> None:
    first, second = start(ctx, 20 << 20), start(ctx, 20 << 20)
    assert (room(first), room(second)) == ((BIG, BIG + 2 * UNIT), (BIG + 2 * UNIT, BIG + 4 * UNIT))
    end(ctx, first)
    small = start(ctx, 1 << 20)  # in the slot of the first, whose units are free again
    assert (int(small["slot"]), room(small)[0]) == (1, memory_map.STACK_SLOTS_LO + UNIT)
    assert room(start(ctx, 30 << 20)) == (BIG, BIG + 2 * UNIT)
    assert room(start(ctx, 60 << 20)) == (BIG + 4 * UNIT, BIG + 8 * UNIT)
    assert stack_rooms.stack_end(BIG + 20 * UNIT + 5) == BIG + 20 * UNIT + 5  # nobody's


def test_what_the_last_one_left_is_gone(ctx: Any) -> None:
    first = start(ctx, 20 << 20)
    top = int(first["stack"]["hi"]) - 8
    arena.view_words(top, 1)[0] = 77
    end(ctx, first)
    second = start(ctx, 20 << 20)
    assert int(second["stack"]["hi"]) - 8 == top
    assert arena.view_words(top, 1)[0] == 0


def test_without_room_a_thread_is_refused_and_counted(ctx: Any) -> None:
    n_fit = memory_map.N_BIG_UNITS // 65
    threads = [start(ctx, 1 << 30) for _ in range(n_fit)]
    tid = int(ctx["schedule"]["next_tid"])
    assert start(ctx, 1 << 30) is None
    assert int(ctx["refused"]["stacks"]) == 1
    assert (int(ctx["schedule"]["next_tid"]), int(ctx["schedule"]["n_live"])) == (tid, 1 + n_fit)
    end(ctx, threads[3])
    assert room(start(ctx, 1 << 30)) == room(threads[3])


def test_a_large_thread_local_block_takes_a_larger_room(ctx: Any) -> None:
    (
        ctx["thread_locals"]["image"],
        ctx["thread_locals"]["size_bytes"],
        ctx["thread_locals"]["align"],
    ) = memory_map.GLOBALS_LO, 12 << 20, 64
    thread = start(ctx, 8 << 20)
    assert room(thread) == (BIG, BIG + 2 * UNIT)
    assert int(thread["tls"]) == int(thread["stack"]["hi"]) == BIG + 2 * UNIT - (12 << 20)


@pytest.mark.usefixtures("ctx")
def test_the_lowest_page_with_memory() -> None:
    lo, hi = BIG + 64 * UNIT, BIG + 96 * UNIT
    assert stack_rooms.lowest_present(lo, hi) == hi
    arena.view_words(hi - 5 * 4096, 1)[0] = 1
    assert stack_rooms.lowest_present(lo, hi) == hi - 5 * 4096
    arena.discard(lo, hi - lo)
