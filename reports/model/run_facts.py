"""Facts of a run that are about no finding: how it was built, on what, what was seen where.

Nothing here says who ran it: no user, no name of a machine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One name of a finding that outlives edits; `name` carries a version: `irsan/v2`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a finding was seen: one run, how often, and the report file that has it."""

    program: str = ""
    command: tuple[str, ...] = ()
    seed: int = 0
    schedule: str = ""
    file: str = ""
    test: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class BuildFacts:
    """What compiled and checked the program: versions as their makers print them."""

    irsan: str = ""
    compiler: str = ""
    llvm: str = ""


@dataclass(frozen=True, slots=True)
class HostFacts:
    """The machine: kernel, processor model and how many processors the run could use."""

    kernel: str = ""
    processor: str = ""
    n_processors: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """What was left out: `n` of `what` (`findings`, `source lines`, ...), and why."""

    what: str
    n: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """Lines `first_line`, ... of a file, as they were when the report was made."""

    file: str
    first_line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MergedFile:
    """A file that `irsan report merge` has read; `problem` is empty when all of it was read."""

    file: str
    program: str = ""
    n_findings: int = 0
    problem: str = ""
