"""Schedules that are explored and do not end: where each thread is; and that long ones do end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.guest.explored_schedule import STRATEGIES
from tests.support.irsan_runs import in_part

POLITE_SEEDS = in_part(("0", "1", "2"), 3)
LIVELOCK = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, second;
static void *await(void *flag) {
  while (!atomic_load((atomic_int *)flag)) { }
  atomic_store(flag == &first ? &second : &first, 1);
  return 0;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, await, &first);
  pthread_create(&other, 0, await, &second);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
"""
POLITE = """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int ready, lock;
static int value;
static void *await(void *unused) {
  while (!atomic_load(&ready)) sched_yield();
  while (atomic_exchange(&lock, 1)) { }
  value++;
  atomic_store(&lock, 0);
  return unused;
}
int main(void) {
  pthread_t waiters[3];
  for (int i = 0; i < 3; i++) pthread_create(&waiters[i], 0, await, 0);
  atomic_store(&ready, 1);
  for (int i = 0; i < 3; i++) pthread_join(waiters[i], 0);
  return value - 3;
}
"""


def run(folder: Path, source: str, *words: str) -> subprocess.CompletedProcess[str]:
    path = folder / "program.c"
    path.write_text(source)
    return subprocess.run(
        [sys.executable, "-m", "irsan", "run", *words, str(path)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_threads_that_wait_for_each_other_in_loops_are_shown(tmp_path: Path, engine: str) -> None:
    done = run(tmp_path, LIVELOCK, "--scheduler", "pos", "--engine", engine)
    assert "no progress (threads run for ever)" in done.stderr
    assert "Thread T1 waits for its next turn:" in done.stderr
    assert "await" in done.stderr
    assert "program.c:6" in done.stderr
    assert "Main thread waits for thread T1 to end:" in done.stderr


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "script"])
def test_who_spins_or_yields_makes_way(tmp_path: Path, strategy: str) -> None:
    for seed in POLITE_SEEDS:
        done = run(tmp_path, POLITE, "--scheduler", strategy, "--seed", seed)
        assert (done.returncode, done.stderr) == (0, "")
