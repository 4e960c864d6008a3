"""Clang's words for what its sanitizers leave out: heeded by irsan, kept from clang."""

from __future__ import annotations

import pytest

from irsan.engine.front_end.front_end_flags import bits_words, front_end_words, left_out, pass_words

ACCESSES, ATOMICS = "no-race-accesses", "no-race-atomics"


@pytest.mark.parametrize(
    ("cflags", "parts"),
    [
        (["-Wall", "-fno-sanitize-thread-memory-access"], {ACCESSES}),
        (["-mllvm", "-tsan-instrument-atomics=0"], {ATOMICS}),
        (["-mllvm=-tsan-instrument-memory-accesses=false"], {ACCESSES}),
        (["-fno-sanitize-thread-atomics", "-fsanitize-thread-atomics"], set()),
        (["-mllvm", "-tsan-instrument-atomics=0", "-mllvm", "-tsan-instrument-atomics=1"], set()),
        (["-mllvm", "-tsan-instrument-func-entry-exit=0"], set()),
        (["-tsan-instrument-atomics=1", "-Wall"], set()),
    ],
)
def test_clangs_words_leave_parts_of_race_checks_out(cflags: list[str], parts: set[str]) -> None:
    assert left_out(cflags) == parts
    assert [word for word in front_end_words(cflags) if "thread" in word or "tsan" in word] == []


def test_other_flags_are_passed_on_in_their_order() -> None:
    cflags = ["-mllvm", "-tsan-instrument-atomics=1", "-mllvm", "-inline-threshold=0", "-Wall"]
    assert list(front_end_words(cflags)) == ["-mllvm", "-inline-threshold=0", "-Wall"]
    kept = ["-mllvm", "-tsan-distinguish-volatile"]
    assert list(front_end_words(kept)) == kept


def test_words_about_uninitialised_values_go_where_they_are_heeded() -> None:
    off = "-fno-sanitize-memory-param-retval"
    assert bits_words([off]) == {"bits-cross-calls"}
    assert bits_words([off, "-fsanitize-memory-param-retval", "-Wall"]) == set()
    destroyed = "-fno-sanitize-memory-use-after-dtor"
    assert list(front_end_words([off, destroyed])) == ["-Xclang", destroyed]


def test_the_command_that_runs_the_passes_gets_what_they_heed() -> None:
    cflags = [
        *("-mllvm", "-inline-threshold=0", "-DX", "-fno-vectorize", "-std=c99"),
        *("-fno-builtin-puts", "-mllvm", "-tsan-instrument-atomics=0"),
        *("-fsanitize=bounds,local-bounds", "-xc++"),
    ]
    assert list(pass_words(cflags)) == [
        *("-mllvm", "-inline-threshold=0", "-fno-vectorize", "-fno-builtin-puts"),
        *("-Xclang", "-fsanitize=local-bounds"),
    ]
