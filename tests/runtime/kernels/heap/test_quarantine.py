"""Quarantine: first in first out, within its budget, poisoned until the block is used again."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.heap import heap, quarantine
from irsan.runtime.layout import options
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view

UNKNOWN = int(heap.UNKNOWN_SIZE)


def start(ctx: Any, budget: int) -> Any:
    options.set_default_options(ctx)
    ctx["options"][options.QUARANTINE_BYTES] = budget
    heap.heap_init(ctx)
    return ctx


def allocate(ctx: Any, size: int) -> int:
    return int(heap.heap_allocate(ctx, size, 0, hr.MALLOC))


def free(ctx: Any, addr: int) -> None:
    assert heap.heap_free(ctx, addr, hr.MALLOC, UNKNOWN, 0) != heap.NOT_FREED


def waiting(ctx: Any) -> list[int]:
    return [chunk.begin for chunk in heap_view.quarantine(ctx)]


def test_the_oldest_leave_first_and_the_budget_is_kept(guest: Any) -> None:
    ctx = start(guest.ctx, 32 * 5)
    addrs = [allocate(ctx, 16) for _ in range(12)]
    for count, addr in enumerate(addrs, 1):
        free(ctx, addr)
        assert waiting(ctx) == addrs[max(0, count - 5) : count]
        assert int(ctx["heap"]["quarantine_used_bytes"]) == 32 * min(count, 5)
        assert int(ctx["heap"]["n_quarantined"]) == min(count, 5)


def test_no_block_is_reused_before_it_left(guest: Any) -> None:
    ctx = start(guest.ctx, 32 * 5)
    for _ in range(50):
        addr = allocate(ctx, 16)
        assert addr not in waiting(ctx)
        free(ctx, addr)


def test_a_chunk_that_left_still_explains_its_late_use(guest: Any) -> None:
    ctx = start(guest.ctx, 0)
    guest.ctx["site"] = 41
    addr = allocate(ctx, 100)
    guest.ctx["site"] = 42
    free(ctx, addr)
    assert waiting(ctx) == []
    assert shadow.is_poisoned(addr)
    chunk = heap_view.addr_to_chunk(ctx, addr)
    assert chunk is not None and chunk.state == hr.AVAILABLE
    assert chunk.alloc_stack != chunk.free_stack != 0


@pytest.mark.parametrize("budget", [0, 1 << 20])
def test_a_chunk_larger_than_the_budget_leaves_at_once(guest: Any, budget: int) -> None:
    ctx = start(guest.ctx, budget)
    small = allocate(ctx, 16)
    free(ctx, small)
    large = allocate(ctx, 3 << 20)
    ctypes.memset(large, 5, 3 << 20)
    free(ctx, large)
    assert waiting(ctx) == []
    assert ctypes.string_at(large, 4096) == bytes(4096)
    assert int(ctx["heap"]["quarantine_used_bytes"]) == 0


def test_chunks_are_let_go_in_order(guest: Any) -> None:
    ctx = start(guest.ctx, 1 << 20)
    addrs = [allocate(ctx, 16) for _ in range(5)]
    for addr in addrs:
        free(ctx, addr)
    for _ in addrs:
        quarantine.quarantine_evict(ctx)
    assert waiting(ctx) == []
    assert [allocate(ctx, 16) for _ in range(5)] == addrs[::-1]
