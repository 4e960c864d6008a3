"""The benchmarks: every program under every tool, side by side, as ratios to native.

    ./dev bench                        all programs, all tools, 3 runs each, default sizes
    ./dev bench --quick                medium sizes, 1 run
    ./dev bench --sizes smoke --only sieve,sort --tools native,irsan-all
    ./dev bench --threads 2,8,64       the programs of four threads, with as many each instead
    ./dev bench --against HEAD~3       each irsan column again with that commit's irsan

What is measured: processor time of the whole process (user + system, all threads) minus that of an
empty program under the same tool (start-up), run right before it; wall time and peak memory of the
whole process are kept beside it.  Runs of one program are interleaved over the tools, and medians
are taken, so that what else the machine does spreads over all columns.  The checksums of all tools
must agree.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from processes import Measured, build_launcher
from programs_list import SIZE_NAMES, Program, find_programs, rows_of
from tables import Cell, Results, to_json, to_markdown
from tools import (
    NATIVE,
    TOOLS,
    Tool,
    Workshop,
    find_compiler,
    is_available,
    of_other_tree,
    other_tree,
)

_EMPTY_SOURCE = "int main(void) { return 0; }\n"
_RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True, slots=True)
class Sample:
    """One run, the processor seconds of an empty program before it, irsan's own timing."""

    measured: Measured
    start_s: float
    timing: dict[str, float]

    @property
    def work_s(self) -> float:
        return self.measured.cpu_s - self.start_s


Samples = dict[tuple[str, str], list[Sample]]
"""By name of the tool and of the size."""


@dataclass(slots=True)
class Bench:
    """One benchmark run: where things are built, the request, the results."""

    workshop: Workshop
    tools: list[Tool]
    size_name: str
    runs: int
    show: Callable[[str], None]
    empty: Path
    starts_s: dict[str, list[float]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What lli does wrong: its cell is left out."""

    @property
    def start_s(self) -> dict[str, float]:
        """Processor seconds that each tool needs for a program that does nothing."""
        return {name: statistics.median(found) for name, found in self.starts_s.items()}

    def build_empty(self) -> None:
        """The empty program under each tool, so that no measured start builds anything."""
        for tool in self.tools:
            self.show(f"start-up of {tool.name}")
            self.workshop.run(tool, self.empty, 0)

    def measure(self, program: Program) -> list[Cell]:
        """One cell per tool and size of a program, runs interleaved."""
        tools = [tool for tool in self.tools if not (tool.on_bitcode and _is_beyond_lli(program))]
        jobs = [(tool, size) for tool in tools for size in self._sizes_of(tool)]
        collected: Samples = {}
        for tool, _ in jobs:
            if tool.kind == "irsan":  # compile and fill the cache
                self.show(f"{program.name}: building for {tool.name}")
                self.workshop.run(tool, program.path, program.sizes["smoke"])
        for number in range(1, self.runs + 1):
            for tool, size in jobs:
                self.show(f"{program.name}: run {number} of {self.runs} under {tool.name}")
                sample = self._sample(program, tool, size)
                if sample is not None:
                    collected.setdefault((tool.name, size), []).append(sample)
        for key in self._wrong(program, collected):
            del collected[key]
        return [self._cell(program, *key, found) for key, found in collected.items()]

    def _sample(self, program: Program, tool: Tool, size: str) -> Sample | None:
        """One run with its start-up; None when it fails."""
        start_s = self.workshop.run(tool, self.empty, 0).cpu_s
        self.starts_s.setdefault(tool.name, []).append(start_s)
        measured = self.workshop.run(tool, program.path, program.sizes[size])
        if measured.status == 0:
            return Sample(measured, start_s, self.workshop.timing(tool, program.path))
        words = measured.errors.strip().splitlines()[:1]
        self._tell(tool.name, f"{program.name}: {tool.name} ended with {measured.status}: {words}")
        return None

    def _sizes_of(self, tool: Tool) -> list[str]:
        """Slow tools run at smaller sizes, and native runs there too, to be compared with."""
        sizes = {self._size_of(other) for other in self.tools} if tool is NATIVE else set()
        return sorted({self._size_of(tool), *sizes}, key=SIZE_NAMES.index, reverse=True)

    def _size_of(self, tool: Tool) -> str:
        return min(self.size_name, tool.size or self.size_name, key=SIZE_NAMES.index)

    def _wrong(self, program: Program, collected: Samples) -> set[tuple[str, str]]:
        """The runs that printed another checksum than the first tool at their size."""
        outputs: dict[str, str] = {}
        wrong = set()
        for (name, size), found in collected.items():
            for measured in [sample.measured for sample in found]:
                if outputs.setdefault(size, measured.output) != measured.output:
                    wrong.add((name, size))
                    self._tell(
                        name,
                        f"{program.name}: {name} printed {measured.output.strip()!r}, "
                        f"not {outputs[size].strip()!r}",
                    )
        return wrong

    def _tell(self, tool_name: str, text: str) -> None:
        (self.notes if tool_name == "lli" else self.problems).append(text)

    def _cell(self, program: Program, tool: str, size: str, found: list[Sample]) -> Cell:
        median = statistics.median
        return Cell(
            program=program.name,
            tool=tool,
            size=size,
            cpu_s=median(sample.measured.cpu_s for sample in found),
            work_s=max(median(sample.work_s for sample in found), 1e-4),
            wall_s=median(sample.measured.wall_s for sample in found),
            run_s=median(sample.timing.get("run_s", 0.0) for sample in found),
            output=found[0].measured.output.strip(),
            peak_bytes=int(median(sample.measured.peak_bytes for sample in found)),
            threads=program.n_threads,
        )


def _is_beyond_lli(program: Program) -> bool:
    return program.uses_threads or program.path.suffix != ".c"


def main(words: Sequence[str]) -> int:
    """Run the benchmarks; 0 when every program ran clean with the same checksum everywhere."""
    options = _parse(words)
    try:
        results, notes = _measure_all(options, find_programs(options.only))
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{options.sizes}.json").write_text(json.dumps(to_json(results), indent=1))
    (options.output / f"{options.sizes}.md").write_text(to_markdown(results))
    print(to_markdown(results))
    for note in notes:
        print(f"bench: {note}", file=sys.stderr)
    return 1 if results.problems else 0


def _measure_all(options: argparse.Namespace, programs: list[Program]) -> tuple[Results, list[str]]:
    """The results and notes of a run; ValueError for a commit that git does not know."""
    with ExitStack() as stack:
        made = stack.enter_context(tempfile.TemporaryDirectory(prefix="irsan-bench-"))
        folder, compiler = Path(made), find_compiler()
        tools = [tool for tool in TOOLS if not options.tools or tool.name in options.tools]
        if options.against:
            tree = stack.enter_context(other_tree(options.against, folder))
            tools = of_other_tree(tools, tree, options.against)
        workshop = Workshop(compiler, folder, options.timeout, build_launcher(compiler, folder))
        empty = folder / "empty.c"
        empty.write_text(_EMPTY_SOURCE)
        tools = [tool for tool in tools if is_available(tool, workshop, empty)]
        bench = Bench(workshop, tools, options.sizes, options.runs, progress(), empty)
        bench.build_empty()
        rows = rows_of(programs, options.threads, folder)
        cells = [cell for program in rows for cell in bench.measure(program)]
    bench.show("")
    name = " ".join(compiler)
    made_of = Results(name, options.sizes, options.runs, bench.start_s, cells, bench.problems)
    return made_of, bench.notes


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="medium sizes, one run")
    parser.add_argument("--only", type=_names, default=(), help="programs, comma-separated")
    parser.add_argument("--tools", type=_names, default=(), help="tools, comma-separated")
    parser.add_argument("--sizes", choices=SIZE_NAMES, default="default")
    parser.add_argument("--runs", type=int, default=3, help="runs per cell; the median counts")
    parser.add_argument("--threads", type=_thread_counts, default=(), help="comma-separated")
    parser.add_argument("--against", default="", metavar="REV", help="compare with another commit")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one process")
    parser.add_argument("--output", type=Path, default=_RESULTS, help="folder of the tables")
    options = parser.parse_args(words)
    if options.quick:
        options.sizes, options.runs = "medium", 1
    unknown = set(options.tools) - {tool.name for tool in TOOLS}
    if unknown:
        names = ", ".join(tool.name for tool in TOOLS)
        parser.error(f"no tool is called {', '.join(sorted(unknown))}; there are: {names}")
    if "native" not in options.tools and options.tools:
        options.tools = ("native", *options.tools)
    return options


def _thread_counts(text: str) -> tuple[int, ...]:
    counts = tuple(int(word) for word in _names(text))
    if any(n < 2 or 256 % n for n in counts):
        raise argparse.ArgumentTypeError("numbers of threads are powers of two, 2 to 256")
    return counts


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def progress() -> Callable[[str], None]:
    """Shows what runs now, on a terminal; an empty text ends it. Silent elsewhere and in CI."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal or os.environ.get("CI"):
        return _show_nothing
    status = console.status("starting")
    status.start()

    def show(text: str) -> None:
        if text:
            status.update(text)
        else:
            status.stop()

    return show


def _show_nothing(_: str) -> None:
    """The progress of a run without a terminal."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
