"""Which operations of the interpreter run, and which run behind which: which pairs deserve one
operation.

    python bench/operation_pairs.py [--sanitize WORDS] [--size smoke] [--only NAME,...]

Each operation of a machine built for this begins with a count of itself behind the last one, in a
table that this process shares with the runs.  A share is the mean of the programs' shares, so no
program counts for more than another.  A helper belongs to the `call` that enters it.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from bench.programs_list import Program, find_programs
from irsan.engine.cache import Cache, open_cache
from irsan.engine.interp.machine import build_machine
from irsan.engine.interp.opcodes import NUMBERS, OPCODES
from irsan.engine.options import RunOptions
from irsan.engine.runtime_image.source_hash import interp_sources_hash

N_OPERATIONS = len(OPCODES)
N_ROWS = 24
COPIED = ("runtime", "libraries", "compiler-version", "llvm-version")


class Counts:
    """Pairs of operations, counted in memory that forks share."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, (N_OPERATIONS + 1) * N_OPERATIONS * 8)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        words: NDArray[np.uint64] = np.frombuffer(self.memory, np.uint64)
        self.pairs = words[: N_OPERATIONS**2].reshape(N_OPERATIONS, N_OPERATIONS)

    def prologue(self, number: int) -> list[str]:
        """LLVM lines that count operation `number` behind the last one, and are the last one's."""
        last = f"ptr inttoptr (i64 {self.address + N_OPERATIONS**2 * 8} to ptr)"
        return [
            f"  %c.last = load i64, {last}",
            f"  %c.row = mul i64 %c.last, {N_OPERATIONS}",
            f"  %c.pair = add i64 %c.row, {number}",
            f"  %c.at = getelementptr i64, ptr inttoptr (i64 {self.address} to ptr), i64 %c.pair",
            "  %c.old = load i64, ptr %c.at",
            "  %c.new = add i64 %c.old, 1",
            "  store i64 %c.new, ptr %c.at",
            f"  store i64 {number}, {last}",
        ]

    def take(self) -> NDArray[np.float64]:
        """Shares of all pairs since the last call, (N, N), the first operation's number first."""
        shares = self.pairs / max(1, int(self.pairs.sum()))
        self.pairs[:] = 0
        return np.asarray(shares, np.float64)


def counting_cache(folder: Path, counts: Counts) -> None:
    """A cache in `folder` whose machine counts; the rest of use is copied from the user's."""
    own, cache = open_cache().root, Cache(folder)
    assert cache.root is not None
    for name in COPIED:
        if own is not None and (own / name).is_dir():
            shutil.copytree(own / name, cache.root / name)
    cache.put("machine", interp_sources_hash(), build_machine(counts.prologue))


def run(program: Program, size: str, sanitize: frozenset[str], environment: dict[str, str]) -> int:
    """Run a program under the interpreter in a fork; returns its exit status."""
    from irsan.engine.commands import session

    options = RunOptions(
        programs=(program.path,), arguments=(str(program.sizes[size]),), engine="interp",
        sanitize=sanitize, environment=environment,
    )  # fmt: skip
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        session.run(options)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def print_tables(shares: NDArray[np.float64]) -> None:
    """The most frequent operations and pairs, as Markdown."""
    names = list(NUMBERS)
    singles = Counter(dict(zip(names, shares.sum(axis=0), strict=True)))
    pairs = Counter({
        f"{first} {second}": float(shares[i, j])
        for i, first in enumerate(names) for j, second in enumerate(names)
    })  # fmt: skip
    for title, counted in (("operation", singles), ("pair", pairs)):
        print(f"| {title} | share, % |\n|---|---:|")
        for name, share in counted.most_common(N_ROWS):
            print(f"| `{name}` | {100 * share:.1f} |")
        print()


def main(
    sanitize: Annotated[str, typer.Option(help="Checks, comma separated.")] = "leak",
    size: Annotated[str, typer.Option(help="smoke, medium or default.")] = "smoke",
    only: Annotated[str, typer.Option(help="Programs, comma separated.")] = "",
) -> None:
    """Count the operations that the benchmark programs run."""
    counts, shares = Counts(), []
    with tempfile.TemporaryDirectory() as folder:
        counting_cache(Path(folder), counts)
        environment = {**os.environ, "IRSAN_CACHE_DIR": folder}
        for program in find_programs(tuple(filter(None, only.split(",")))):
            status = run(program, size, frozenset(sanitize.split(",")), environment)
            if status:
                raise SystemExit(f"{program.name} ended with status {status}")
            shares.append(counts.take())
    print_tables(np.mean(shares, axis=0))


if __name__ == "__main__":
    typer.run(main)
