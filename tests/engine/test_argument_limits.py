"""What is known of arguments ends with their room: of those behind it nothing is said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from irsan.instrument.pointer_ids.calls import MAX_PASSED
from irsan.instrument.uninitialised.call_facts import AREA_BYTES
from irsan.runtime import provenance_records as pr
from tests.support.text_runs import TextRuns

N_WORDS = AREA_BYTES // 8
HALVES = """
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) static void use(%s) {
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
POINTERS = """
#include <stdlib.h>
#include <stdarg.h>
static volatile long sink;
%s
int main(void) {
    long *block = calloc(4, sizeof(long)), *far = calloc(1000, sizeof(long));
    volatile long index = far - block + 100;
    use(%s);
    return 0;
}
"""
NAMED = """
__attribute__((noinline)) static void use(%s, long index) {
    sink = p%d[index];
}
"""
VARIABLE = """
__attribute__((noinline)) static void use(long index, ...) {
    va_list list;
    va_start(list, index);
    for (int i = 0; i < %d; i++) (void)va_arg(list, long *);
    sink = va_arg(list, long *)[index];
    va_end(list);
}
"""


def joined(words: Sequence[str]) -> str:
    """Words of a list in C, on lines of their own."""
    return ",\n".join(words)


@pytest.mark.parametrize(("place", "is_told"), [(N_WORDS - 1, True), (N_WORDS, False)])
def test_shadow_of_arguments(text_runs: TextRuns, place: int, is_told: bool) -> None:
    given = ["1"] * (N_WORDS + 2)
    given[place] = "unset"
    names = joined([f"long p{number}" for number in range(len(given))])
    result = text_runs(
        HALVES % (names, place, joined(given)),
        sanitize="memory",
        cflags=("-fno-sanitize-memory-param-retval",),
    )
    kinds = [finding["kind"] for finding in result.findings]
    assert kinds == ["use-of-uninitialized-value"] * is_told


@pytest.mark.parametrize(("place", "is_told"), [(MAX_PASSED - 1, True), (MAX_PASSED, False)])
def test_pointers_in_parameters(text_runs: TextRuns, place: int, is_told: bool) -> None:
    n_given = MAX_PASSED + 2
    names = joined([f"long *p{number}" for number in range(n_given)])
    given = joined([*["block"] * n_given, "index"])
    result = text_runs(POINTERS % (NAMED % (names, place), given), sanitize="provenance")
    kinds = [finding["kind"] for finding in result.findings]
    assert kinds == ["access-outside-provenance"] * is_told


@pytest.mark.parametrize(
    ("place", "is_told"), [(pr.MAX_VARIADIC - 1, True), (pr.MAX_VARIADIC, False)]
)
def test_variable_arguments(text_runs: TextRuns, place: int, is_told: bool) -> None:
    given = joined(["index", *["block"] * (pr.MAX_VARIADIC + 2)])
    result = text_runs(POINTERS % (VARIABLE % place, given), sanitize="provenance")
    kinds = [finding["kind"] for finding in result.findings]
    assert kinds == ["access-outside-provenance"] * is_told
