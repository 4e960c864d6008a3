"""Whole runs with undefined behaviour: flags, how they end, what a program may ask."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

TWO = """
#include <limits.h>
#include <stdio.h>
volatile int top = INT_MAX, sink;
static int more(int n) { return n + 1; }
static int less(int n) { return -n - 2; }
int main(void) {
    for (int i = 0; i < 1000000; i++) sink = more(top);
    sink = less(top);
    puts("end");
    return 3;
}
"""
SUMMARY = "SUMMARY: UndefinedBehaviorSanitizer: "
SIGNED = "signed-integer-overflow"
ASKS = """
#include <limits.h>
#include <stdio.h>
extern "C" void __ubsan_get_current_report_data(const char **, const char **, const char **,
                                                unsigned *, unsigned *, char **);
extern "C" void __ubsan_on_report(void) {
    const char *kind, *message, *file;
    unsigned line, column;
    char *memory;
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &memory);
    printf("%s|%s|%d|%u|%u|%d\\n", kind, message, file[0] == '/', line, column, memory == 0);
}
volatile int width = 40, sink;
int main() { sink = 1 << width; }
"""
BY_HAND = Path(__file__).with_name("undefined_handlers.ll").read_text()
OBJECTS = """
struct base { virtual ~base() {} int value = 1; };
struct left : base {};
struct right : base {};
volatile int sink;
int main() {
    base *volatile made = new right;
    sink = static_cast<left *>(made)->value;
    delete made;
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, "undefined", "UBSAN_OPTIONS")


def kinds(result: object) -> list[str]:
    return [finding["kind"] for finding in result.findings]  # type: ignore[attr-defined]


def test_a_place_is_told_once_and_the_program_goes_on(run: FlagRuns) -> None:
    result = run(TWO)
    assert kinds(result) == [SIGNED] * 2
    assert (result.stdout, result.exit_status) == (b"end\n", 66)
    assert not any(finding["fatal"] for finding in result.findings)


@pytest.mark.parametrize("sanitize", ["address,undefined", "address,thread,leak,undefined"])
def test_it_goes_with_the_other_sanitizers(run: FlagRuns, sanitize: str) -> None:
    result = run(TWO, sanitize=sanitize)
    assert kinds(result) == [SIGNED] * 2
    lines = [finding["stacks"][0]["frames"][0]["line"] for finding in result.findings]
    assert lines == [5, 6]


def test_text_is_that_of_the_original(run: FlagRuns) -> None:
    lines = run(TWO).stderr.splitlines()
    assert re.fullmatch(
        r".*:5:35: runtime error: signed integer overflow: 2147483647 \+ 1 cannot be represented "
        r"in type 'int'",
        lines[0],
    )
    assert re.fullmatch(rf"{SUMMARY}undefined-behavior .*:5:35 ", lines[1])


def test_flags_for_text(run: FlagRuns) -> None:
    text = run(TWO, "report_error_type=1:print_stacktrace=1").stderr
    assert re.search(r"    #0 0x[0-9a-f]+ in more .*:5:35\n    #1 0x[0-9a-f]+ in main .*:8:", text)
    assert f"{SUMMARY}{SIGNED} " in text
    assert "SUMMARY" not in run(TWO, "print_summary=0").stderr


def test_how_a_run_ends(run: FlagRuns) -> None:
    halted = run(TWO, "halt_on_error=1:exitcode=9")
    assert (kinds(halted), halted.stdout, halted.exit_status) == ([SIGNED], b"", 9)
    going_on = run(TWO, "exitcode=0")
    assert (len(kinds(going_on)), going_on.exit_status) == (2, 3)
    fatal = run(TWO, cflags=("-fno-sanitize-recover=undefined",))
    assert (kinds(fatal), fatal.stdout, fatal.exit_status) == ([SIGNED], b"", 66)
    assert fatal.findings[0]["fatal"]


def test_checks_are_left_out_as_for_clang(run: FlagRuns) -> None:
    assert kinds(run(TWO, cflags=(f"-fno-sanitize={SIGNED}",))) == []
    unchecked = '__attribute__((no_sanitize("undefined"))) static int less'
    silent = TWO.replace("static int less", unchecked)
    assert kinds(run(silent)) == [SIGNED]


@pytest.mark.parametrize(
    ("line", "n_left"),
    [
        ("signed-integer-overflow:more", 1),
        ("signed-integer-overflow:*.c", 0),
        ("shift:more", 2),
        ("signed-integer-overflow:main", 2),
    ],
)
def test_suppressions(run: FlagRuns, tmp_path: Path, line: str, n_left: int) -> None:
    file = tmp_path / "known"
    file.write_text(line.replace("shift:", "shift-base:"))
    assert len(kinds(run(TWO, f"suppressions={file}"))) == n_left
    fatal = run(TWO, f"suppressions={file}", cflags=("-fno-sanitize-recover=undefined",))
    assert kinds(fatal) == [SIGNED]  # the program ends by it: a report must say why


def test_objects_are_suppressed_by_their_type(run: FlagRuns, tmp_path: Path) -> None:
    assert set(kinds(run(OBJECTS, suffix=".cpp"))) == {"dynamic-type-mismatch"}
    file = tmp_path / "known"
    file.write_text("vptr_check:right")
    assert kinds(run(OBJECTS, f"suppressions={file}", suffix=".cpp")) == []
    file.write_text("vptr_check:main")  # a function, and no type
    assert kinds(run(OBJECTS, f"suppressions={file}", suffix=".cpp"))


def test_the_program_may_ask_for_the_report(run: FlagRuns) -> None:
    result = run(ASKS, suffix=".cpp")
    message = "Shift exponent 40 is too large for 32-bit type 'int'"
    assert result.stdout.decode() == f"invalid-shift-exponent|{message}|1|14|23|1\n"


def test_handlers_that_no_flag_of_ours_asks_for(run: FlagRuns) -> None:
    result = run(BY_HAND, suffix=".ll")
    found = [(f["kind"], f["details"]["message"]) for f in result.findings]
    assert found == [
        ("invalid-objc-cast",
         "invalid ObjC cast, object is a '<unknown type>', but expected a 'Cls'"),
        ("local-out-of-bounds", "access out of bounds"),
        ("cfi-bad-type",
         "control flow integrity check for type 'Cls' failed during indirect function call"),
        ("cfi-bad-type", found[3][1]),
        ("nullptr-with-offset", "applying zero offset to null pointer"),
        ("float-cast-overflow", "7 is outside the range of representable values of type 'int'"),
        (SIGNED, "add-overflow"),
        ("missing-return",
         "execution reached the end of a value-returning function without returning a value"),
    ]  # fmt: skip
    assert "failed during virtual call (vtable address 0x0000" in found[3][1]
    assert re.search(r"main defined here$", result.stderr, re.MULTILINE)
    assert result.stderr.startswith("hand.cc:1:2: runtime error: ")
    assert result.exit_status == 66
