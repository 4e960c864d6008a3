"""The benchmark programs and their sizes.

    bench/programs/sieve.c     second line:   // SIZE: default 40, smoke 1

Every program takes its size as its only argument and prints one line with a checksum.

    smoke     milliseconds: does it work at all
    medium    between the two (geometric mean): for tools that are 30 times slower than native
    default   about half a second native

Programs of four threads do the same work with any other number of them (`#define THREADS`).  A
third line `// THREADS: 1, 4` names the numbers that a program of ordinary code is run with, each a
row of the tables; what those programs share is in programs/work.h.
"""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "programs"
SIZE_NAMES = ("smoke", "medium", "default")
_SIZES = re.compile(r"// SIZE: default (\d+), smoke (\d+)")
_THREADS = re.compile(r"// THREADS: ([\d, ]+)")
_SHARED = "work.h"
_SUFFIXES = (".c", ".cpp")


@dataclass(frozen=True, slots=True)
class Program:
    """One source file; `sizes` by name, in the program's own unit.

    thread_counts: the numbers of threads that it is run with, each by itself; empty: as it is.
    """

    path: Path
    sizes: dict[str, int]
    thread_counts: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def uses_threads(self) -> bool:
        text = self.path.read_text()
        return "#include <pthread.h>" in text or f'#include "{_SHARED}"' in text

    @property
    def n_threads(self) -> int:
        """How many threads it has; programs with threads but no choice have four or more."""
        if self.thread_counts:
            return self.thread_counts[0]
        return 4 if self.uses_threads else 1


def find_programs(only: tuple[str, ...]) -> list[Program]:
    """All programs, or those named in `only`; ValueError for a name that is none."""
    paths = sorted(path for path in FOLDER.iterdir() if path.suffix in _SUFFIXES)
    found = [read_program(path) for path in paths]
    unknown = set(only) - {program.name for program in found}
    if unknown:
        names = ", ".join(program.name for program in found)
        raise ValueError(f"no benchmark is called {', '.join(sorted(unknown))}; there are: {names}")
    return [program for program in found if not only or program.name in only]


def rows_of(programs: list[Program], asked: tuple[int, ...], folder: Path) -> Iterator[Program]:
    """The programs as they are measured: those with a choice once for each number of threads.

    asked: numbers of threads to use instead; programs without a choice are left out then.
    """
    for program in programs:
        counts = asked if asked and has_threads(program) else program.thread_counts
        if counts:
            yield from (with_threads(program, n, folder) for n in counts)
        elif not asked:
            yield program


def with_threads(program: Program, n_threads: int, folder: Path) -> Program:
    """The program with another number of threads, its source kept in `folder`."""
    path = folder / f"{program.name}-{n_threads}{program.path.suffix}"
    path.write_text(f"#define THREADS {n_threads}\n{program.path.read_text()}")
    shutil.copy(FOLDER / _SHARED, folder / _SHARED)
    return Program(path, program.sizes, (n_threads,))


def has_threads(program: Program) -> bool:
    """Whether the number of threads can be chosen."""
    text = program.path.read_text()
    return "#ifndef THREADS" in text or f'#include "{_SHARED}"' in text


def read_program(path: Path) -> Program:
    """A program with the sizes its source names; ValueError when it names none."""
    text = path.read_text()
    match, threads = _SIZES.search(text), _THREADS.search(text)
    if match is None:
        raise ValueError(f"{path}: no line '// SIZE: default N, smoke M'")
    default, smoke = int(match[1]), int(match[2])
    medium = max(smoke, round(math.sqrt(default * smoke)))
    counts = tuple(int(word) for word in threads[1].split(",")) if threads else ()
    return Program(path, {"smoke": smoke, "medium": medium, "default": default}, counts)
