"""scanf: what it assigned is checked, and nothing else; against a naive reader of formats."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.interceptors.memory.malloc import i_free
from tests.interceptors.text.test_printf import SETTINGS, va_list
from tests.oracles.scan_formats import Written, objects_written


@dataclass(frozen=True, slots=True)
class Item:
    """A conversion, a text that it takes, the bytes that it then writes; 0: no argument."""

    form: str
    text: str
    n_bytes: int


def numbers() -> st.SearchStrategy[Item]:
    lengths = st.sampled_from([("", 4), ("hh", 1), ("h", 2), ("l", 8), ("ll", 8), ("j", 8),
                               ("z", 8), ("t", 8), ("q", 8), ("L", 8)])  # fmt: skip
    return st.builds(
        lambda size, letter, width: Item(f"%{width}{size[0]}{letter}", "17", size[1]),
        lengths, st.sampled_from("diuxo"), st.sampled_from(["", "2", "9", "'"]),
    )  # fmt: skip


def texts() -> st.SearchStrategy[Item]:
    words = st.text("ab", min_size=1, max_size=6)
    sets = st.sampled_from(["[ab]", "[^ ]", "[]ab]", "[a-b]"])
    return st.one_of(
        st.builds(lambda word: Item("%s", word, len(word) + 1), words),
        st.builds(lambda word: Item("%9s", word, len(word) + 1), words),
        st.builds(lambda word, of: Item(f"%8{of}", word, len(word) + 1), words, sets),
        st.builds(lambda word: Item("%ls", word, 4 * len(word) + 4), words),
        st.builds(lambda word: Item(f"%{len(word)}c", word, len(word)), words),
        st.just(Item("%c", "a", 1)),
    )


def others() -> st.SearchStrategy[Item]:
    floats = [("%f", 4), ("%lf", 8), ("%Lg", 16), ("%a", 4)]
    return st.one_of(
        st.sampled_from([Item(form, "1.5", n_bytes) for form, n_bytes in floats]),
        st.just(Item("%p", "0x10", 8)),
        st.just(Item("%*d", "5", 0)),
        st.just(Item("%*[a]", "aa", 0)),
        st.just(Item("%%", "%", 0)),
        st.just(Item(":", ":", 0)),
    )


ITEMS = st.lists(st.one_of(numbers(), texts(), others()), max_size=9)


def scan(shelf: Any, text: str, form: str, targets: list[int]) -> Any:
    arguments = va_list(shelf, targets)
    source, format_at = shelf.place(text.encode() + b"\0"), shelf.place(form.encode() + b"\0")
    return shelf.library.call("__isoc99_vsscanf", source, format_at, arguments)


def test_objects_of_the_exact_sizes_are_enough(shelf: Any) -> None:
    @SETTINGS
    @given(ITEMS)
    def run(items: list[Item]) -> None:
        wanted = [item for item in items if item.n_bytes]
        targets = [shelf.place(bytes(item.n_bytes)) for item in wanted]
        form, text = " ".join(i.form for i in items), " ".join(i.text for i in items)
        n_assigned = scan(shelf, text, form, targets)
        assert shelf.finding() is None
        assert n_assigned == len(wanted) or not items or n_assigned == -1

    run()


def test_the_one_short_object_is_found(shelf: Any) -> None:
    @SETTINGS
    @given(ITEMS, ITEMS, st.one_of(numbers(), texts()))
    def run(before: list[Item], after: list[Item], victim: Item) -> None:
        items = [*before, victim, *after]
        targets = []
        for item in items:
            if item.n_bytes:
                n_bytes = item.n_bytes - (item is victim)
                targets.append(shelf.place(bytes(max(n_bytes, 1))))
                if n_bytes == 0:
                    i_free(shelf.ctx, targets[-1])
        short = targets[sum(item.n_bytes > 0 for item in before)]
        scan(shelf, " ".join(i.text for i in items), " ".join(i.form for i in items), targets)
        found = shelf.finding()
        assert found is not None and found[1:3] == [short, victim.n_bytes] and found[3] & 1

    run()


FORMS = st.lists(
    st.sampled_from(["%d", "%n", "%*d", "%s", "%3c", " ", "x", "%%", "%ln", "%[^]x]", "%hhd"]),
    max_size=7,
)


def test_what_is_written_against_the_naive_reader(shelf: Any) -> None:
    """The addresses that the walk looks at are those of the naive one: each is freed in turn."""

    @SETTINGS
    @given(FORMS, st.integers(-1, 6))
    def run(pieces: list[str], n_assigned: int) -> None:
        from irsan.runtime.kernels.text.scan_formats import format_written

        form = "".join(pieces)
        expected = objects_written(form, n_assigned)
        for argument in range(form.count("%")):
            targets = [shelf.place(b"ab\0" + bytes(13)) for _ in range(form.count("%"))]
            i_free(shelf.ctx, targets[argument])
            arguments, at = va_list(shelf, targets), shelf.place(form.encode() + b"\0")
            format_written(shelf.ctx, at, arguments, n_assigned, 1, False)
            is_found = shelf.finding() is not None
            assert is_found is any(each.argument == argument for each in expected)

    run()


def test_the_naive_reader() -> None:
    assert objects_written("%d %n", 1) == [Written(0, "d", 4), Written(1, "n", 4)]
    assert objects_written("%d,%n", 1) == [Written(0, "d", 4)]
    assert objects_written("%*d%hd", 0) == []


@pytest.mark.parametrize(("prefix", "is_float"), [("", False), ("__isoc99_", True)])
def test_an_a_allocates_or_is_a_number(shelf: Any, prefix: str, is_float: bool) -> None:
    place = shelf.place(bytes(8))
    form, text = shelf.place(b"%as\0"), shelf.place(b"12s\0")
    call = shelf.library.call
    assert call(f"{prefix}vsscanf", text, form, va_list(shelf, [place])) == 1
    assert shelf.finding() is None
    block = ctypes.c_uint64.from_address(place).value
    assert (block & 0xFFFF_FFFF == 0x4140_0000) is is_float
    if not is_float:
        assert ctypes.string_at(block) == b"12s"
        i_free(shelf.ctx, block)
        i_free(shelf.ctx, block)
        assert shelf.finding() is not None


@pytest.mark.parametrize("form", ["%ms", "%mc", "%3ms", "%m[ab]", "%mls", "%mS"])
def test_made_texts_are_of_our_heap(shelf: Any, form: str) -> None:
    place = shelf.place(bytes(8))
    assert scan(shelf, "aba", form, [place]) == 1
    block = ctypes.c_uint64.from_address(place).value
    assert ctypes.string_at(block, 1) == b"a"
    i_free(shelf.ctx, block)
    assert shelf.finding() is None
    i_free(shelf.ctx, block)
    assert shelf.finding() is not None


def test_format_and_text_are_read(shelf: Any) -> None:
    target, arguments = shelf.place(bytes(4)), va_list(shelf, [0])
    for text, form in ((b"1", b"%d\0"), (b"1\0", b"%d")):
        arguments = va_list(shelf, [target])
        shelf.library.call("vsscanf", shelf.place(text), shelf.place(form), arguments)
        found = shelf.finding()
        assert found is not None and not found[3] & 1


def test_wide_formats(shelf: Any) -> None:
    wide = [shelf.place(text.encode("utf-32-le")) for text in ("7 abc\0", "%d %3s\0")]
    number, word = shelf.place(bytes(4)), shelf.place(bytes(4))
    assert shelf.library.call("vswscanf", *wide, va_list(shelf, [number, word])) == 2
    assert shelf.finding() is None and ctypes.string_at(word) == b"abc"
    shelf.library.call("vswscanf", *wide, va_list(shelf, [number, shelf.place(bytes(3))]))
    assert shelf.finding() is not None
