"""The tables: ratios to native per program, geometric means, and the speed budget.

    ratio = work of the tool / work of native, same program, same size
    work  = processor time of the process minus that of an empty program under the same tool

A budget compares a tool with another one over the programs that both ran: the geometric mean of the
programs of one thread, that of those of several, and the worst program.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Cell:
    """Medians of one program under one tool at one size; seconds."""

    program: str
    tool: str
    size: str
    cpu_s: float
    work_s: float
    wall_s: float
    run_s: float  # irsan's own timing of the guest; 0 for others
    output: str
    peak_bytes: int = 0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Budget:
    """`tool` takes at most `factor` times the work of `reference`, and `worst` in any program."""

    tool: str
    reference: str
    factor: float
    worst: float


BUDGETS = (
    Budget("irsan-address", "asan", 1.0, 2.0),
    Budget("irsan-address", "asan-frames", 1.0, 2.0),
    Budget("irsan-thread", "tsan", 0.5, 1.0),
    Budget("irsan-all", "tsan", 1.0, 1.0),
    Budget("irsan-memory", "msan", 1.0, 2.0),
    Budget("irsan-memory", "msan-frames", 1.0, 2.0),
)


@dataclass(frozen=True, slots=True)
class Results:
    """Everything one benchmark run found."""

    compiler: str
    size: str
    runs: int
    start_s: dict[str, float]
    cells: list[Cell]
    problems: list[str]

    def tools(self) -> list[str]:
        """Names of the columns, native first."""
        return list(dict.fromkeys(cell.tool for cell in self.cells))

    def programs(self) -> list[str]:
        """Names of the rows."""
        return list(dict.fromkeys(cell.program for cell in self.cells))

    def cell(self, program: str, tool: str) -> Cell | None:
        """What was measured; the biggest size when there are two."""
        return next((c for c in self.cells if (c.program, c.tool) == (program, tool)), None)

    def ratio(self, program: str, tool: str, measure: str = "work_s") -> float | None:
        """Slowdown against native at the same size; None when one of the two is missing."""
        cell = self.cell(program, tool)
        if cell is None:
            return None
        same = [c for c in self.cells if c.program == program and c.size == cell.size]
        native = next((c for c in same if c.tool == "native"), None)
        if native is None:
            return None
        return float(getattr(cell, measure)) / float(getattr(native, measure))

    def mean(
        self, tool: str, programs: Iterable[str] = (), measure: str = "work_s"
    ) -> float | None:
        """Geometric mean of the ratios over programs (default: all)."""
        names = list(programs) or self.programs()
        ratios = [self.ratio(name, tool, measure) for name in names]
        return geometric_mean([ratio for ratio in ratios if ratio is not None])


def geometric_mean(values: list[float]) -> float | None:
    """None for no values."""
    if not values:
        return None
    return math.exp(sum(math.log(value) for value in values) / len(values))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A budget held against the measurements: the tool's work, in parts of the reference's.

    one, several: geometric means over the programs of one thread and of several; None without any.
    """

    budget: Budget
    one: float | None
    several: float | None
    worst: float
    worst_program: str

    @property
    def holds(self) -> bool:
        means = [mean for mean in (self.one, self.several) if mean is not None]
        return max(means) <= self.budget.factor and self.worst <= self.budget.worst


def verdicts(results: Results, measure: str = "work_s") -> list[Verdict]:
    """The budgets whose two tools were both measured."""
    found = []
    for budget in BUDGETS:
        shares = relative(results, budget.tool, budget.reference, measure)
        if shares:
            means = [geometric_mean([*group.values()]) for group in by_threads(results, shares)]
            worst = max(shares, key=lambda name: shares[name])
            found.append(Verdict(budget, means[0], means[1], shares[worst], worst))
    return found


def relative(
    results: Results, tool: str, reference: str, measure: str = "work_s"
) -> dict[str, float]:
    """What a tool takes of each program, in parts of what the reference takes."""
    found = {}
    for program in results.programs():
        ours = results.ratio(program, tool, measure)
        theirs = results.ratio(program, reference, measure)
        if ours is not None and theirs is not None:
            found[program] = ours / theirs
    return found


def by_threads(
    results: Results, shares: dict[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """The programs of one thread, and those of several."""
    several = {cell.program for cell in results.cells if cell.threads > 1}
    one = {name: share for name, share in shares.items() if name not in several}
    return one, {name: share for name, share in shares.items() if name in several}


def to_markdown(results: Results) -> str:
    """All tables as Markdown."""
    parts = [
        f"# Benchmarks: slowdown against `{results.compiler} -O1`",
        f"Size {results.size}, medians of {results.runs} runs, {platform.machine()}, "
        f"Python {platform.python_version()}. Processor time of the process (all threads) minus "
        "that of an empty program under the same tool, run right before it; Valgrind's tools and "
        "the interpreter at the medium size, lli and the interpreter on its bitcode at the smoke "
        "size.",
        _ratio_table(results, "work_s"),
        "Wall time of the whole process, start-up included:",
        _ratio_table(results, "wall_s"),
        "Peak memory of the process, MiB:",
        _memory_table(results),
        _start_table(results),
        _budget_table(results),
        _against_table(results),
    ]
    if results.problems:
        parts.append("Problems:\n" + "\n".join(f"- {text}" for text in results.problems))
    return "\n\n".join(part for part in parts if part) + "\n"


def _ratio_table(results: Results, measure: str) -> str:
    tools = [name for name in results.tools() if name != "native"]
    lines = [
        "| program | native s | " + " | ".join(tools) + " |",
        "|---|---:|" + "---:|" * len(tools),
    ]
    for program in results.programs():
        native = results.cell(program, "native")
        seconds = f"{getattr(native, measure):.3f}" if native else ""
        ratios = [_shown(results.ratio(program, tool, measure)) for tool in tools]
        lines.append(f"| {program} | {seconds} | " + " | ".join(ratios) + " |")
    means = [_shown(results.mean(tool, measure=measure)) for tool in tools]
    lines.append("| **geometric mean** | | " + " | ".join(f"**{mean}**" for mean in means) + " |")
    worst = [_shown(_worst(results, tool, measure)) for tool in tools]
    lines.append("| worst | | " + " | ".join(worst) + " |")
    return "\n".join(lines)


def _worst(results: Results, tool: str, measure: str) -> float | None:
    ratios = [results.ratio(program, tool, measure) for program in results.programs()]
    return max((ratio for ratio in ratios if ratio is not None), default=None)


def _memory_table(results: Results) -> str:
    tools = results.tools()
    lines = ["| program | " + " | ".join(tools) + " |", "|---|" + "---:|" * len(tools)]
    for program in results.programs():
        cells = [results.cell(program, tool) for tool in tools]
        shown = [f"{cell.peak_bytes / 2**20:.0f}" if cell else "" for cell in cells]
        lines.append(f"| {program} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def _start_table(results: Results) -> str:
    shown = ", ".join(f"{name} {seconds:.3f}" for name, seconds in results.start_s.items())
    return f"Processor seconds for an empty program: {shown}."


def _budget_table(results: Results) -> str:
    lines = [
        "| work of, in parts of | allowed | one thread | several | worst, allowed | worst | |",
        "|---|---:|---:|---:|---:|---|---|",
    ]
    for verdict in verdicts(results):
        budget = verdict.budget
        lines.append(
            f"| {budget.tool}, {budget.reference} | {budget.factor:.2f} | {_shown(verdict.one)} "
            f"| {_shown(verdict.several)} | {budget.worst:.2f} "
            f"| {_shown(verdict.worst)} {verdict.worst_program} "
            f"| {'holds' if verdict.holds else 'MISSED'} |"
        )
    return "\n".join(lines) if len(lines) > 2 else ""


def _against_table(results: Results) -> str:
    """What each irsan column takes in parts of the same column of the other commit."""
    pairs = [(name.partition("@")[0], name) for name in results.tools() if "@" in name]
    lines = ["| work of, in parts of | geometric mean | least | most |", "|---|---:|---|---|"]
    for ours, theirs in pairs:
        shares = relative(results, ours, theirs)
        least = min(shares, key=lambda name: shares[name], default="")
        most = max(shares, key=lambda name: shares[name], default="")
        mean = _shown(geometric_mean([*shares.values()]))
        ends = [f"{_shown(shares.get(name))} {name}" for name in (least, most)]
        lines.append(f"| {ours}, {theirs} | {mean} | {ends[0]} | {ends[1]} |")
    return "\n".join(lines) if pairs else ""


def to_json(results: Results) -> dict[str, Any]:
    """The same as data: measurements, ratios, means and verdicts."""
    tools = [name for name in results.tools() if name != "native"]
    return {
        "schema": "irsan-bench/2",
        "compiler": results.compiler,
        "size": results.size,
        "runs": results.runs,
        "start_s": results.start_s,
        "cells": [asdict(cell) for cell in results.cells],
        "ratios": {
            program: {tool: results.ratio(program, tool) for tool in tools}
            for program in results.programs()
        },
        "geometric_means": {tool: results.mean(tool) for tool in tools},
        "budget": [{**asdict(verdict), "holds": verdict.holds} for verdict in verdicts(results)],
        "problems": results.problems,
    }


def _shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"
