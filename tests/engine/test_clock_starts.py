"""Runs whose calendar starts elsewhere: what the program sees, and that a replay sees the same."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.replay import parse_replay_token

LEAP_DAY = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    time_t now = time(NULL);
    struct tm *date = gmtime(&now);
    printf("%d-%d-%d\\n", date->tm_year + 1900, date->tm_mon + 1, date->tm_mday);
    fflush(stdout);
    volatile int *days = malloc(28 * sizeof *days);
    days[date->tm_mday - 1] = 1;
    free((void *)days);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("clock_s", "said", "kinds"),
    [
        (946_684_800, "2000-1-1", []),
        (1_709_164_800, "2024-2-29", ["heap-buffer-overflow"]),
        (4_102_358_400, "2099-12-31", ["heap-buffer-overflow"]),
    ],
)
def test_the_program_sees_the_date(
    runner: BatchRunner, tmp_path: Path, clock_s: int, said: str, kinds: list[str]
) -> None:
    program = tmp_path / "leap_day.c"
    program.write_text(LEAP_DAY)
    (result,) = runner.run([program], clock_s=clock_s)
    assert result.stdout.decode().split() == [said]
    assert [finding["kind"] for finding in result.report["findings"]][:1] == kinds
    assert parse_replay_token(result.report["schedule"]).clock_s == clock_s


WITH_DATE = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    long theirs = 0;
    volatile unsigned work = 0;
    for (unsigned i = 0; i < 400000000u; i++) work += i;
    FILE *date = popen("date +%s", "r");
    time_t before = time(NULL);
    if (!date || fscanf(date, "%ld", &theirs) != 1) return 2;
    pclose(date);
    time_t behind = time(NULL);
    printf("%d\\n", before <= theirs && theirs <= behind);
    return 0;
}
"""


def test_a_child_finds_the_real_date(runner: BatchRunner, tmp_path: Path) -> None:
    """The loop takes real time that virtual time does not count."""
    program = tmp_path / "with_date.c"
    program.write_text(WITH_DATE)
    (result,) = runner.run([program], clock_s=int(time.time()) - 2)
    assert result.stdout.decode().split() == ["1"]
