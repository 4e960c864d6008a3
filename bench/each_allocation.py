"""Every allocation of a program fails once: what comes of it, by the kind of finding and its place.

    python bench/each_allocation.py [OPTIONS] SOURCE... -- ARGUMENTS

The program is compiled once; then a process is forked for each N = 1, 2, ... in which only the N-th
allocation fails (`--inject malloc=N`), until a run has no N-th allocation.  Findings are one when
their fingerprints are; the first token of each is shown.  `--step K` looks at every K-th allocation
only, `--random M` at M of them, where there are too many.

    ended     how the runs ended: exit statuses, signals
    table     runs | kind | where | behind which failure | token
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.options import RunOptions
from irsan.reports.model.names import demangled

_NEVER = 10**17  # a number that no allocation has
_BATCH = 64


@dataclass(slots=True)
class Found:
    """Findings with one fingerprint."""

    kind: str
    place: str
    failure: str
    token: str
    numbers: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Sweep:
    """What came of all runs of a program."""

    n_allocations: int = 0
    n_runs: int = 0
    n_unreported: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    found: dict[str, Found] = field(default_factory=dict)

    def add(self, number: int, result: RunResult) -> bool:
        """Count a run; whether its N-th allocation was there."""
        facts = (result.report or {}).get("injection")
        if facts is not None and not facts["n_failures"]:
            return False
        self.n_runs += 1
        self.endings[_ending(result)] += 1
        if result.exit_status > 128 and not result.findings:
            self.n_unreported += 1
        for finding in result.findings:
            one = self.found.setdefault(finding["id"], _found(finding, result))
            one.numbers.append(number)
        return True


def _ending(result: RunResult) -> str:
    if result.is_timeout:
        return "time limit"
    return f"finding ({result.exit_status})" if result.findings else f"status {result.exit_status}"


def _found(finding: dict[str, Any], result: RunResult) -> Found:
    stacks = {stack["role"]: stack for stack in reversed(finding["stacks"])}
    place = stacks.get("access") or stacks.get("allocation") or {"frames": []}
    failure = finding.get("injected", {"call": "", "outcome": "no failure"})
    words = f"{failure['call']} {failure['outcome']} at {_where(stacks.get('injected', place))}"
    token = result.report["schedule"] if result.report else ""
    return Found(finding["kind"], _where(place), words, token)


def _where(stack: dict[str, Any]) -> str:
    """The first frame that is no function of the library, as `function file:line`."""
    frames = [frame for frame in stack["frames"] if not frame.get("interceptor")]
    if not frames:
        return "?"
    return f"{demangled(frames[0]['function'])} {Path(frames[0]['file']).name}:{frames[0]['line']}"


def sweep(runner: BatchRunner, program: RunOptions, numbers: Sequence[int] | None, stdin: bytes
          ) -> Sweep:  # fmt: skip
    """Fail one allocation after the other; `numbers`: only these."""
    found = Sweep(n_allocations=count_allocations(runner, program, stdin))
    for batch in _batches(numbers):
        runs = (replace(program, inject=(f"malloc={number}",)) for number in batch)
        results = list(runner.runs(program, runs, stdin))  # the host has answered all of them
        for number, result in zip(batch, results, strict=True):
            if not found.add(number, result) and numbers is None:
                return found
        print(f"  {batch[-1]} of {found.n_allocations}", file=sys.stderr)
    return found


def count_allocations(runner: BatchRunner, program: RunOptions, stdin: bytes) -> int:
    """How many allocations a run has in which none fails."""
    [result] = runner.runs(program, [replace(program, inject=(f"malloc={_NEVER}",))], stdin)
    if result.report is None:
        raise SystemExit(f"the program does not run:\n{result.stderr}")
    return int(result.report["injection"]["n_allocations"])


def _batches(numbers: Sequence[int] | None) -> Iterator[Sequence[int]]:
    first = 0
    while numbers is None or first < len(numbers):
        whole = range(first + 1, first + 1 + _BATCH)
        yield whole if numbers is None else numbers[first : first + _BATCH]
        first += _BATCH


def shown(name: str, found: Sweep) -> str:
    """The result as Markdown."""
    endings = ", ".join(f"{n} {words}" for words, n in found.endings.most_common())
    lines = [
        f"{name}: {found.n_allocations} allocations, {found.n_runs} runs with one failure each;"
        f" ended: {endings}; crashes without a finding: {found.n_unreported}",
        "", "| runs | finding | where | behind | token |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for one in sorted(found.found.values(), key=lambda each: -len(each.numbers)):
        cells = [len(one.numbers), one.kind, one.place, one.failure, one.token]
        lines.append("| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", nargs="+", type=Path)
    for option in ("-I", "-D", "-l", "--cflag"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("--stdin", type=Path)
    parser.add_argument("--step", type=int, default=0)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--sanitize", default="address,leak")
    own = sys.argv[1:]
    end = own.index("--") if "--" in own else len(own)
    asked = parser.parse_args(own[:end])
    program = RunOptions(
        tuple(asked.sources), tuple(own[end + 1 :]), includes=tuple(asked.I),
        defines=tuple(asked.D), libraries=tuple(asked.l), cflags=tuple(asked.cflag),
        sanitize=frozenset(asked.sanitize.split(",")), environment=dict(os.environ),
    )  # fmt: skip
    stdin = asked.stdin.read_bytes() if asked.stdin else b""
    with BatchRunner(program, asked.timeout) as runner:
        numbers: Sequence[int] | None = None
        if asked.step or asked.random:
            last = count_allocations(runner, program, stdin)
            numbers = range(1, last + 1, max(asked.step, 1))
            if asked.random:
                numbers = sorted(random.Random(1).sample(numbers, min(asked.random, len(numbers))))
        print(shown(asked.sources[0].name, sweep(runner, program, numbers, stdin)))


if __name__ == "__main__":
    main()
