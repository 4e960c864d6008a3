"""Scanning two strings eight bytes at a time, against one byte at a time."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.text import string_scans as scans
from irsan.runtime.layout import options
from tests.oracles import strings as naive

TEXTS = st.lists(st.sampled_from(b"aabA\x80\xff"), max_size=40).map(bytes)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 30), st.integers(0, 50))
def test_common_prefix(first: bytes, second: bytes, shared: int, limit: int) -> None:
    start = (b"ab" * 15)[:shared]
    a, b = start + first + b"\0", start + second + b"\0"
    buffers = [ctypes.create_string_buffer(text + bytes(8)) for text in (a, b)]
    addresses = [ctypes.addressof(buffer) for buffer in buffers]
    assert scans.common_prefix(*addresses, limit) == naive.common_prefix(a, b, limit)
    assert scans.common_prefix_nocase(*addresses, limit) == naive.common_prefix(
        _folded(a), _folded(b), limit
    )


def _folded(text: bytes) -> bytes:
    return text.replace(b"A", b"a")


def test_nothing_is_read_beyond_a_page() -> None:
    area = mmap.mmap(-1, 3 * 4096)
    raw = ctypes.c_char.from_buffer(area)
    end = ctypes.addressof(raw) + 2 * 4096
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(end), ctypes.c_size_t(4096), 0)
    for size in range(1, 20):
        ctypes.memset(end - size, ord("x"), size - 1)
        ctypes.memset(end - 1, 0, 1)
        assert scans.common_prefix(end - size, end - size, 1 << 62) == size - 1
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(end), ctypes.c_size_t(4096), 3)
    del raw


@pytest.mark.parametrize("byte", range(256))
def test_to_lower(byte: int) -> None:
    expected = ord(chr(byte).lower()) if byte < 128 else byte
    assert scans.to_lower(byte) == expected


def test_a_scan_ends_at_the_first_bad_byte(guest: Any) -> None:
    """Lengths around the sizes of the pieces, with the end, without it, and with a limit."""
    from irsan.runtime.kernels.heap.heap import heap_allocate, heap_init
    from irsan.runtime.records.memory import heap_records as hr

    options.set_default_options(guest.ctx)
    guest.ctx["sanitize_address"] = 1
    heap_init(guest.ctx)
    for size in (1, 7, 8, 63, 64, 65, 191, 192, 1000, 70_000, 200_000):
        addr = int(heap_allocate(guest.ctx, size, 0, hr.MALLOC))
        ctypes.memset(addr, ord("x"), size + 16)
        assert scans.string_length(guest.ctx, addr) == size
        assert scans.string_length_within(guest.ctx, addr, size // 2) == size // 2
        assert scans.bytes_before(guest.ctx, addr, ord("y")) == size
        ctypes.memset(addr + size - 1, 0, 1)
        assert scans.string_length(guest.ctx, addr) == size - 1
        assert scans.bytes_before(guest.ctx, addr, ord("x")) == min(0, size - 1)
        assert scans.compared_bytes(guest.ctx, addr, addr, 1 << 60, False) == size - 1
