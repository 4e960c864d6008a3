"""printf: the va_list is walked as the library walks it, strings and targets are checked."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.memory.malloc import i_free
from irsan.runtime.kernels.text import formats
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One conversion with its arguments: ints, floats, texts (to be placed) or long doubles."""

    form: str
    values: tuple[Any, ...]


class LongDouble(float):
    """Takes 16 bytes of the overflow area."""


PIECES = st.one_of(
    st.builds(lambda n: Piece("%d ", (n,)), st.integers(-(1 << 31), (1 << 31) - 1)),
    st.builds(lambda n: Piece("%lx ", (n,)), st.integers(0, (1 << 64) - 1)),
    st.builds(lambda x: Piece("%.3f ", (x,)), st.floats(-100, 100)),
    st.builds(lambda x: Piece("%.2Lf ", (LongDouble(x),)), st.integers(-99, 99)),
    st.builds(lambda t: Piece("%s ", (t.encode(),)), st.text("abc%", max_size=9)),
    st.builds(
        lambda t, n: Piece("%.*s ", (n, t.encode())), st.text("ab", max_size=9), st.integers(0, 5)
    ),
    st.builds(lambda t, n: Piece(f"%-5.{n}s", (t.encode(),)), st.text("ab"), st.integers(0, 5)),
    st.just(Piece("100%% ", ())),
    st.builds(lambda w, c: Piece("%+*c ", (w, c)), st.integers(0, 4), st.integers(65, 90)),
)


def expected_text(piece: Piece) -> str:
    values = [v.decode() if isinstance(v, bytes) else v for v in piece.values]
    form = piece.form.replace("L", "").replace("+*c", "*c")
    return form % tuple(values)


def va_list(shelf: Any, values: list[Any]) -> int:
    """Address of a va_list in the guest's memory, as the x86-64 ABI has it."""
    general, vector, overflow = bytearray(), bytearray(), bytearray()
    for value in values:
        if isinstance(value, LongDouble):
            overflow += bytes(-len(overflow) % 16) + bytes(ctypes.c_longdouble(value))
        elif isinstance(value, float):
            raw = struct.pack("<d", value)
            if len(vector) < 128:
                vector += raw + bytes(8)
            else:
                overflow += raw
        elif len(general) < 48:
            general += struct.pack("<Q", value & ((1 << 64) - 1))
        else:
            overflow += struct.pack("<Q", value & ((1 << 64) - 1))
    registers = shelf.place(bytes(general.ljust(48, b"\0") + vector.ljust(128, b"\0")))
    area = shelf.place(bytes(overflow).ljust(16, b"\0"))
    return int(shelf.place(struct.pack("<IIQQ", 0, 48, area, registers)))


def placed(shelf: Any, values: list[Any], ends_texts: bool = True) -> list[Any]:
    end = b"\0" if ends_texts else b""
    return [shelf.place(v + end) if isinstance(v, bytes) else v for v in values]


def test_all_arguments_are_found(shelf: Any) -> None:
    @SETTINGS
    @given(st.lists(PIECES, max_size=16))
    def run(pieces: list[Piece]) -> None:
        form = shelf.place("".join(p.form for p in pieces).encode() + b"\0")
        values = placed(shelf, [v for p in pieces for v in p.values])
        wanted = "".join(expected_text(p) for p in pieces)
        target = shelf.place(bytes(len(wanted) + 1))
        arguments = va_list(shelf, values)
        got = shelf.library.call("vsnprintf", target, len(wanted) + 1, form, arguments)
        assert ctypes.string_at(target).decode() == wanted and got == len(wanted)
        assert shelf.finding() is None

    run()


def test_the_one_bad_text_is_found(shelf: Any) -> None:
    @SETTINGS
    @given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=3))
    def run(before: list[Piece], after: list[Piece]) -> None:
        form = "".join(p.form for p in before) + "%s" + "".join(p.form for p in after)
        victim = shelf.place(b"gone\0")
        i_free(shelf.ctx, victim)
        values = placed(shelf, [v for p in before for v in p.values])
        values += [victim, *placed(shelf, [v for p in after for v in p.values])]
        formats.format_read(shelf.ctx, shelf.place(form.encode() + b"\0"), va_list(shelf, values))
        found = shelf.finding()
        assert found is not None and found[6] == victim

    run()


@pytest.mark.parametrize(
    ("form", "text", "is_bad"),
    [
        ("%s", b"abc", True),
        ("%.3s", b"abc", False),
        ("%.4s", b"abc", True),
        ("%.9s", b"ab\0", False),
        ("%10.2s", b"ab", False),
        ("%ls", b"a\0\0\0", True),
        ("%.1ls", b"a\0\0\0", False),
        ("%S", b"a\0\0\0\0\0\0\0", False),
        ("%p", b"", False),
        ("%1$s", b"", False),
    ],
)
def test_how_much_of_a_text_is_read(shelf: Any, form: str, text: bytes, is_bad: bool) -> None:
    arguments = va_list(shelf, [shelf.place(text)])
    formats.format_read(shelf.ctx, shelf.place(form.encode() + b"\0"), arguments)
    assert (shelf.finding() is not None) is is_bad


@pytest.mark.parametrize(("form", "size"), [("%n", 4), ("%ln", 8), ("%hn", 2), ("%hhn", 1)])
def test_a_count_is_written(shelf: Any, form: str, size: int) -> None:
    text = shelf.place(form.encode() + b"\0")
    formats.format_read(shelf.ctx, text, va_list(shelf, [shelf.place(bytes(size))]))
    assert shelf.finding() is None
    short = shelf.place(bytes(size) if size == 1 else bytes(size - 1))
    i_free(shelf.ctx, short)
    formats.format_read(shelf.ctx, text, va_list(shelf, [short]))
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, size] and found[3] & 1


def test_format_and_arguments_can_be_left_unchecked(shelf: Any) -> None:
    arguments = va_list(shelf, [shelf.place(b"abc")])
    for form in (b"%s\0", b"%s"):
        shelf.ctx["options"][options.CHECK_PRINTF] = 0
        formats.format_read(shelf.ctx, shelf.place(form), arguments)
        assert shelf.finding() is None
        shelf.ctx["options"][options.CHECK_PRINTF] = 1
        formats.format_read(shelf.ctx, shelf.place(form), arguments)
        assert shelf.finding() is not None


def test_arguments_are_checked_without_replaced_strings(shelf: Any) -> None:
    shelf.ctx["options"][options.REPLACE_STR] = 0
    formats.format_read(shelf.ctx, shelf.place(b"%s\0"), va_list(shelf, [shelf.place(b"abc")]))
    assert shelf.finding() is not None


@pytest.mark.parametrize(("name", "extra"), [("vsprintf", ()), ("__vsprintf_chk", (0, 100))])
def test_sprintf_is_checked_before_it_writes(shelf: Any, name: str, extra: tuple[int, ...]) -> None:
    form, arguments = shelf.place(b"%d!\0"), va_list(shelf, [1234])
    exact, short = shelf.place(bytes(6)), shelf.place(bytes(5))
    assert shelf.library.call(name, exact, *extra, form, arguments) == 5
    assert shelf.finding() is None and ctypes.string_at(exact) == b"1234!"
    shelf.library.call(name, short, *extra, form, va_list(shelf, [1234]))
    found = shelf.finding()
    assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, short, 6] and found[3] & 1


@pytest.mark.parametrize(("name", "extra"), [("vsnprintf", ()), ("__vsnprintf_chk", (0, 100))])
def test_snprintf_writes_no_more_than_its_size(
    shelf: Any, name: str, extra: tuple[int, ...]
) -> None:
    form, block = shelf.place(b"%d!\0"), shelf.place(bytes(3))
    for size, is_bad in ((0, False), (3, False), (4, True), (100, True)):
        arguments = va_list(shelf, [1234])
        assert shelf.library.call(name, block, size, *extra, form, arguments) == 5
        assert (shelf.finding() is not None) is is_bad


def test_asprintf_allocates_from_our_heap(shelf: Any) -> None:
    form, place = shelf.place(b"<%s>\0"), shelf.place(bytes(8))
    arguments = va_list(shelf, [shelf.place(b"text\0")])
    for name, extra in (("vasprintf", ()), ("__vasprintf_chk", (0,))):
        assert shelf.library.call(name, place, *extra, form, arguments) == 6
        block = ctypes.c_uint64.from_address(place).value
        assert ctypes.string_at(block) == b"<text>"
        i_free(shelf.ctx, block)
        assert shelf.finding() is None
    assert shelf.library.call("vasprintf", 64, form, arguments) == -1
    assert shelf.finding() is not None
