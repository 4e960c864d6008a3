"""What a limit has refused is said at the end of a run, one line each."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.findings.run_limits import run_limits, threads_refused
from irsan.engine.guest.machine import Machine
from irsan.errors import UnsupportedError
from irsan.runtime.records.context import CONTEXT_DTYPE
from irsan.runtime.records.subsystems import REFUSED_DTYPE

ALIVE = """
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_barrier_t all;
static void *work(void *argument) { pthread_barrier_wait(&all); return argument; }
int main(void) {
    static pthread_t threads[N];
    int n = 0, error = 0;
    pthread_barrier_init(&all, 0, MEET);
    while (n < N && !(error = pthread_create(&threads[n], 0, work, 0))) n++;
    printf("%d %d\\n", n, error == EAGAIN);
    fflush(stdout);
    pthread_barrier_wait(&all);
    while (n) pthread_join(threads[--n], 0);
    return 0;
}
"""


def test_each_limit_has_a_line() -> None:
    ctx = np.zeros((), CONTEXT_DTYPE)
    assert run_limits(ctx) == "" and threads_refused(ctx) == 0
    n_refused = len(REFUSED_DTYPE.names)
    ctx["refused"] = tuple(range(1, n_refused + 1))
    ctx["locks"]["n_unheld"] = 50
    ctx["locks"]["n_unnumbered"] = 51
    ctx["locks"]["n_lost_edges"] = 52
    ctx["depot"]["n_lost"] = 60
    ctx["race"]["n_inexact_sids"] = 70
    lines = run_limits(ctx).splitlines()
    assert all(line.startswith("irsan: limit: ") for line in lines)
    counts = sorted(int(line.rpartition("(")[2].split()[0]) for line in lines)
    assert counts == [*range(1, n_refused + 1), 50, 51, 52, 60, 70]
    assert threads_refused(ctx) == 1 + 2 + 3


@pytest.mark.parametrize("tools", [{"address"}, {"thread"}])
def test_four_thousand_threads_alive_at_once(
    runner: BatchRunner, tmp_path: Path, tools: set[str]
) -> None:
    path = tmp_path / "alive.c"
    path.write_text(re.sub(r"\bN\b", "4000", ALIVE.replace("MEET", "N + 1")))
    [result] = runner.run([path], sanitize=frozenset(tools))
    assert (result.exit_status, result.findings, result.stdout) == (0, [], b"4000 0\n")
    assert "limit" not in result.stderr


def test_one_thread_too_many_is_refused_and_is_no_bug(runner: BatchRunner, tmp_path: Path) -> None:
    """It natively works, so a wait for it reports the limit, not a deadlock."""
    path = tmp_path / "refused.c"
    path.write_text(re.sub(r"\bN\b", "4200", ALIVE.replace("MEET", "N + 1")))
    [result] = runner.run([path], sanitize=frozenset({"thread"}))
    assert result.stdout == b"4095 1\n"
    assert [finding for finding in result.findings if finding["verdict"] == "bug"] == []
    assert "all threads wait for ever, 1 were refused" in result.stderr
    assert "irsan: limit: threads were refused, as 4,096 were alive" in result.stderr


@pytest.mark.parametrize("ranges", [[(64, 100), (200, 1949)], [(64, 1)] * 9])
def test_thread_locals_that_cannot_be_switched_are_refused(ranges: list[tuple[int, int]]) -> None:
    machine = cast(Any, SimpleNamespace(ctx=np.zeros((), CONTEXT_DTYPE)))
    Machine._swap_tls(machine, [(64, 100), (200, 1948)])
    assert machine.ctx["thread_locals"]["ranges"][:5].tolist() == [64, 100, 200, 1948, 0]
    with pytest.raises(UnsupportedError, match="thread-locals of native libraries take"):
        Machine._swap_tls(machine, ranges)


def test_the_list_of_limits_names_tests_that_exist() -> None:
    root = Path(__file__).parents[3]
    named = set(re.findall(r"`(tests/[^`]+)`", (root / "docs" / "limits.md").read_text()))
    assert len(named) > 15
    assert [name for name in named if not list(root.glob(name))] == []
