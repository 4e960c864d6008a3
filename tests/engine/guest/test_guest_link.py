"""Programs that have no room in the arena are refused before they run."""

from __future__ import annotations

import pytest

from irsan.runtime.layout import memory_map
from tests.support.text_runs import TextRuns

ROOM_BYTES = memory_map.GLOBALS_LIMIT - memory_map.FIRST_GLOBAL
GLOBALS = """
#include <stdio.h>
char big[%d];
int main(int c, char **v) {
    big[c * 1000] = 1;
    puts("runs");
    return big[c];
}
"""


@pytest.mark.parametrize("tools", ["address", "thread"])
def test_globals_that_do_not_fit_are_refused_before_the_run(
    text_runs: TextRuns, tools: str
) -> None:
    result = text_runs(GLOBALS % (ROOM_BYTES + 1), sanitize=tools)
    assert (result.exit_status, result.findings, result.stdout) == (69, [], b"")
    (line,) = result.stderr.splitlines()
    assert line.startswith("irsan: error: the program does not fit: its data needs more than")
    assert f" {ROOM_BYTES >> 20} MiB " in line


def test_globals_that_nearly_fill_their_room_are_fine(text_runs: TextRuns) -> None:
    result = text_runs(GLOBALS % (ROOM_BYTES * 3 // 4), sanitize="address")
    assert (result.exit_status, result.findings, result.stdout) == (0, [], b"runs\n")
