"""Scudo's GWP-ASan reports as findings: frames are addresses, which llvm-symbolizer names.

    kind at 0x.. (..) by thread 1 here:   frames of the access, or of the free that is wrong
    0x.. was deallocated by ...           frames of the free
    0x.. was allocated by ...             frames of the allocation

Frames are return addresses, but for the one that faulted: the first behind the signal's own frame,
which is the C library's, behind those of the handler, which is in the program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BEGIN = "*** GWP-ASan detected a memory error ***"
END = "*** End GWP-ASan report ***"
_FREES = ("Double Free", "Invalid (Wild) Free")
_HEAD = re.compile(
    r"^(Use After Free|Buffer Overflow|Buffer Underflow|Double Free|Invalid \(Wild\) Free)\b"
)
_OTHER_STACK = re.compile(r"^0x[0-9a-f]+ was (deallocated|allocated) by thread")
_FRAME = re.compile(
    r"^  #\d+ (?P<path>.*)\((?P<symbol>.*)\+(?:0x)?(?P<offset>\w+)\) \[0x(?P<pc>\w+)\]"
)
_PLACE = re.compile(r"^(.*):(\d+)(?: .*)?$")


def find_symbolizer() -> str | None:
    """An llvm-symbolizer, or None."""
    names = ("llvm-symbolizer-19", "llvm-symbolizer")
    return next((name for name in names if shutil.which(name)), None)


def guarded_findings(text: str, executable: Path, source: Path) -> Iterator[dict[str, Any]]:
    """The findings of a report; `source` is the file whose frames count as the program's own."""
    for block in text.split(BEGIN)[1:]:
        lines = block.partition(END)[0].splitlines()
        kind = next(match[1] for line in lines if (match := _HEAD.match(line)))
        stacks = []
        for role, counters in _stacks(lines, executable):
            is_fault = role == "access" and kind not in _FREES
            faulting = _faulting_frame(counters) if is_fault else -1
            frames = _frames(counters, faulting, executable, source)
            stacks.append({"role": role, "frames": frames})
        yield {"tool": "GWP-ASan", "kind": kind, "stacks": stacks}


def _stacks(lines: list[str], executable: Path) -> Iterator[tuple[str, list[int]]]:
    """(role, frames) of each stack: offsets in the executable, 0 for frames of libraries."""
    base = _load_base(lines, executable)
    role, counters = "", list[int]()
    for line in [*lines, "0x0 was allocated by thread"]:
        other = _OTHER_STACK.match(line)
        if other or _HEAD.match(line):
            if role:
                yield role, counters
            role, counters = {"deallocated": "free", "allocated": "allocation"}.get(
                other[1] if other else "", "access"
            ), []  # fmt: skip
        frame = _FRAME.match(line)
        if frame:
            is_own = Path(frame["path"]).name == executable.name
            counters.append(int(frame["pc"], 16) - base if is_own else 0)


def _faulting_frame(counters: list[int]) -> int:
    """Index of the frame behind the signal's."""
    return counters.index(0) + 1 if 0 in counters else -1


def _load_base(lines: list[str], executable: Path) -> int:
    for line in lines:
        frame = _FRAME.match(line)
        if frame and Path(frame["path"]).name == executable.name and not frame["symbol"]:
            return int(frame["pc"], 16) - int(frame["offset"], 16)
    return 0


def _frames(
    counters: list[int], faulting: int, executable: Path, source: Path
) -> list[dict[str, Any]]:
    found = []
    for index, counter in enumerate(counters):
        at = counter if index == faulting else counter - 1
        places = _places(at, executable) if counter else []
        own = [(file, line) for file, line in places if Path(file).name == source.name]
        found += [{"function": "", "file": file, "line": line} for file, line in own]
    return found


def _places(offset: int, executable: Path) -> list[tuple[str, int]]:
    """(file, line) of an address of the executable, inlined calls first."""
    symbolizer = find_symbolizer()
    assert symbolizer is not None
    command = [symbolizer, f"--obj={executable}", "--inlines", "--output-style=GNU"]
    outcome = subprocess.run(
        [*command, "--no-demangle", f"{offset:#x}"], capture_output=True, text=True, check=True
    )
    matches = [_PLACE.match(line) for line in outcome.stdout.splitlines()]
    return [(match[1], int(match[2])) for match in matches if match]
