"""Rows of memory in reports: the program's bytes, nothing of the host's."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.reports.model.memory import HIDDEN, ROW_BYTES
from irsan.reports.model.report import Access, Finding
from irsan.runtime.diagnosis.memory_rows import N_ROWS_AROUND, dump, memory_around
from irsan.runtime.kernels.heap import heap
from irsan.runtime.layout import memory_map, options
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from tests.conftest import fresh_guest

AT = memory_map.HEAP_LO + 0x1000


def finding(address: int, size: int = 4) -> Finding:
    access = Access("read", size, address)
    return Finding("AddressSanitizer", "heap-use-after-free", access=access)


def test_rows_lie_around_the_access() -> None:
    fresh_guest()
    ctypes.memmove(AT, bytes(range(64)), 64)
    found = memory_around(finding(AT + 20))
    assert found is not None
    assert (found.lo, found.hi) == (AT + 20, AT + 24)
    middle = found.rows[N_ROWS_AROUND]
    assert middle.address == AT + ROW_BYTES
    assert middle.bytes == " ".join(f"{n:02x}" for n in range(16, 32))
    assert len(found.rows) == 2 * N_ROWS_AROUND + 1


def test_addresses_of_the_host_are_hidden() -> None:
    fresh_guest()
    words = (ctypes.c_uint64 * 2).from_address(AT)
    words[0], words[1] = 0x7F12_3456_7890, 0x1122
    row = memory_around(finding(AT))
    assert row is not None
    assert row.rows[N_ROWS_AROUND].bytes == " ".join([*[HIDDEN] * 8, "22 11 00 00 00 00 00 00"])


def test_what_cannot_be_read_is_hidden() -> None:
    assert dump(16, 20) is None


def test_the_environment_and_foreign_memory_are_not_shown() -> None:
    fresh_guest()
    assert memory_around(finding(memory_map.START_LO + 64)) is None
    assert memory_around(finding(0x7FFF_0000_0000)) is None
    assert memory_around(Finding("LeakSanitizer", "direct-leak")) is None


def test_what_irsan_keeps_in_front_of_a_block_is_hidden_unless_it_was_overwritten() -> None:
    ctx = fresh_guest().ctx
    options.set_default_options(ctx)
    heap.heap_init(ctx)
    addr = int(heap.heap_allocate(ctx, 200, 0, hr.MALLOC))
    lo = addr - 64
    rows = {place: _row_at(ctx, addr, place) for place in (lo, lo + ROW_BYTES, addr)}
    zeroes = " ".join(["00"] * ROW_BYTES)
    assert rows[lo] == " ".join([HIDDEN] * ROW_BYTES) and rows[lo + ROW_BYTES] == zeroes
    assert HIDDEN not in rows[addr]
    ctypes.memset(lo, 0x41, 16)
    assert _row_at(ctx, addr, lo) == " ".join(["41"] * ROW_BYTES)


def _row_at(ctx: Any, addr: int, place: int) -> str:
    found = memory_around(
        finding(addr - 16), is_own=lambda address: heap_view.are_facts_at(ctx, address)
    )
    assert found is not None
    return next(row.bytes for row in found.rows if row.address == place)
