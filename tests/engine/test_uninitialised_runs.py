"""Reports of `--sanitize memory`: the way a value took, and what flags change of it."""

from __future__ import annotations

import re

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

MOVED = """
#include <stdio.h>
#include <string.h>
static int numbers[100], others[100];
__attribute__((noinline)) static void copy(void) { memcpy(others, numbers, sizeof numbers); }
__attribute__((noinline)) static void keep(const volatile int *at) { numbers[7] = *at; }
__attribute__((noinline)) static void begin(void) { volatile int value; keep(&value); }
int main(int argc, char **argv) {
    begin();
    copy();
    if (others[argc + 6]) puts("set");
    return 0;
}
"""
SHADOW = """
#include <stdlib.h>
void __msan_print_shadow(const volatile void *at, size_t size);
void __msan_dump_shadow(const volatile void *at, size_t size);
int main(void) {
    char *block = malloc(8);
    block[1] = 1;
    __msan_print_shadow(block, 6);
    __msan_dump_shadow(block, 2);
    free(block);
    return 0;
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, "memory", "MSAN_OPTIONS")


def test_copies_are_steps_of_a_values_way(run: FlagRuns) -> None:
    (finding,) = run(MOVED).findings
    steps = [stack for stack in finding["stacks"] if stack["role"] == "store-origin"]
    names = [[frame["function"] for frame in step["frames"]] for step in steps]
    assert names == [["copy", "main"], ["keep", "begin", "main"]]
    assert finding["details"]["created_by"] == "an allocation of 'value' in the stack frame"


def test_flags_shorten_the_way(run: FlagRuns) -> None:
    (finding,) = run(MOVED, "store_context_size=1").findings
    steps = [stack for stack in finding["stacks"] if stack["role"] == "store-origin"]
    assert [len(step["frames"]) for step in steps] == [1, 1]
    (finding,) = run(MOVED, "origin_history_size=1").findings
    assert [stack["role"] for stack in finding["stacks"]].count("store-origin") == 1


def test_a_program_may_look_at_shadow_and_origins(run: FlagRuns) -> None:
    result = run(SHADOW)
    assert result.findings == []
    row = r"^\S+: ff00ffff ffff\.\.\.\. \.{8} \.{8}  \|A A \. \.\|$"
    assert re.search(row, result.stderr, re.M)
    assert "Origin A" in result.stderr and "created by a heap allocation" in result.stderr
    assert re.search(r"^\S+  ff 00$", result.stderr, re.M)


def test_the_call_of_a_library_function_is_to_blame(run: FlagRuns) -> None:
    text = "#include <stdlib.h>\n#include <stdio.h>\nint main(void) { puts(malloc(9)); return 0; }"
    (finding,) = run(text).findings
    assert finding["stacks"][0]["frames"][0]["function"] == "main"
    assert finding["details"]["function"] == "puts"


LEAVES = """
#include <stdio.h>
__attribute__((noinline)) static int decide(const volatile int *at) { return *at > 2 ? 7 : 1; }
__attribute__((noinline)) static int search(const volatile int *at, int n) {
    int found = 0;
    for (int i = 0; i < n; i++) if (at[i] == 2) found = i;
    return found;
}
__attribute__((noinline)) static void keep(volatile int *to, const volatile int *at) { *to = *at; }
__attribute__((noinline)) static int divide(int by) { return 1000 / by; }
int main(int argc, char **argv) {
    volatile int unset[4], kept;
    if (argc == 1) printf("%d\\n", decide(unset));
    if (argc == 2) printf("%d\\n", search(unset, 4));
    keep(&kept, unset);
    if (argc == 3 && kept) puts("kept");
    if (argc == 4) printf("%d\\n", divide(argc - 4));
    return 0;
}
"""


@pytest.mark.parametrize(
    ("n_words", "wanted"),
    [(0, ["decide", "main"]), (1, ["search", "main"]), (2, ["main"]), (3, ["divide", "main"])],
    ids=["leaf", "loop", "store", "trap"],
)
def test_functions_that_call_nothing_are_on_stacks(
    run: FlagRuns, n_words: int, wanted: list[str]
) -> None:
    (finding,) = run(LEAVES, "halt_on_error=1", *["word"] * n_words).findings
    names = [[frame["function"] for frame in stack["frames"]] for stack in finding["stacks"]]
    assert names[0] == wanted
    if wanted == ["main"]:
        assert ["keep", "main"] in names  # where the value was stored


FOREIGN = """
#include <locale.h>
#include <stdio.h>
int main(int argc, char **argv) {
    volatile struct lconv *facts = localeconv();
    volatile char unset[2];
    if (facts->decimal_point[0] == '.') puts("point");
    facts->int_frac_digits = unset[argc - 1];
    facts->frac_digits = 3;
    if (facts->int_frac_digits) puts("digits");
    if (facts->frac_digits == 3 && facts->p_sep_by_space) puts("space");
    return 0;
}
"""


def test_fields_of_memory_of_other_libraries_are_initialised(run: FlagRuns) -> None:
    result = run(FOREIGN)
    assert result.findings == []
    assert result.stdout.startswith(b"point")
