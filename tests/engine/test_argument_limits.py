"""What is known of uninitialised arguments ends with their room: behind it all count as set."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from irsan.instrument.uninitialised.call_facts import AREA_BYTES
from tests.support.text_runs import TextRuns

N_WORDS = AREA_BYTES // 8
TEXT = """
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) void use(%s) {
    if (p%d) sink = 1;
}
int main(void) {
    long *block = malloc(8);
    long unset = *(volatile long *)block;
    use(%s);
    free(block);
    return 0;
}
"""


def joined(words: Sequence[str]) -> str:
    """Words of a list in C, on lines of their own."""
    return ",\n".join(words)


@pytest.mark.parametrize(("place", "is_told"), [(N_WORDS - 1, True), (N_WORDS, False)])
def test_arguments_behind_the_end_count_as_initialised(
    text_runs: TextRuns, place: int, is_told: bool
) -> None:
    given = ["1"] * (N_WORDS + 2)
    given[place] = "unset"
    names = joined([f"long p{number}" for number in range(len(given))])
    result = text_runs(
        TEXT % (names, place, joined(given)),
        sanitize="memory",
        cflags=("-fno-sanitize-memory-param-retval",),
    )
    kinds = [finding["kind"] for finding in result.findings]
    assert kinds == ["use-of-uninitialized-value"] * is_told
