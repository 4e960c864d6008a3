"""Hints about pages: pages are made without being written; a refusal leaves no trace."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.kernels import page_hints
from irsan.runtime.layout import memory_map
from tests.support.present_pages import PAGE_BYTES, count_present

LO = memory_map.RACE_SHADOW
N_PAGES = 16


def test_pages_are_made_and_read_as_zero(guest: Any) -> None:
    size_bytes = N_PAGES * PAGE_BYTES
    assert count_present(LO, size_bytes) == 0
    page_hints.hint_pages(guest.ctx, LO, size_bytes, page_hints.PRESENT)
    if count_present(LO, size_bytes) == 0:
        pytest.skip("the system cannot make pages beforehand")
    assert count_present(LO, size_bytes) == N_PAGES
    assert ctypes.string_at(LO, size_bytes) == bytes(size_bytes)


def test_a_refusal_is_not_seen_in_errno(guest: Any) -> None:
    errno = ctypes.c_int(7)
    guest.ctx["c_library"]["errno_addr"] = ctypes.addressof(errno)
    page_hints.hint_pages(guest.ctx, LO + 1, PAGE_BYTES, page_hints.HUGE)
    assert errno.value == 7
    guest.ctx["c_library"]["errno_addr"] = 0
    page_hints.hint_pages(guest.ctx, LO + 1, PAGE_BYTES, page_hints.HUGE)
