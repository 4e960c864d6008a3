"""The benchmark programs and their sizes.

    bench/programs/sieve.c     second line:   // SIZE: default 40, smoke 1

Every program takes its size as its only argument and prints one line with a checksum.

    smoke     milliseconds: does it work at all
    medium    between the two (geometric mean): for tools that are 30 times slower than native
    default   about half a second native

Programs of four threads do the same work with any other number of them (`#define THREADS`).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "programs"
SIZE_NAMES = ("smoke", "medium", "default")
_SIZES = re.compile(r"// SIZE: default (\d+), smoke (\d+)")


@dataclass(frozen=True, slots=True)
class Program:
    """One source file; `sizes` by name, in the program's own unit."""

    path: Path
    sizes: dict[str, int]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def uses_threads(self) -> bool:
        return "#include <pthread.h>" in self.path.read_text()


def find_programs(only: tuple[str, ...]) -> list[Program]:
    """All programs, or those named in `only`; ValueError for a name that is none."""
    found = [read_program(path) for path in sorted(FOLDER.glob("*.c"))]
    unknown = set(only) - {program.name for program in found}
    if unknown:
        names = ", ".join(program.name for program in found)
        raise ValueError(f"no benchmark is called {', '.join(sorted(unknown))}; there are: {names}")
    return [program for program in found if not only or program.name in only]


def with_threads(program: Program, n_threads: int, folder: Path) -> Program:
    """The program with another number of threads, its source kept in `folder`."""
    path = folder / f"{program.name}-{n_threads}.c"
    path.write_text(f"#define THREADS {n_threads}\n{program.path.read_text()}")
    return Program(path, program.sizes)


def has_threads(program: Program) -> bool:
    """Whether the number of threads can be chosen."""
    return "#ifndef THREADS" in program.path.read_text()


def read_program(path: Path) -> Program:
    """A program with the sizes its source names; ValueError when it names none."""
    match = _SIZES.search(path.read_text())
    if match is None:
        raise ValueError(f"{path}: no line '// SIZE: default N, smoke M'")
    default, smoke = int(match[1]), int(match[2])
    medium = max(smoke, round(math.sqrt(default * smoke)))
    return Program(path, {"smoke": smoke, "medium": medium, "default": default})
