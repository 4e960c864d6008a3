"""What a report says of a global: its name, place, size and text; and the flags about globals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult

SOURCE = """
#include <stdio.h>
char text[6] = "hello";
static volatile int counters[3];
volatile int at = 6;
static int next(int i) { static short calls[2]; calls[0]++; return calls[i]; }
int main(int argc, char **argv) {
    if (argc == 1) return text[at];
    if (argc == 2) return counters[at - 3];
    if (argc == 3) return next(at - 4);
    if (argc == 4) return "literal"[at + 2];
    puts("end");
    return 0;
}
"""


def run(runner: BatchRunner, folder: Path, n_words: int = 0, flags: str = "") -> RunResult:
    path = folder / "p.c"
    path.write_text(SOURCE)
    # redzones alone: bounds of objects find overflows of globals without them
    environment = {"ASAN_OPTIONS": flags, "IRSAN_OPTIONS": "check_object_bounds=0"}
    words = ("a",) * n_words
    (result,) = runner.run([path], [0], arguments=words, environment=environment)
    return result


@pytest.mark.parametrize(
    ("n_words", "words"),
    [
        (0, r"0 bytes after global variable 'text' defined in '\S*p.c:3' \(0x\w+\) of size 6"),
        (1, r"0 bytes after global variable 'counters' defined in '\S*p.c:4' \(0x\w+\) of size 12"),
        (2, r"0 bytes after global variable 'next.calls' defined in '\S*p.c:6' .* of size 4"),
        (3, r"0 bytes after global variable '\.str\S*' defined in '\S*p.c:11' .* of size 8"),
    ],
)
def test_a_global_is_told_by_name_place_and_size(
    n_words: int, words: str, runner: BatchRunner, tmp_path: Path
) -> None:
    result = run(runner, tmp_path, n_words)
    assert re.search(r"0x\w{12} is located " + words, result.stderr), result.stderr
    assert [finding["kind"] for finding in result.findings] == ["global-buffer-overflow"]


def test_a_string_is_quoted(runner: BatchRunner, tmp_path: Path) -> None:
    assert "\n  'text' is ascii string 'hello'\n" in run(runner, tmp_path).stderr
    assert re.search(r"'\.str\S*' is ascii string 'literal'", run(runner, tmp_path, 3).stderr)
    assert "is ascii string" not in run(runner, tmp_path, 1).stderr


def test_a_write_to_a_constant_names_it(runner: BatchRunner, tmp_path: Path) -> None:
    path = tmp_path / "w.c"
    path.write_text(
        "static const int limits[4] = {1, 2, 3, 4};\n"
        "int *volatile view = (int *)limits;\n"
        "char *volatile text = \"literal\";\n"
        "int main(int argc, char **argv) { if (argc > 1) text[2] = 0; view[1] = 9; return 0; }\n"
    )
    (result,) = runner.run([path], [0])
    words = r"is located 4 bytes inside of global variable 'limits' defined in '\S*w.c:1' .*size 16"
    assert re.search(words, result.stderr), result.stderr
    assert "HINT: 'limits' lies in memory that may only be read" in result.stderr
    assert "can not provide additional info" not in result.stderr
    (result,) = runner.run([path], [0], arguments=["a"])
    assert re.search(r"\n  '\.str\S*' is ascii string 'literal'\n", result.stderr)
    assert [finding["kind"] for finding in result.findings] == ["SEGV"]


def test_without_report_globals_no_global_has_a_redzone(
    runner: BatchRunner, tmp_path: Path
) -> None:
    assert run(runner, tmp_path, 0, "report_globals=0").findings == []


def test_report_globals_2_lists_them(runner: BatchRunner, tmp_path: Path) -> None:
    text = run(runner, tmp_path, 4, "report_globals=2").stderr
    assert re.search(
        r"==\d+==Added Global\[0x\w+\]: beg=0x\w+ size=12/32 name=counters source=\S*p.c "
        r"module=\S*p.c dyn_init=0 odr_indicator=0xf{16}\n", text
    )  # fmt: skip
    assert re.search(r"name=text source=\S* module=\S* dyn_init=0 odr_indicator=0x0{16}\n", text)
    assert "Added Global" not in run(runner, tmp_path, 4).stderr
