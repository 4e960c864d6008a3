"""DumbSanitizer in whole runs: what was accessed most, by name, in text and in JSON."""

from __future__ import annotations

import re

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

PROGRAM = """
#include <stdlib.h>
volatile int total;
volatile long parts[4];
int main(void) {
    volatile short *heap = malloc(40);
    for (int i = 0; i < 1000; i++) {
        total++;
        if (i % 2) heap[3] = 1;
        if (i < 100) parts[i % 4] = i;
    }
    return 5;
}
"""
CXX = """
#include <atomic>
#include <thread>
std::atomic<long> hits;
static void work() { for (int i = 0; i < 500; i++) hits++; }
int main() {
    std::thread one(work), two(work);
    one.join();
    two.join();
    return hits == 1000 ? 6 : 1;
}
"""
LINE = re.compile(
    r"^==\d+==DumbSanitizer: (most frequent address|then) (0x[0-9a-f]{12}): "
    r"(\d+) access(?:es)?, (.+)$",
    re.MULTILINE,
)


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, "dumb", "DBSAN_OPTIONS")


@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_most_frequent_address_is_the_one_that_the_program_uses_most(
    run: FlagRuns, level: int
) -> None:
    result = run(PROGRAM, "print_frequent_access=1", opt_level=level)
    found = LINE.findall(result.stderr)
    rows = {what.partition(" (")[0]: int(count) for _, _, count, what in found}
    assert rows["'total'"] == 2000  # read and written
    assert rows["heap block of main"] == 500
    assert result.exit_status == 5
    assert result.findings == []
    if level:  # without optimisation the loop's own counter is in memory, too
        assert result.stderr.startswith("==") and "most frequent address" in result.stderr
        assert found[0][3].startswith("'total' (")


def test_statistics_are_in_the_json_report(run: FlagRuns) -> None:
    report = run(PROGRAM).report
    first, second, *rest = report["statistics"]
    assert (first["name"], first["count"], first["kind"], first["line"]) == (
        "total", 2000, "global", 3,
    )  # fmt: skip
    assert (second["kind"], second["name"], second["line"]) == ("heap", "main", 6)
    assert [row["count"] for row in rest if row["name"] == "parts"] == [25] * 4


def test_flags_choose_how_much_is_shown(run: FlagRuns) -> None:
    assert len(run(PROGRAM, "top=2").report["statistics"]) == 2
    assert len(run(PROGRAM, "min_count=100").report["statistics"]) == 2
    silent = run(PROGRAM, "print_frequent_access=0")
    assert (silent.report["statistics"], silent.stderr, silent.exit_status) == ([], "", 5)


def test_atomics_of_threads_are_counted_in_cxx(run: FlagRuns) -> None:
    result = run(CXX, suffix=".cpp", std="c++17")
    assert result.exit_status == 6
    row = next(row for row in result.report["statistics"] if "hits" in row["name"])
    assert row["count"] >= 1000


def test_it_counts_the_same_beside_the_other_sanitizers(run: FlagRuns) -> None:
    result = run(PROGRAM, sanitize="dumb,address,thread,gwp-asan")
    assert [row["count"] for row in result.report["statistics"][:2]] == [2000, 500]
    assert (result.findings, result.exit_status) == ([], 5)
