"""Schedules per second and core: what one schedule of a small test costs in processor time.

    python bench/schedule_rate.py                       the default strategies, three times
    python bench/schedule_rate.py --strategies random   these strategies only
    python bench/schedule_rate.py --jobs 1,2,4          with so many hosts, in turn
    python bench/schedule_rate.py prog.c                of another program

The test has four threads that lock a mutex twelve times each: 100 events, nothing to be found.
Counted is the time of all processes, those of the schedules, too; a line is 1,000 schedules.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from irsan.engine.options import RunOptions
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import parse_strategies

TEST = """
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *work(void *argument) {
    for (int i = 0; i < 12; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}
int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    printf("%d\\n", count);
    return 0;
}
"""
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def processes_of(pid: int) -> list[int]:
    """A process and all that it has started."""
    own = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in own for each in processes_of(int(child)))]


def processor_s(pids: list[int]) -> float:
    """Processor time that processes, and those that they have waited for, have taken."""
    words = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(word) for line in words for word in line[11:15]) / _TICKS_PER_S


def measured(options: RunOptions, strategies: str, n_schedules: int, n_jobs: int) -> str:
    """A line of figures: the first schedule is not counted, before which the program begins."""
    request = ExploreRequest(options, n_schedules, strategies=parse_strategies(strategies))
    with Hosts(n_jobs) as hosts:
        explorer = Explorer(request)
        began: list[float] = []
        explorer.keep = lambda *_: began or began.extend(_clocks())  # type: ignore[func-returns-value]
        explorer.play(hosts)
        spent_s, elapsed_s = (b - a for a, b in zip(began, _clocks(), strict=True))
    n = n_schedules - 1
    n_different = len(explorer.result.interleavings)
    return (
        f"{n_jobs} at once: {spent_s / n * 1000:.2f} ms of processor time each, "
        f"{n / spent_s:.0f} per second and core; {elapsed_s / n * 1000:.2f} ms elapsed, "
        f"{n / elapsed_s:.0f} per second; {n_different} interleavings"
    )


def _clocks() -> tuple[float, float]:
    return processor_s(processes_of(os.getpid())), time.monotonic()


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("program", nargs="?", type=Path)
    parser.add_argument("--strategies", default="")
    parser.add_argument("--schedules", type=int, default=1000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--jobs", default="1", help="numbers of hosts, with commas")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = asked.program or Path(folder, "test.c")
        if asked.program is None:
            path.write_text(TEST)
        options = RunOptions(programs=(path,), environment=dict(os.environ), reports=())
        for n_jobs in [int(word) for word in asked.jobs.split(",")] * asked.times:
            print(measured(options, asked.strategies, asked.schedules, n_jobs), flush=True)


if __name__ == "__main__":
    main()
