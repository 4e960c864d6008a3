"""The samples with their frames in files that exist: converters drop places that do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from irsan.reports.model.report import Finding, Stack

N_LINES = 60
SAMPLES_FOLDER = "/src/"


def sources(folder: Path) -> Path:
    """A folder with the sources that the samples name."""
    for name in ("a.c", "b.c"):
        (folder / name).write_text("int line;\n" * N_LINES)
    return folder


def at(finding: Finding, folder: Path) -> Finding:
    """The finding as if the program had been compiled from sources in `folder`."""

    def moved(stack: Stack) -> Stack:
        frames = tuple(
            replace(f, file=f.file.replace(SAMPLES_FOLDER, f"{folder}/")) for f in stack.frames
        )
        return replace(stack, frames=frames)

    return replace(finding, stacks=tuple(moved(stack) for stack in finding.stacks))
