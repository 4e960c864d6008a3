"""Spent safepoints are time while one thread is alone, as programs that measure themselves see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import BatchRunner
from irsan.runtime.kernels.fuel import SAFEPOINT_NS
from irsan.runtime.kernels.threads import scheduler, signals, turns, virtual_clock

CPUTIME = 2
QUESTION_NS = 1000
# The second is ten times the work of the first, and takes as much longer.
MEASURED = """
#include <stdio.h>
#include <time.h>
static volatile unsigned sum;
static void __attribute__((noinline)) step(void) { sum += 1; }
static clock_t measure(int n) {
    clock_t start = clock();
    for (int i = 0; i < n; i++) { step(); step(); }
    return clock() - start;
}
int main(void) {
    clock_t baseline = measure(20000), tenfold = measure(200000);
    printf("%d\\n", (int)(tenfold / baseline));
    for (long n = 1; measure(n) < CLOCKS_PER_SEC / 100; n *= 2) {}
    return 0;
}
"""


def alone(guest: Any, spent: int) -> Any:
    """The context of a thread that is alone and has spent some of its fuel."""
    ctx = guest.ctx
    ctx["schedule"]["clock_ns"], ctx["schedule"]["n_runnable"], ctx["schedule"]["n_timed"] = 1, 1, 0
    ctx["schedule"]["fuel_mark"], ctx["fuel"] = 5000, 5000 - spent
    return ctx


def test_a_question_counts_what_was_spent_since_the_last(guest: Any) -> None:
    ctx = alone(guest, 600)
    work_ns = 600 * int(SAFEPOINT_NS)
    assert virtual_clock.clock_now_ns(ctx, CPUTIME) == 1 + work_ns + QUESTION_NS
    assert virtual_clock.clock_now_ns(ctx, CPUTIME) == 1 + work_ns + 2 * QUESTION_NS


def test_fuel_that_is_given_or_taken_is_not_spent(guest: Any) -> None:
    ctx = alone(guest, 100)
    turns.refuel(ctx)
    signals.post_signal(ctx, int(ctx["thread"]), 1)
    assert int(ctx["fuel"]) == 0
    expected = 1 + 100 * int(SAFEPOINT_NS) + QUESTION_NS
    assert virtual_clock.clock_now_ns(ctx, CPUTIME) == expected


def test_the_end_of_the_fuel_counts_it(guest: Any) -> None:
    ctx = alone(guest, 5000)
    assert not scheduler.safepoint_slow(ctx)
    assert int(ctx["schedule"]["clock_ns"]) == 1 + 5000 * int(SAFEPOINT_NS)
    assert int(ctx["schedule"]["fuel_mark"]) == int(ctx["fuel"])


def test_work_beside_others_is_the_schedulers_time(guest: Any) -> None:
    ctx = alone(guest, 600)
    ctx["schedule"]["n_runnable"] = 2
    assert virtual_clock.clock_now_ns(ctx, CPUTIME) == 1 + QUESTION_NS


def test_a_program_that_measures_its_work_sees_it(runner: BatchRunner, tmp_path: Path) -> None:
    path = tmp_path / "measured.c"
    path.write_text(MEASURED)
    [result] = runner.run([path])
    assert (result.exit_status, result.findings) == (0, [])
    assert 8 <= int(result.stdout) <= 11
