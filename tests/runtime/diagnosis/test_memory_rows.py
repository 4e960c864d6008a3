"""Rows of memory in reports: the program's bytes, nothing of the host's."""

from __future__ import annotations

import ctypes

from irsan.reports.model.memory import HIDDEN, ROW_BYTES
from irsan.reports.model.report import Access, Finding
from irsan.runtime.diagnosis.memory_rows import N_ROWS_AROUND, dump, memory_around
from irsan.runtime.layout import memory_map
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
