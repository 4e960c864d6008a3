"""What the race detector gives up is said at the end of the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.findings.races.race_limits import race_limits
from irsan.runtime.records.context import CONTEXT_DTYPE

DETACHED = """
#include <pthread.h>
static void *work(void *argument) { return argument; }
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4200; i++) {
        if (pthread_create(&thread, 0, work, 0)) return 1;
        END;
    }
    return 0;
}
"""


@pytest.mark.parametrize(
    ("end", "is_said"), [("pthread_join(thread, 0)", False), ("pthread_detach(thread)", True)]
)
def test_numbers_reused_early_are_said(
    runner: BatchRunner, tmp_path: Path, end: str, is_said: bool
) -> None:
    """No thread learns of the end of detached threads, so their numbers run out."""
    path = tmp_path / "threads.c"
    path.write_text(DETACHED.replace("END", end))
    [result] = runner.run([path], sanitize=frozenset({"thread"}))
    assert (result.exit_status, result.findings) == (0, [])
    assert ("irsan: limit: a new thread got the number" in result.stderr) is is_said


def test_each_limit_has_a_line() -> None:
    ctx = np.zeros((), CONTEXT_DTYPE)
    assert race_limits(ctx) == ""
    for count, name in enumerate(("n_flushes", "n_inexact_sids", "n_lost_cells"), 1):
        ctx["race"][name] = count
    lines = race_limits(ctx).splitlines()
    assert [line.rpartition(" (")[2] for line in lines] == ["1 times)", "2 times)", "3 times)"]
    assert all(line.startswith("irsan: limit: ") for line in lines)
