"""What a program tells of its own system calls: the table, its words, and the checks they make."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.public_interface import syscall_table as table
from tests.oracles.strings import first_finding
from tests.oracles.syscalls import naive_steps

ROWS = table.syscall_ranges()
WORDS = sorted({word for words in ROWS.values() for word in words})


def call(shelf: Any, name: str, *arguments: int, result: int | None = None) -> list[int] | None:
    """The finding of a hook: after the call when it has a result, else before it."""
    from irsan.interceptors.public_interface import syscall_hooks as hooks
    from irsan.runtime.kernels import actions

    shelf.ctx["action"] = actions.NONE
    constants = table.words_to_constants(ROWS[name], is_before=result is None)
    padded = [*arguments, *[0] * (6 - len(arguments))]
    if result is None:
        hooks.before_syscall(shelf.ctx, *padded, *constants)
    else:
        hooks.after_syscall(shelf.ctx, result, *padded, *constants)
    found: list[int] | None = shelf.finding()
    return found


def test_every_call_has_a_hook_on_both_sides() -> None:
    from irsan.interceptors.public_interface import sanitizer_interface

    names = {export.name for export in sanitizer_interface.EXPORTS}
    wanted = {f"__sanitizer_syscall_{side}_impl_{n}" for side in ("pre", "post") for n in ROWS}
    assert wanted <= names and len(ROWS) > 340


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_fits_its_constants(name: str) -> None:
    sides = [[w for w in ROWS[name] if (w[0] != "w") is is_before] for is_before in (True, False)]
    for words, is_before in zip(sides, (True, False), strict=True):
        assert len(words) <= 4
        first, second = table.words_to_constants(ROWS[name], is_before)
        numbers = [first & 0xFFFF_FFFF, first >> 32, second & 0xFFFF_FFFF, second >> 32]
        assert [n for n in numbers if n] == [table.word_to_number(word) for word in words]
        assert max(numbers) < 1 << 27


@pytest.mark.parametrize("word", ["", "x1:4", "r6:4", "r1", "r1:", "w1@", "w1=*", "r1s4", "w1%"])
def test_what_is_no_word_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="no word"):
        table.word_to_number(word)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_checks_what_its_naive_reading_says(shelf: Any, word: str) -> None:
    @settings(
        max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(st.integers(0, 80), st.integers(0, 6), st.integers(0, 40), st.booleans())
    def run(size: int, count: int, result: int, is_null: bool) -> None:
        agrees(shelf, word, size, count, result, is_null)

    run()


def agrees(shelf: Any, word: str, size: int, count: int, result: int, is_null: bool) -> None:
    """An object of `size` bytes at the pointer; pieces of 7 bytes where it shall hold such."""
    from irsan.interceptors.public_interface import syscall_hooks as hooks
    from irsan.runtime.kernels import actions

    piece = shelf.place(bytes(7))
    raw = struct.pack("<QQ", piece, 7) * 6
    if word.endswith("m"):
        pieces = shelf.place(raw[: size // 16 * 16])
        raw = struct.pack("<QQQQQQQ", 0, 0, pieces, count, piece, 5, 0)
        size = 56
    content = (b"text\0" * 20 if word.endswith("s") else raw)[:size]
    addr = 0 if is_null else shelf.place(content)
    arguments = [count] * 6
    arguments[int(word[1])] = addr
    steps = naive_steps(
        word, result, arguments,
        lambda at: int.from_bytes(ctypes.string_at(at, 8), "little"),
        lambda at: len(ctypes.string_at(at)),
    )  # fmt: skip
    expected = first_finding([step for step in steps if step[1]], lambda at: not _is_bad(at))
    shelf.ctx["action"] = actions.NONE
    hooks.touch_ranges(shelf.ctx, result, *arguments, table.word_to_number(word), 0)
    found = shelf.finding()
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert [found[1], found[2], found[6]] == [expected.addr, expected.size_bytes, expected.bad]
        assert found[3] & 1 == (expected.kind == "write")


def _is_bad(addr: int) -> bool:
    from irsan.runtime.kernels.checks.shadow import is_poisoned

    return bool(is_poisoned(addr))


def test_a_buffer_is_checked_before_and_after_a_read(shelf: Any) -> None:
    buffer = shelf.place(bytes(8))
    assert call(shelf, "read", 0, buffer, 8) is None
    found = call(shelf, "read", 0, buffer, 9)
    assert found is not None and found[1:3] == [buffer, 9] and found[3] & 1
    assert call(shelf, "read", 0, buffer, 9, result=8) is None
    assert call(shelf, "read", 0, buffer, 9, result=9) is not None
    assert call(shelf, "read", 0, buffer, 9, result=-1) is None  # it failed


def test_a_path_has_to_end(shelf: Any) -> None:
    assert call(shelf, "openat", 0, shelf.place(b"/tmp\0"), 0, 0) is None
    path = shelf.place(b"/tmp")
    found = call(shelf, "openat", 0, path, 0, 0)
    assert found is not None and found[1:3] == [path, 5] and not found[3] & 1


def test_a_size_that_is_asked_for_writes_nothing(shelf: Any) -> None:
    name, room = shelf.place(b"user.x\0"), shelf.place(b"")
    assert call(shelf, "fgetxattr", 3, name, room, 0, result=100) is None
    assert call(shelf, "fgetxattr", 3, name, room, 100, result=100) is not None
