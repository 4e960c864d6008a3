"""Bytes around an address, as notes show them."""

from __future__ import annotations

import ctypes

import pytest

from irsan.runtime.diagnosis.memory_snippet import (
    UNREADABLE,
    MarkedRange,
    read_memory,
    snippet_lines,
)


@pytest.fixture
def block() -> int:
    """Address of 64 bytes that count up, at a multiple of 64."""
    raw = ctypes.create_string_buffer(128)
    at = (ctypes.addressof(raw) + 63) & ~63
    ctypes.memmove(at, bytes(range(64)), 64)
    KEPT.append(raw)
    return at


KEPT: list[object] = []


def test_32_bytes_from_4_before_with_a_caret_below(block: int) -> None:
    shown, caret = snippet_lines(block + 13)
    assert shown.split() == [f"{n:02x}" for n in range(9, 41)]
    assert shown.startswith(" 09 0a 0b 0c 0d 0e 0f  10 11")
    assert shown[caret.index("^") :].startswith("0d")


def test_a_named_range_is_underlined(block: int) -> None:
    shown, below, name = snippet_lines(block + 16, MarkedRange(block + 16, block + 24, "vptr"))
    start = below.index("^")
    assert shown[start:].startswith("10 11")
    assert below[start:] == "^" + "~" * (3 * 8 - 2)
    assert name == " " * start + "vptr"


def test_memory_that_is_not_there() -> None:
    assert snippet_lines(8) == [UNREADABLE]
    assert read_memory(1 << 62, 8) is None
