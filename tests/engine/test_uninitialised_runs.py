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
