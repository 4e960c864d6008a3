"""The file that a recorded run becomes: whole under its name, else a valid prefix beside it.

    FILE.part    while the program runs, and if it cannot be finished
    FILE         once the run is over and all of it is written

A special file (a pipe, /dev/full) is written as it is.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from irsan.errors import UsageError

FORM_OF_ENDING = {".std": "std", ".txt": "std", ".log": "std", ".irt": "binary"}


def form_of(path: Path, form: str | None) -> str:
    """`std` or `binary`: what was asked for, else what the name says.

    Raises UsageError for a name that says nothing.
    """
    if form is not None:
        return form
    name = path.name.removesuffix(".gz")
    found = next((f for ending, f in FORM_OF_ENDING.items() if name.endswith(ending)), None)
    if found is None or (found == "binary" and path.name.endswith(".gz")):
        raise UsageError(f"{path}: say the form of the trace with --format std or binary")
    return found


def part_of(path: Path) -> Path:
    """Where a trace is written until it is whole: a special file itself."""
    if path.exists() and not path.is_file():
        return path
    return path.with_name(f"{path.name}.part")


def open_part(path: Path) -> int:
    """A descriptor for the trace's beginning.  Raises UsageError when it cannot be written."""
    if path.is_dir():
        raise UsageError(f"{path}: is a directory")
    try:
        return os.open(part_of(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a recording.

    sites: the places of the events, rising.  error: why the trace is not whole, "" if it is.
    is_ended: the run has said that it is over.
    n_approximate: releases that are written as locks.
    """

    n_events: int
    sites: list[int]
    error: str
    is_ended: bool
    n_approximate: int

    def to_json(self) -> str:
        """One line; `Recorded(**json.loads(line))` reads it."""
        return json.dumps(asdict(self))

    def why_incomplete(self, path: Path) -> str:
        """The message about a trace that is not whole."""
        why = self.error or "the run ended before its recording"
        return f"{path}: {why}; {part_of(path)} has the first {self.n_events} events of the trace"
