"""Facts of a run that are about no finding: how it was built, on what, what was seen where.

Nothing here says who ran it: no user, no name of a machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irsan.reports.model.locations import Address


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


@dataclass(frozen=True, slots=True)
class AccessCount:
    """How often an address was accessed: a statistic of DumbSanitizer, no finding.

    `name`, `file` and `line` are those of a global; of a heap block, where it was allocated; else
    of the first access.
    """

    address: Address
    count: int
    kind: Literal["global", "heap", "other"]
    name: str = ""
    file: str = ""
    line: int = 0
