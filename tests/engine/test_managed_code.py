"""Managed code in reports: what the program's own functions say about its program counters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

HEAD = """
#include <pthread.h>
#include <string.h>
#define CODE(n) (1ul << 60 | (n))
#define PLAIN __attribute__((disable_sanitizer_instrumentation))
typedef unsigned long Place;
void __tsan_func_entry(Place), __tsan_func_exit(void), __tsan_write4_pc(Place, Place);
static int value;
static void *work(void *unused) {
    __tsan_func_entry(CODE(2));
    __tsan_write4_pc((Place)&value, CODE(1));
    __tsan_func_exit();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
}
"""

MANY = HEAD + """
PLAIN void __tsan_symbolize_external_ex(Place pc,
        void (*add)(void *, const char *, const char *, int, int), void *told) {
    value++; // the program's own memory: no race while it is asked
    if (pc == CODE(1)) { add(told, "inner", "Some.java", 10, 2); add(told, "outer", 0, 0, 0); }
    if (pc == CODE(2)) add(told, "caller", "Other.java", 30, 0);
}
"""

ONE = HEAD + """
PLAIN _Bool __tsan_symbolize_external(Place pc, char *function, Place n, char *file, Place m,
        int *line, int *column) {
    if (pc != CODE(1)) return 0;
    strncpy(function, "inner", n);
    strncpy(file, "Some.java", m);
    *line = 10;
    *column = 2;
    return 1;
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, "thread", "TSAN_OPTIONS")


def frames(text: str) -> list[str]:
    """Frames of the first stack."""
    lines = text[text.index("Write of size 4") :].splitlines()[1:]
    return [line.partition(" (0x")[0].strip() for line in lines[: lines.index("")]]


def test_a_place_may_have_several_frames(run: FlagRuns) -> None:
    text = run(MANY).stderr
    assert frames(text)[:3] == [
        "#0 inner Some.java:10:2", "#1 outer <null>", "#2 caller Other.java:30",
    ]  # fmt: skip
    assert text.count("WARNING: ThreadSanitizer") == 1
    assert "SUMMARY: ThreadSanitizer: data race Some.java:10:2 in inner" in text


def test_the_older_function_tells_of_one_frame(run: FlagRuns) -> None:
    found = frames(run(ONE).stderr)
    assert found[0] == "#0 inner Some.java:10:2"
    assert "Some.java" not in found[1]


def test_places_without_names_are_told_all_the_same(run: FlagRuns) -> None:
    assert len(frames(run(HEAD).stderr)) >= 2


def test_managed_functions_can_be_suppressed(run: FlagRuns, tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.write_text("race:^caller$\n")
    assert run(MANY, f"suppressions={names}").exit_status == 0
    names.write_text("race:^nobody$\n")
    assert run(MANY, f"suppressions={names}").exit_status == 66
