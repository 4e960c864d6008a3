"""The benchmarks: every program under every tool, side by side, as ratios to native.

    ./dev bench                        all programs, all tools, 3 runs each, default sizes
    ./dev bench --quick                medium sizes, 1 run
    ./dev bench --sizes smoke --only sieve,sort --tools native,irsan-all
    ./dev bench --threads 2,8,64       the programs of four threads, with as many each instead

What is measured: processor time of the whole process (user + system, all threads) minus that of an
empty program under the same tool (start-up); wall time of the whole process is kept beside it.
Runs of one program are interleaved over the tools, and medians are taken, so that what else the
machine does spreads over all columns.  The checksums of all tools must agree.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from processes import Measured
from programs_list import SIZE_NAMES, Program, find_programs, has_threads, with_threads
from tables import Cell, Results, to_json, to_markdown
from tools import NATIVE, TOOLS, Tool, Workshop, find_compiler, is_available

_EMPTY_SOURCE = "int main(void) { return 0; }\n"
_RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(slots=True)
class Bench:
    """One benchmark run: where things are built, the request, the results."""

    workshop: Workshop
    tools: list[Tool]
    size_name: str
    runs: int
    show: Callable[[str], None]
    start_s: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What lli does wrong: its cell is left out."""

    def measure_start(self, empty: Path) -> None:
        """Processor seconds that each tool needs for a program that does nothing."""
        for tool in self.tools:
            self.show(f"start-up of {tool.name}")
            self.workshop.run(tool, empty, 0)
            measured = [self.workshop.run(tool, empty, 0).cpu_s for _ in range(max(3, self.runs))]
            self.start_s[tool.name] = statistics.median(measured)

    def measure(self, program: Program) -> list[Cell]:
        """One cell per tool and size of a program, runs interleaved."""
        tools = [tool for tool in self.tools if not (tool.on_bitcode and program.uses_threads)]
        jobs = [(tool, size) for tool in tools for size in self._sizes_of(tool)]
        collected: dict[tuple[str, str], list[tuple[Measured, dict[str, float]]]] = {}
        for tool, _ in jobs:
            if tool.kind == "irsan":  # compile and fill the cache
                self.show(f"{program.name}: building for {tool.name}")
                self.workshop.run(tool, program.path, program.sizes["smoke"])
        for number in range(1, self.runs + 1):
            for tool, size in jobs:
                self.show(f"{program.name}: run {number} of {self.runs} under {tool.name}")
                measured = self.workshop.run(tool, program.path, program.sizes[size])
                if measured.status != 0:
                    words = measured.errors.strip().splitlines()[:1]
                    told = f"{program.name}: {tool.name} ended with {measured.status}: {words}"
                    self._tell(tool.name, told)
                    continue
                timing = self.workshop.timing(tool, program.path)
                collected.setdefault((tool.name, size), []).append((measured, timing))
        for key in self._wrong(program, collected):
            del collected[key]
        return [self._cell(program, *key, found) for key, found in collected.items()]

    def _sizes_of(self, tool: Tool) -> list[str]:
        """Slow tools run at smaller sizes, and native runs there too, to be compared with."""
        sizes = {self._size_of(other) for other in self.tools} if tool is NATIVE else set()
        return sorted({self._size_of(tool), *sizes}, key=SIZE_NAMES.index, reverse=True)

    def _size_of(self, tool: Tool) -> str:
        return min(self.size_name, tool.size or self.size_name, key=SIZE_NAMES.index)

    def _wrong(
        self,
        program: Program,
        collected: dict[tuple[str, str], list[tuple[Measured, dict[str, float]]]],
    ) -> set[tuple[str, str]]:
        """The runs that printed another checksum than the first tool at their size."""
        outputs: dict[str, str] = {}
        wrong = set()
        for (name, size), found in collected.items():
            for measured, _ in found:
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

    def _cell(
        self, program: Program, tool: str, size: str, found: list[tuple[Measured, dict[str, float]]]
    ) -> Cell:
        cpu_s = statistics.median(measured.cpu_s for measured, _ in found)
        return Cell(
            program=program.name,
            tool=tool,
            size=size,
            cpu_s=cpu_s,
            work_s=max(cpu_s - self.start_s[tool], 1e-4),
            wall_s=statistics.median(measured.wall_s for measured, _ in found),
            run_s=statistics.median(timing.get("run_s", 0.0) for _, timing in found),
            output=found[0][0].output.strip(),
        )


def main(words: Sequence[str]) -> int:
    """Run the benchmarks; 0 when every program ran clean with the same checksum everywhere."""
    options = _parse(words)
    try:
        programs = find_programs(options.only)
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="irsan-bench-") as name:
        workshop = Workshop(find_compiler(), Path(name), options.timeout)
        empty = Path(name) / "empty.c"
        empty.write_text(_EMPTY_SOURCE)
        programs = list(_with_each(programs, options.threads, Path(name)))
        asked = [tool for tool in TOOLS if not options.tools or tool.name in options.tools]
        tools = [tool for tool in asked if is_available(tool, workshop, empty)]
        bench = Bench(workshop, tools, options.sizes, options.runs, progress())
        bench.measure_start(empty)
        cells = [cell for program in programs for cell in bench.measure(program)]
    bench.show("")
    compiler = " ".join(workshop.compiler)
    results = Results(compiler, options.sizes, options.runs, bench.start_s, cells, bench.problems)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{options.sizes}.json").write_text(json.dumps(to_json(results), indent=1))
    (options.output / f"{options.sizes}.md").write_text(to_markdown(results))
    print(to_markdown(results))
    for note in bench.notes:
        print(f"bench: {note}", file=sys.stderr)
    return 1 if bench.problems else 0


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="medium sizes, one run")
    parser.add_argument("--only", type=_names, default=(), help="programs, comma-separated")
    parser.add_argument("--tools", type=_names, default=(), help="tools, comma-separated")
    parser.add_argument("--sizes", choices=SIZE_NAMES, default="default")
    parser.add_argument("--runs", type=int, default=3, help="runs per cell; the median counts")
    parser.add_argument("--threads", type=_thread_counts, default=(), help="comma-separated")
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


def _with_each(
    programs: list[Program], threads: tuple[int, ...], folder: Path
) -> Iterator[Program]:
    """The programs; with numbers of threads asked for, those that have them, once for each."""
    if not threads:
        yield from programs
    for program in programs:
        if threads and has_threads(program):
            yield from (with_threads(program, n, folder) for n in threads)


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
