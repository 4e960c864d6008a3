"""Real programs beside the native sanitizers: processor time and peak memory of their work.

    python bench/real_costs.py SOURCES [--only lua,zstd] [--cc clang-19] [--runs 3]

SOURCES and the programs are those of real_programs.py.  Each program is built at -O1 by the
compiler, by it with -fsanitize=address and =thread, and by irsan-cc for the same and for all checks
at once; each build does all steps of the work in a folder of its own.  The runs of all builds take
turns, and medians are taken.

    program | native s | ASan TSan irsan-address irsan-thread irsan-all: parts of native | peaks

Seconds are processor time (user and system, all threads) of all steps, less what an empty program
of the same build takes for each.  What is printed and left in files must be the same in all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from processes import build_launcher, run_measured
from real_list import PROGRAMS, Program, steps, write_inputs
from real_programs import compile_words, find_sources, hashed, native_build
from tables import geometric_mean

_IRSAN = "irsan-cc"
LEAST_S = 1e-3  # what a work that its start hides is said to take
_TIMEOUT_S = 900.0
_TIMES = 6  # as much text as for the comparison of results
_LONGER = {
    "lua": steps("work.lua 400"), "tinyxml2": steps("200"),
    "pbzip2": steps("-k -q -p8 -b1 text", "-d -c -q -p8 text.bz2"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Build:
    """A column: who compiles, and for which checks."""

    name: str
    is_irsan: bool = False
    flags: tuple[str, ...] = ()

    def compiler(self, cc: str) -> str:
        """The words before a program's own."""
        return " ".join([_IRSAN if self.is_irsan else cc, *self.flags])


BUILDS = (
    Build("native"),
    Build("asan", flags=("-fsanitize=address",)),
    Build("tsan", flags=("-fsanitize=thread",)),
    Build("irsan-address", True, ("-fsanitize=address",)),
    Build("irsan-thread", True, ("-fsanitize=thread",)),
    Build("irsan-all", True),
)
PAIRS = (("irsan-address", "asan"), ("irsan-thread", "tsan"), ("irsan-all", "tsan"))


@dataclass(slots=True)
class Work:
    """All steps of one build of one program, run by run."""

    seconds: list[float] = field(default_factory=list)
    peak_bytes: int = 0
    left: str = ""


def starts_of(
    builds: Iterable[Build],
    binary_of: Callable[[Path, Build], Path],
    launcher: Path,
    folder: Path,
    n_runs: int,
) -> dict[str, float]:
    """Processor seconds of an empty program of each build: medians of `n_runs`."""
    empty = folder / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    starts = {}
    for build in builds:
        command = [str(binary_of(empty, build))]
        runs = [run_measured(launcher, command, {}, _TIMEOUT_S, folder) for _ in range(n_runs)]
        starts[build.name] = statistics.median([one.cpu_s for one in runs])
    return starts


def use_compiler(parser: argparse.ArgumentParser, cc: str) -> None:
    """Make the native compiler the front end of all columns; ends the script if one is missing."""
    os.environ["IRSAN_CC"] = cc
    missing = [one for one in (cc.split()[0], _IRSAN) if shutil.which(one) is None]
    if missing:
        parser.error(f"there is no {missing[0]} on PATH")


class Bench:
    """The folder, the launcher and what an empty program of each build takes."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options, self._folder = options, folder
        self._launcher = build_launcher(options.cc.split(), folder)
        write_inputs(folder / "inputs", _TIMES)
        nothing = Program("empty", (), ())
        self._starts = starts_of(
            BUILDS, lambda empty, build: self._binary(nothing, build, [], [empty]),
            self._launcher, folder, 3 * options.runs,
        )  # fmt: skip

    def row(self, program: Program) -> dict[str, Work] | None:
        """Runs of all builds in turn; None where the sources are missing."""
        found = list(find_sources(program, self._options.sources, self._folder / "inputs"))
        if not found:
            return None
        words = list(compile_words(program, self._options.sources, self._folder / "inputs"))
        binaries = {one.name: self._binary(program, one, words, found) for one in BUILDS}
        works = {one.name: Work() for one in BUILDS}
        for _ in range(self._options.runs + 1):  # the first warms caches
            for build in BUILDS:
                self._do(program, build, binaries[build.name], works[build.name])
        for work in works.values():
            del work.seconds[0]
        return works

    def _binary(self, program: Program, build: Build, words: list[str], found: list[Path]) -> Path:
        name = program.name.replace("/", "-")
        binary = self._folder / f"{name}.{build.name}"
        compiler = build.compiler(self._options.cc)
        native_build(compiler, program, words, found, binary)
        return binary

    def _do(self, program: Program, build: Build, binary: Path, work: Work) -> None:
        place = self._folder / "place"
        shutil.copytree(self._folder / "inputs", place)
        total, left = 0.0, []
        for step in _LONGER.get(program.name, program.steps):
            seconds, peak, text = self._run([str(binary), *step.arguments], step.stdin, place)
            total += seconds - self._starts[build.name]
            work.peak_bytes = max(work.peak_bytes, peak)
            left.append(text)
        left += [f"{path.name} {hashed(path.read_bytes())}" for path in sorted(place.iterdir())]
        shutil.rmtree(place)
        work.seconds.append(total)
        work.left = "\n".join(left)

    def _run(self, command: list[str], stdin: str, place: Path) -> tuple[float, int, str]:
        """Processor seconds, peak and output of a step."""
        if stdin:
            command = ["/bin/sh", "-c", 'exec "$@" < "$0"', stdin, *command]
        done = run_measured(self._launcher, command, {}, _TIMEOUT_S, place)
        return done.cpu_s, done.peak_bytes, done.output


def main() -> int:
    """Print the table; the status is the number of programs whose builds differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--cc", default="clang", help="the native compiler")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    options.sources = options.sources.resolve()
    use_compiler(parser, options.cc)
    wanted = {name for name in options.only.split(",") if name}
    names = [build.name for build in BUILDS]
    shares: dict[tuple[str, str], list[float]] = {pair: [] for pair in PAIRS}
    bad = 0
    with tempfile.TemporaryDirectory(prefix="real-costs-") as folder:
        bench = Bench(options, Path(folder))
        print(f"| program | native s | {' | '.join(names[1:])} | MiB: {' | '.join(names)} |")
        print("|---|" + "---:|" * (2 * len(names)))
        for program in PROGRAMS:
            if wanted and program.name not in wanted:
                continue
            try:
                works = bench.row(program)
            except subprocess.CalledProcessError as error:
                print(f"{program.name}: {error}", file=sys.stderr)
                bad += 1
                continue
            if works is None:
                print(f"{program.name}: sources not there: skipped", file=sys.stderr)
                continue
            seconds = {name: max(statistics.median(works[name].seconds), LEAST_S) for name in names}
            for ours, theirs in PAIRS:
                shares[ours, theirs].append(seconds[ours] / seconds[theirs])
            print(_line(program.name, works, seconds), flush=True)
            differ = [name for name in names if works[name].left != works["native"].left]
            bad += bool(differ)
            if differ:
                print(f"{program.name}: {', '.join(differ)} left something else", file=sys.stderr)
    for (ours, theirs), values in shares.items():
        mean = geometric_mean(values)
        print(f"{ours} beside {theirs}: {mean or 0:.2f}, worst {max(values, default=0):.2f}")
    return bad


def _line(name: str, works: dict[str, Work], seconds: dict[str, float]) -> str:
    ratios = [f"{seconds[one] / seconds['native']:.1f}" for one in works if one != "native"]
    peaks = [f"{work.peak_bytes / (1 << 20):.0f}" for work in works.values()]
    return f"| {name} | {seconds['native']:.2f} | {' | '.join(ratios)} | {' | '.join(peaks)} |"


if __name__ == "__main__":
    sys.exit(main())
