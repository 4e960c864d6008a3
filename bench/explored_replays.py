"""How often the failing schedule of each bug of the corpus fails when it is replayed.

    python bench/explored_replays.py                      52 bugs, 100 processes on each engine
    python bench/explored_replays.py --commands 10        and so many `irsan replay TOKEN` of each
    python bench/explored_replays.py --folder published   the published families

The first schedule of a campaign that shows the bug's consequence is played again: by hosts that are
started for it (five, whose memory the system has laid out anew), in a process forked for each
replay; and by the command of the report.  A replay counts when it ends, prints and finds what the
first one did.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

from irsan.engine.options import RunOptions
from irsan.engine.replay import replay_token
from irsan.explore.playing.hosts import Hosts
from irsan.explore.schedules import Played, Schedule
from tests.support.explored_programs import ExploredProgram, discover_programs
from tests.support.explored_runs import Judge, options_of, play_campaign

ENGINES = ("jit", "interp")
_N_HOSTS = 5
_MAX_SCHEDULES = 1000
_TIMEOUT_S = 120

Shown = tuple[object, ...]


def first_failing(program: ExploredProgram) -> tuple[Schedule, str] | None:
    """The schedule that shows the bug, and the hash of its program; None: none of them does."""
    judge = Judge(program)
    seen: dict[int, Schedule] = {}
    with Hosts(1) as hosts:
        key = hosts.load(options_of(program)).program.key
        for played in play_campaign(hosts, judge, 0, _MAX_SCHEDULES, known_as=seen):
            if judge.consequence(played):
                return seen[played.index], key
    return None


def replays(options: RunOptions, schedule: Schedule, n: int) -> Iterator[Shown]:
    """What each of n processes, of several hosts, shows."""
    for _ in range(_N_HOSTS):
        with Hosts(1) as hosts:
            hosts.load(options)
            again = [replace(schedule, index=number) for number in range(n // _N_HOSTS)]
            yield from map(_shown, hosts.play(again))


def _shown(played: Played) -> Shown:
    return played.ending, played.digest, played.found, played.interleaving, played.steps


def commands(options: RunOptions, schedule: Schedule, key: str, n: int) -> Iterator[Shown]:
    """What each of n commands shows; the first lines of its reports say what it has found."""
    token = str(replay_token(schedule.of(options), key))
    line = [sys.executable, "-m", "irsan", "replay", token, *options.replay_words()]
    for _ in range(n):
        run = subprocess.run(line, capture_output=True, timeout=_TIMEOUT_S, check=False)
        errors = run.stderr.decode(errors="replace").splitlines()
        found = tuple(text for text in errors if text.startswith("SUMMARY:"))
        yield run.returncode, run.stdout, found


def row_of(program: ExploredProgram, n: int, n_commands: int) -> str:
    """How many replays of a program show the same, by engine."""
    failing = first_failing(program)
    if failing is None:
        return f"| {program.name} | not found |"
    schedule, key = failing
    cells, shown, said = [], set[Shown](), set[Shown]()
    for engine in ENGINES:
        options = replace(options_of(program), engine=engine)
        of_engine = list(replays(options, schedule, n))
        of_commands = list(commands(options, schedule, key, n_commands))
        shown.update(of_engine)
        said.update(of_commands)
        cells.append(f"{_alike(of_engine)} | {_alike(of_commands)}")
    same = "yes" if len(shown) == 1 and len(said) <= 1 else "NO"
    return f"| {program.name} | {schedule.scheduler} | {' | '.join(cells)} | {same} |"


def _alike(seen: list[Shown]) -> str:
    return f"{max(map(seen.count, set(seen)), default=0)} of {len(seen)}"


def main() -> None:
    """Print the table, a line as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--folder", default="bugs", choices=("published", "bugs"))
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--commands", type=int, default=0)
    asked = parser.parse_args()
    print("| program | strategy | jit | commands | interp | commands | all alike |")
    print("|---" * 7 + "|")
    for program in discover_programs("" if asked.programs else asked.folder):
        if not asked.programs or program.name in asked.programs:
            print(row_of(program, asked.replays, asked.commands), flush=True)


if __name__ == "__main__":
    main()
