"""Programs of several files that others wrote, built by their own cmake, beside native sanitizers.

    for each compiler:  cmake -S llvm-test-suite -B TREE -DCMAKE_C_COMPILER=irsan-cc
                              -DCMAKE_CXX_COMPILER=irsan-c++ -DCMAKE_BUILD_TYPE=None
                              -DCMAKE_C_FLAGS="-O1 -g -w -fsanitize=address" (C++ alike)
                              -DTEST_SUITE_SUBDIRS=MultiSource/Benchmarks
                        cmake --build TREE
    python bench/built_trees.py NATIVE ASAN IRSAN [--only text,...] [--runs 1] [--least 0.1]

Each `.test` file of NATIVE says how a program is run; it is run so in each tree, in turn.  Leaks
are not looked for.  A line for each program that takes `--least` seconds natively, for each that
prints something else than the native one, and for each that ends otherwise, with its summary:

    program | native s | ASAN s | IRSAN s | IRSAN / ASAN | what is different

Processor time with that of the start, medians.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import Measured, build_launcher, run_measured
from single_files import paths_below, shares_line

_SLOWEST = 40  # times the native time, until a run is ended
_MOST_S = 300.0  # of the first run of each, which may make code
_ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0"}


def command_of(test: Path) -> str:
    """The shell command of a `.test` file, with %S for the folder of the program."""
    lines = test.read_text().splitlines()
    return "; ".join(line.removeprefix("RUN:").strip() for line in lines if line.startswith("RUN:"))


class Trees:
    """Built trees, the native one first, and what starts their programs."""

    def __init__(self, trees: list[Path], launcher: Path, runs: int) -> None:
        self._trees, self._launcher, self._runs = trees, launcher, runs

    def row(self, test: Path, least_s: float) -> tuple[list[float], list[str]] | None:
        """Seconds in each tree, and what was different; None for what is left out."""
        native = self._run(self._trees[0], test, _MOST_S)
        if native.status:
            return None
        limit_s = _SLOWEST * native.cpu_s + 30
        seconds: list[list[float]] = [[native.cpu_s], *([] for _ in self._trees[1:])]
        different = []
        for turn in range(self._runs + 1):  # the first warms caches
            for number, tree in enumerate(self._trees):
                done = self._run(tree, test, limit_s if turn else _MOST_S)
                if turn:
                    seconds[number].append(done.cpu_s)
                elif said := _difference(done, native):
                    different.append(f"{tree.name}: {said}")
        if native.cpu_s < least_s and not different:
            return None
        return [statistics.median(one) for one in seconds], different

    def _run(self, tree: Path, test: Path, limit_s: float) -> Measured:
        place = (tree / test).parent
        text = command_of(self._trees[0] / test)
        text = text.replace("%S", str(place)).replace("%b", str(self._trees[0]))
        return run_measured(self._launcher, ["sh", "-c", text], _ENVIRONMENT, limit_s, place)


def _difference(done: Measured, native: Measured) -> str:
    if done.status:
        summary = [line for line in done.errors.splitlines() if line.startswith("SUMMARY")]
        said = summary[0] if summary else " ".join(done.errors.split())[-200:]
        return f"status {done.status} {said}"
    return "" if done.output == native.output else "another output"


def main() -> int:
    """Print the table and the geometric mean of the last tree beside the one before."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path, help="native, others")
    parser.add_argument("--only", default="", help="parts of paths, separated by commas")
    parser.add_argument("--cc", default="clang", help="compiles what starts the programs")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.1, help="native seconds of a program")
    options = parser.parse_args()
    trees = [tree.resolve() for tree in options.trees]
    missing = [tree for tree in trees if not tree.is_dir()]
    if len(trees) < 3 or missing:
        parser.error(f"no folder {missing[0]}" if missing else "three trees at least")
    names = [tree.name for tree in trees]
    print(
        f"| program | {' | '.join(f'{name} s' for name in names)} | {names[-1]} / {names[-2]} | |"
    )
    print(f"|---|{'---:|' * (len(names) + 1)}---|")
    shares = []
    with tempfile.TemporaryDirectory(prefix="built-trees-") as folder:
        try:
            launcher = build_launcher(options.cc.split(), Path(folder))
        except (OSError, subprocess.CalledProcessError) as error:
            parser.error(f"{options.cc}: {error}")
        bench = Trees(trees, launcher, options.runs)
        for path in paths_below(trees[0], (".test",), options.only):
            test = path.relative_to(trees[0])
            found = bench.row(test, options.least)
            if found is None:
                continue
            seconds, different = found
            share = seconds[-1] / max(seconds[-2], 1e-3)
            if not different:
                shares.append(share)
            cells = " | ".join(f"{one:.2f}" for one in seconds)
            print(f"| {test.with_suffix('')} | {cells} | {share:.2f} | {'; '.join(different)} |",
                  flush=True)  # fmt: skip
    print(shares_line(shares))
    return 0


if __name__ == "__main__":
    sys.exit(main())
