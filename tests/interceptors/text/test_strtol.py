"""Numbers in text: values as the C library's, reads up to the character that ended them."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TEXTS = st.lists(st.sampled_from(" \t+-0123x9fz"), max_size=9).map("".join).map(str.encode)


def naive_extent(text: bytes, base: int) -> int:
    """Bytes that strtol looks at: blanks, sign, prefix, digits and what ended them."""
    libc = ctypes.CDLL(None)
    buffer, end = ctypes.create_string_buffer(text), ctypes.c_void_p()
    libc.strtol(buffer, ctypes.byref(end), base)
    n = (end.value or 0) - ctypes.addressof(buffer)
    if n == 0:
        n = len(text) - len(text.lstrip(b" \t\n\v\f\r"))
        n += text[n : n + 1] in (b"+", b"-")
    return n + 1


def test_strtol_reads_up_to_the_end_of_the_number(shelf: Any) -> None:
    @SETTINGS
    @given(TEXTS, st.sampled_from([0, 8, 10, 16, 36]), st.booleans())
    def run(text: bytes, base: int, wants_end: bool) -> None:
        addr, place = shelf.place(text), shelf.place(bytes(8))
        got = shelf.library.call("strtol", addr, place if wants_end else 0, base)
        libc = ctypes.CDLL(None)
        libc.strtol.restype = ctypes.c_long
        assert got == libc.strtol(ctypes.create_string_buffer(text), None, base)
        extent = naive_extent(text, base)
        found = shelf.finding()
        assert (found is not None) == (extent > len(text))
        if found is not None:
            assert found[:3] == [FaultKind.BAD_ACCESS, addr, extent]

    run()


FLOATS = st.lists(st.sampled_from([*" -+019.exp(a)_n", "inf", "INITY", "nan", "0x"]), max_size=7)


def test_strtod_reads_up_to_the_end_of_the_number(shelf: Any) -> None:
    libc = ctypes.CDLL(None)

    @settings(SETTINGS, max_examples=300)
    @given(FLOATS.map("".join).map(str.encode))
    def run(text: bytes) -> None:
        buffer, end = ctypes.create_string_buffer(text), ctypes.c_void_p()
        libc.strtod(buffer, ctypes.byref(end))
        n_bytes = (end.value or 0) - ctypes.addressof(buffer)
        if n_bytes == 0:
            n_bytes = len(text) - len(text.lstrip(b" "))
            n_bytes += text[n_bytes : n_bytes + 1] in (b"+", b"-")
        addr = shelf.place(text, filler=ord("1"))
        shelf.library.call("atof", addr)
        found = shelf.finding()
        assert (found is not None) == (n_bytes == len(text))
        if found is not None:
            needed = n_bytes + len(ctypes.string_at(addr + n_bytes)) + 1
            assert found[:3] == [FaultKind.BAD_ACCESS, addr, needed]

    run()


@pytest.mark.parametrize("name", ["atoi", "atol", "atoll", "atof", "strtod", "strtof", "strtold"])
def test_a_number_needs_something_after_it(shelf: Any, name: str) -> None:
    more = (0,) if name.startswith("strto") else ()
    assert shelf.library.call(name, shelf.place(b" -12,"), *more) == -12
    assert shelf.finding() is None
    addr = shelf.place(b" -12")
    assert shelf.library.call(name, addr, *more) == -12
    found = shelf.finding()
    assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, addr, 5]


def test_the_end_pointer_is_written(shelf: Any) -> None:
    text = shelf.place(b"12,\0")
    for name, *base in (("strtol", 10), ("strtod",)):
        place = shelf.place(bytes(7))
        shelf.library.call(name, text, place, *base)
        found = shelf.finding()
        assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, place, 8]
        assert found[3] & 1


def test_a_base_that_is_none_reads_nothing(shelf: Any) -> None:
    for base in (1, 37, -1):
        assert shelf.library.call("strtol", shelf.place(b"12"), 0, base) == 0
        assert shelf.finding() is None


def test_a_strict_number_needs_an_end_whatever_the_base(shelf: Any) -> None:
    shelf.ctx["options"][options.STRICT_STRING_CHECKS] = 1
    for name, base in (("strtol", -1), ("strtoull", 1), ("strtoll", 10)):
        text = shelf.place(b"1z ")
        shelf.library.call(name, text, 0, base)
        found = shelf.finding()
        assert found is not None and found[1:3] == [text, 4], name
        shelf.library.call(name, shelf.place(b"1z\0"), 0, base)
        assert shelf.finding() is None, name
