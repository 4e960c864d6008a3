"""Clang's words for what its sanitizers leave out: heeded by irsan, kept from clang."""

from __future__ import annotations

import pytest

from irsan.engine.front_end_flags import front_end_words, left_out

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
