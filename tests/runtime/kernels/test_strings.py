"""Scanning two strings eight bytes at a time, against one byte at a time."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime import options
from irsan.runtime.kernels import strings
from tests.oracles import strings as naive

TEXTS = st.lists(st.sampled_from(b"aabA\x80\xff"), max_size=40).map(bytes)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 30), st.integers(0, 50))
def test_common_prefix(first: bytes, second: bytes, shared: int, limit: int) -> None:
    start = (b"ab" * 15)[:shared]
    a, b = start + first + b"\0", start + second + b"\0"
    buffers = [ctypes.create_string_buffer(text + bytes(8)) for text in (a, b)]
    addresses = [ctypes.addressof(buffer) for buffer in buffers]
    assert strings.common_prefix(*addresses, limit) == naive.common_prefix(a, b, limit)
    assert strings.common_prefix_nocase(*addresses, limit) == naive.common_prefix(
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
        assert strings.common_prefix(end - size, end - size, 1 << 62) == size - 1
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(end), ctypes.c_size_t(4096), 3)
    del raw


@pytest.mark.parametrize("byte", range(256))
def test_to_lower(byte: int) -> None:
    expected = ord(chr(byte).lower()) if byte < 128 else byte
    assert strings.to_lower(byte) == expected


def test_bytes_read_of_a_bounded_string() -> None:
    text = ctypes.create_string_buffer(b"abc")
    got = [strings.bytes_read_of(ctypes.addressof(text), limit) for limit in range(7)]
    assert got == [0, 1, 2, 3, 4, 4, 4]


def test_reads_are_extended_only_when_strict(guest: Any) -> None:
    options.set_default_options(guest.ctx)
    text = ctypes.create_string_buffer(b"abc")
    guest.ctx["sanitize_thread"] = 0
    for strict, expected in ((0, 1), (1, 4)):
        guest.ctx["options"][options.STRICT_STRING_CHECKS] = strict
        assert not strings.string_read(guest.ctx, ctypes.addressof(text), 1, 0)
        assert int(guest.ctx["fault"][2]) == expected
        guest.ctx["action"] = 0
