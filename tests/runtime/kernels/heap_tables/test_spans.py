"""Spans: any order of taking and giving keeps the heap a gapless row of spans, free ones merged."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.heap_tables import spans
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import heap_records as hr

UNIT = hr.UNIT_BYTES
TAKE = st.tuples(st.just("take"), st.integers(1, 40))
GIVE = st.tuples(st.just("give"), st.integers(0, 1 << 20))


def start(ctx: Any) -> Any:
    ctx["heap"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    spans.spans_init(ctx)
    return ctx


def span(at: int) -> tuple[int, int, int]:
    record = arena.view_record(at, hr.SPAN_DTYPE)
    return int(record["lo"]), int(record["size_bytes"]), int(record["kind"])


def row_of_spans(ctx: Any) -> list[tuple[int, int, int]]:
    """All spans by walking the heap; fails when there is a gap."""
    row = []
    addr = memory_map.HEAP_LO + UNIT
    top = memory_map.HEAP_LO + int(ctx["heap"]["units"]) * UNIT
    while addr < top:
        lo, size, kind = span(int(spans.addr_to_span(ctx, addr)))
        assert lo == addr and size > 0
        row.append((lo, size, kind))
        addr += size
    assert addr == top
    return row


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(calls=st.lists(st.one_of(TAKE, GIVE), max_size=60))
def test_spans_tile_the_heap(guest: Any, calls: Any) -> None:
    ctx = start(guest.ctx)
    taken: list[int] = []
    for word, number in calls:
        if word == "take":
            at = int(spans.span_take(ctx, number * UNIT - 5))
            arena.view_record(at, hr.SPAN_DTYPE)["kind"] = hr.LARGE_SPAN
            assert span(at)[1] == number * UNIT
            taken.append(at)
        elif taken:
            spans.span_give(ctx, taken.pop(number % len(taken)))
        row = row_of_spans(ctx)
        assert sorted(span(at)[0] for at in taken) == [
            lo for lo, _, kind in row if kind == hr.LARGE_SPAN
        ]
        kinds = [kind for _, _, kind in row]
        assert all(pair != (hr.FREE_SPAN, hr.FREE_SPAN) for pair in pairwise(kinds))
    for at in taken:
        middle = span(at)[0] + span(at)[1] // 2
        assert int(spans.addr_to_span(ctx, middle)) == at


def test_the_heap_can_be_full(guest: Any) -> None:
    ctx = start(guest.ctx)
    whole = memory_map.HEAP_HI - memory_map.HEAP_LO - UNIT
    assert spans.span_take(ctx, whole + UNIT) == 0
    first = int(spans.span_take(ctx, 1 << 30))
    assert spans.span_take(ctx, whole) == 0
    assert span(first)[1] == 1 << 30


def test_arena_used_follows_the_top(guest: Any) -> None:
    ctx = start(guest.ctx)
    spans.span_take(ctx, 3 * UNIT)
    top = memory_map.HEAP_LO + 4 * UNIT
    assert int(ctx["arena_used"]) == top - memory_map.ARENA_LO
    assert spans.addr_to_span(ctx, top - 1) != 0
    assert spans.addr_to_span(ctx, top) == 0
    assert spans.addr_to_span(ctx, memory_map.HEAP_LO) == 0
