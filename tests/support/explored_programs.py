"""Programs whose bugs only some schedules show, and the judgement of a run: did it fail as said?

A program under tests/programs_explored/ says in its head lines what is wrong with it:

    // KIND: deadlock                    what a reader of the literature calls it
    // FAILS: deadlock|lost wakeup       the consequence, by any of these, under some schedule
    // STDOUT: equal                     the right output, where FAILS says `output`
    // WHEN: ...                         the order of events that makes it fail
    // PREEMPTIONS: 1                    the least number of preemptions of such an order
    // RACES: why                        it has a data race too, which is no consequence
    // DEFINES: N=3 N=10                 sizes, each of which is a program of its own
    // FAMILY: reorder                   published/: the family whose figures are known
    // DEPTH: 2                          the bug's depth, for PCT's bound
    // MISSED: why                       no schedule shows it yet: a gap of irsan

With FIXED defined it is right: no finding and no wrong result under any schedule.  A consequence is
`assert` (the program's abort), `output`, `exit N`, or the first words of a finding's kind.  A race
or a lock order that could deadlock is no consequence: they are reported of schedules that go well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import RunResult

ROOT = Path(__file__).parent.parent / "programs_explored"
FIXED = ("FIXED",)
RACE = "data race"

_HEAD = re.compile(r"^// ([A-Z]+): (.*)$", re.MULTILINE)
_KINDS = {"assert": "ABRT"}  # a failed assertion ends by this signal
_REQUIRED = ("KIND", "FAILS", "WHEN", "PREEMPTIONS")
_OPTIONAL = ("STDOUT", "RACES", "DEFINES", "FAMILY", "DEPTH", "MISSED")


@dataclass(frozen=True, slots=True)
class ExploredProgram:
    """One program at one size."""

    name: str
    path: Path
    kind: str
    consequences: tuple[str, ...]
    when: str
    preemptions: int
    defines: tuple[str, ...] = ()
    stdout: str | None = None
    races: bool = False
    family: str = ""
    depth: int | None = None
    missed: str = ""

    @property
    def std(self) -> str:
        """The language standard that it is written in."""
        return "c++17" if self.path.suffix == ".cpp" else "c11"

    def options(self, *, fixed: bool = False) -> dict[str, Any]:
        """Fields of RunOptions that build it, or its right twin."""
        return {
            "std": self.std,
            "cflags": ("-D_GNU_SOURCE",),
            "defines": (*self.defines, *(FIXED if fixed else ())),
        }

    def fails_in(self, result: RunResult) -> str:
        """The consequence that a run shows, "" when it shows none."""
        kinds = [str(finding["kind"]) for finding in result.findings]
        return self.consequence(result.exit_status, result.stdout, kinds)

    def consequence(self, exit_status: int, stdout: bytes, kinds: Sequence[str]) -> str:
        """The same, by what a run left behind. kinds: of its findings."""
        for text in self.consequences:
            if text.startswith("exit "):
                shows = exit_status == int(text.removeprefix("exit "))
            elif text == "output":
                shows = stdout.decode(errors="replace") != self.stdout
            else:
                wanted = _KINDS.get(text, text)
                shows = any(kind.startswith(wanted) for kind in kinds)
            if shows:
                return text
        return ""


def discover_programs(folder: str = "") -> list[ExploredProgram]:
    """All programs of a folder, `bugs` or `published`, at all sizes, by name."""
    paths = [path for path in (ROOT / folder).rglob("*.c*") if path.suffix in (".c", ".cpp")]
    return [program for path in sorted(paths) for program in parse_programs(path)]


def parse_programs(path: Path) -> Iterator[ExploredProgram]:
    """The program of a file at each of its sizes."""
    heads = _heads(path)
    sizes = heads["DEFINES"].split() if "DEFINES" in heads else [""]
    for size in sizes:
        number = int(size.partition("=")[2] or 0)
        yield ExploredProgram(
            name=path.stem + (f"_{number}" if size else ""),
            path=path,
            kind=heads["KIND"],
            consequences=tuple(heads["FAILS"].split("|")),
            when=heads["WHEN"],
            preemptions=_preemptions(heads["PREEMPTIONS"], number),
            defines=(size,) if size else (),
            stdout=heads["STDOUT"] + "\n" if "STDOUT" in heads else None,
            races="RACES" in heads,
            family=heads.get("FAMILY", ""),
            depth=int(heads["DEPTH"]) if "DEPTH" in heads else None,
            missed=heads.get("MISSED", ""),
        )


def _heads(path: Path) -> dict[str, str]:
    heads: dict[str, str] = {}
    for name, text in _HEAD.findall(path.read_text(encoding="utf-8")):
        if name not in (*_REQUIRED, *_OPTIONAL):
            raise ValueError(f"{path}: unknown head line {name}; one of {_REQUIRED + _OPTIONAL}")
        heads[name] = f"{heads[name]} {text}" if name in heads else text
    missing = [name for name in _REQUIRED if name not in heads]
    if missing:
        raise ValueError(f"{path}: no head line {missing[0]}")
    return heads


def _preemptions(text: str, number: int) -> int:
    if text == "N-1":
        return number - 1
    return int(text)


def fixed_problems(program: ExploredProgram, result: RunResult) -> list[str]:
    """What is wrong with a run of a right twin, one line each."""
    problems = [f"{finding['kind']}" for finding in result.findings]
    if result.is_timeout:
        problems.append("did not end")
    if result.exit_status != 0:
        problems.append(f"exit status {result.exit_status}")
    wanted = program.stdout
    if wanted is not None and result.stdout.decode(errors="replace") != wanted:
        problems.append(f"printed {result.stdout!r}")
    return [f"{program.name}, seed {result.seed}: {text}" for text in problems]
