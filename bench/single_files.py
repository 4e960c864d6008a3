"""Programs of one file each, from a folder that others wrote, beside the native sanitizers.

    python bench/single_files.py FOLDER [--only text,...] [--columns asan,irsan-address]
                                 [--cc clang-19] [--runs 1] [--word=-I... ] [--least 0.1] [--most 8]

Each source of C or C++ below FOLDER that is a program is built at -O1 by the compiler and for each
column of real_costs.py. Programs that natively fail, or take less or more seconds than `--least`
and `--most`, are left out. The runs of all builds take turns; medians of processor time, less that
of an empty program of the same build, in parts of the native one.

    program | native s | a column each | irsan's columns in parts of the native tools'

The folder is that of the llvm-test-suite's SingleSource/Benchmarks, or any other.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from processes import Measured, build_launcher, run_measured
from real_costs import BUILDS, LEAST_S, PAIRS, Build, starts_of, use_compiler
from real_programs import for_cxx
from tables import geometric_mean

_SUFFIXES = (".c", ".cc", ".cpp")
_SLOWEST = 40  # times the native time, until a run is ended
_NATIVE = BUILDS[0]


class SingleFiles:
    """The folder for what is made, and what an empty program of each build takes."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options, self._folder = options, folder
        self._launcher = build_launcher(options.cc.split(), folder)
        self.builds = [one for one in BUILDS if one.name in options.columns.split(",")]
        self._starts = starts_of((_NATIVE, *self.builds), self._binary, self._launcher, folder, 6)

    def row(self, source: Path) -> dict[str, float] | None:
        """Processor seconds of each build of a program; None for what is left out."""
        try:
            native = self._binary(source, _NATIVE)
        except subprocess.CalledProcessError:
            return None
        first = self._run(native, source.parent, 2 * self._options.most)
        if first.status or not self._options.least <= first.cpu_s <= self._options.most:
            return None
        try:
            binaries = {build.name: self._binary(source, build) for build in self.builds}
        except subprocess.CalledProcessError as error:
            print(f"{source}: {error.cmd[0]} does not compile it", file=sys.stderr)
            return None
        return self._timed(source, {_NATIVE.name: native} | binaries, first)

    def _timed(
        self, source: Path, binaries: dict[str, Path], first: Measured
    ) -> dict[str, float] | None:
        limit_s = _SLOWEST * first.cpu_s + 10
        seconds: dict[str, list[float]] = {name: [] for name in binaries}
        for turn in range(self._options.runs + 1):  # the first warms caches
            for name, binary in binaries.items():
                done = self._run(binary, source.parent, limit_s)
                if done.status < 0:
                    print(f"{source}: {name} ended by signal {-done.status}", file=sys.stderr)
                    return None
                if turn:
                    seconds[name].append(max(done.cpu_s - self._starts[name], LEAST_S))
        for binary in binaries.values():
            binary.unlink()
        return {name: statistics.median(runs) for name, runs in seconds.items()}

    def _binary(self, source: Path, build: Build) -> Path:
        cc = build.compiler(self._options.cc)
        compiler = cc if source.suffix == ".c" else for_cxx(cc)
        binary = self._folder / f"{source.stem}.{build.name}"
        words = ["-O1", "-g", "-w", *self._options.word]
        command = [*compiler.split(), *words, str(source), "-o", str(binary), "-lm"]
        subprocess.run(command, capture_output=True, check=True)
        return binary

    def _run(self, binary: Path, place: Path, limit_s: float) -> Measured:
        return run_measured(self._launcher, [str(binary)], {}, limit_s, place)


def paths_below(folder: Path, suffixes: tuple[str, ...], only: str) -> Iterator[Path]:
    """Files of a kind whose path has one of the texts of `only`; all without any."""
    wanted = [text for text in only.split(",") if text]
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes and (not wanted or any(text in str(path) for text in wanted)):
            yield path


def shares_line(shares: list[float]) -> str:
    """Mean and worst of what programs take in parts of a native tool's time."""
    above = sum(share > 2 for share in shares)
    mean, worst = geometric_mean(shares) or 0, max(shares, default=0)
    return f"{len(shares)} programs, mean {mean:.2f}, worst {worst:.2f}, {above} above 2.0"


def main() -> int:
    """Print the table and the geometric means."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="parts of paths, separated by commas")
    parser.add_argument("--columns", default="asan,irsan-address", help="those of real_costs.py")
    parser.add_argument("--cc", default="clang", help="the native compiler")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--word", action="append", default=[], help="another for the compilers")
    parser.add_argument("--least", type=float, default=0.1, help="native seconds of a program")
    parser.add_argument("--most", type=float, default=8.0)
    options = parser.parse_args()
    use_compiler(parser, options.cc)
    unknown = set(options.columns.split(",")) - {build.name for build in BUILDS[1:]}
    if unknown:
        parser.error(f"no column {min(unknown)}: {', '.join(build.name for build in BUILDS[1:])}")
    with tempfile.TemporaryDirectory(prefix="single-files-") as folder:
        bench = SingleFiles(options, Path(folder))
        names = [build.name for build in bench.builds]
        pairs = [pair for pair in PAIRS if set(pair) <= set(names)]
        shares: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
        heads = [*names, *(" / ".join(pair) for pair in pairs)]
        print(f"| program | native s | {' | '.join(heads)} |\n|---|---:|{'---:|' * len(heads)}")
        for source in paths_below(options.folder.resolve(), _SUFFIXES, options.only):
            found = bench.row(source)
            if found is None:
                continue
            parts = [found[name] / found[_NATIVE.name] for name in names]
            for pair in pairs:
                shares[pair].append(found[pair[0]] / found[pair[1]])
                parts.append(shares[pair][-1])
            cells = " | ".join(f"{part:.2f}" for part in parts)
            name = source.relative_to(options.folder.resolve())
            print(f"| {name} | {found[_NATIVE.name]:.2f} | {cells} |", flush=True)
    for (ours, theirs), values in shares.items():
        print(f"{ours} beside {theirs}: {shares_line(values)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
