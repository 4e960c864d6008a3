"""Wide strings: lengths and sizes count characters, findings count bytes."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.layout.faults import FaultKind


def wide(text: str) -> bytes:
    return text.encode("utf-32-le")


def test_lengths(shelf: Any) -> None:
    text, open_text = shelf.place(wide("abc\0")), shelf.place(wide("abc"))
    assert shelf.library.call("wcslen", text) == 3
    assert shelf.library.call("wcsnlen", open_text, 3) == 3
    assert shelf.library.call("wcschr", open_text, ord("c")) == open_text + 8
    assert shelf.finding() is None
    for name, *more in (("wcslen",), ("wcsnlen", 4), ("wcschr", ord("x"))):
        shelf.library.call(name, open_text, *more)
        found = shelf.finding()
        assert found is not None, name
        assert found[:3] + found[6:7] == [FaultKind.BAD_ACCESS, open_text, 16, open_text + 12]


@pytest.mark.parametrize(
    ("name", "sizes", "n_bytes"),
    [
        ("wcscpy", (), 16),
        ("wcpcpy", (), 16),
        ("wcsncpy", (5,), 20),
        ("wcpncpy", (2,), 8),
        ("wmemcpy", (3,), 12),
        ("wmempcpy", (4,), 16),
        ("wmemmove", (2,), 8),
    ],
)
def test_copies_write_so_many_bytes(shelf: Any, name: str, sizes: tuple[int], n_bytes: int) -> None:
    source = shelf.place(wide("abc\0"))
    exact, short = shelf.place(bytes(n_bytes)), shelf.place(bytes(n_bytes - 4))
    shelf.library.call(name, exact, source, *sizes)
    assert shelf.finding() is None
    copied = wide("abc\0")[: min(n_bytes, 16)]
    assert ctypes.string_at(exact, len(copied)) == copied
    shelf.library.call(name, short, source, *sizes)
    found = shelf.finding()
    assert found is not None
    assert found[:3] + found[6:7] == [FaultKind.BAD_ACCESS, short, n_bytes, short + n_bytes - 4]


def test_appending(shelf: Any) -> None:
    more = shelf.place(wide("cd\0"))
    for name, limit in (("wcscat", ()), ("wcsncat", (1,))):
        n_copied = limit[0] if limit else 2
        room = shelf.place(wide("ab\0" + "#" * n_copied))
        shelf.library.call(name, room, more, *limit)
        assert shelf.finding() is None
        assert ctypes.wstring_at(room) == "ab" + "cd"[:n_copied]
        short = shelf.place(wide("ab\0"))
        shelf.library.call(name, short, more, *limit)
        assert shelf.finding() is not None


def test_filling_and_sizes_that_are_none(shelf: Any) -> None:
    block = shelf.place(bytes(12))
    shelf.library.call("wmemset", block, 7, 3)
    assert ctypes.string_at(block, 12) == bytes([7, 0, 0, 0]) * 3 and shelf.finding() is None
    shelf.library.call("wmemset", block, 7, 1 << 62)
    found = shelf.finding()
    assert found is not None and found[0] == FaultKind.NEGATIVE_SIZE


def test_overlap(shelf: Any) -> None:
    block = shelf.place(wide("abcd\0"))
    shelf.library.call("wcscpy", block + 4, block)
    found = shelf.finding()
    assert found is not None and found[0] == FaultKind.PARAM_OVERLAP


def test_comparisons_read_up_to_what_decides(shelf: Any) -> None:
    open_text, other = shelf.place(wide("abc")), shelf.place(wide("aBd\0"))
    for name, limit in (("wcscmp", ()), ("wcsncmp", (9,)), ("wcsncasecmp", (3,))):
        shelf.library.call(name, open_text, other, *limit)
        assert shelf.finding() is None, name
    assert shelf.library.call("wcsncasecmp", open_text, other, 2) == 0
    same = shelf.place(wide("abc\0"))
    for name, limit in (("wcscmp", ()), ("wcsncmp", (4,)), ("wcscasecmp", ()), ("wcscoll", ())):
        shelf.library.call(name, same, open_text, *limit)
        found = shelf.finding()
        assert found is not None and found[6] == open_text + 12, name


@pytest.mark.parametrize(
    ("name", "second", "n_bytes"),
    [
        ("wcsstr", "b\0", 8), ("wcsstr", "x\0", 16), ("wcspbrk", "zc\0", 12),
        ("wcspbrk", "z\0", 16), ("wcsspn", "ab\0", 12), ("wcscspn", "b\0", 8),
    ],
)  # fmt: skip
def test_searches_read_up_to_what_they_find(
    shelf: Any, name: str, second: str, n_bytes: int
) -> None:
    text = shelf.place(wide("abc\0")[:n_bytes])
    shelf.library.call(name, text, shelf.place(wide(second)))
    assert shelf.finding() is None
    shelf.library.call(name, shelf.place(wide("abc")), shelf.place(wide(second)))
    assert (shelf.finding() is not None) is (n_bytes == 16)
    shelf.library.call(name, text, shelf.place(wide(second)[:-4]))
    assert shelf.finding() is not None


def test_the_rest_of_the_wide_functions(shelf: Any) -> None:
    text, open_text = shelf.place(wide("12 b\0")), shelf.place(wide("12"))
    end, call = shelf.place(bytes(8)), shelf.library.call
    assert call("wcsrchr", text, ord("b")) == text + 12
    assert call("wmemchr", open_text, ord("2"), 9) == open_text + 4
    assert call("wmemcmp", text, open_text, 2) == 0
    assert call("wcstol", text, end, 10) == 12
    assert call("wcstod", text, end) == 12.0
    copy = call("wcsdup", text)
    assert ctypes.wstring_at(copy) == "12 b" and shelf.finding() is None
    place, blank = shelf.place(bytes(8)), shelf.place(wide(" \0"))
    assert call("wcstok", copy, blank, place) == copy and shelf.finding() is None
    for name, *arguments in (
        ("wcsrchr", open_text, ord("b")), ("wmemchr", open_text, ord("9"), 3),
        ("wmemcmp", open_text, text, 3), ("wcstol", open_text, end, 10), ("wcsdup", open_text),
        ("wcstod", open_text, end), ("wcstok", text, open_text, place),
        ("wcstok", text, blank, shelf.place(bytes(7))),
    ):  # fmt: skip
        call(name, *arguments)
        assert shelf.finding() is not None, name
