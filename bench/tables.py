"""The tables: ratios to native per program, geometric means, and the speed budget.

    ratio = work of the tool / work of native, same program, same size
    work  = processor time of the process minus that of an empty program under the same tool

A budget compares geometric means over the programs that both tools ran.
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


@dataclass(frozen=True, slots=True)
class Budget:
    """`tool` may be at most `factor` times as slow as `reference`."""

    tool: str
    reference: str
    factor: float


BUDGETS = (
    Budget("irsan-thread", "tsan", 0.5),
    Budget("irsan-address", "asan", 1.2),
    Budget("irsan-all", "tsan", 1.0),
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
    """A budget held against the measurements; ratios are slowdowns against native."""

    budget: Budget
    tool_ratio: float
    reference_ratio: float

    @property
    def relative(self) -> float:
        return self.tool_ratio / self.reference_ratio

    @property
    def holds(self) -> bool:
        return self.relative <= self.budget.factor


def verdicts(results: Results, measure: str = "work_s") -> list[Verdict]:
    """The budgets whose two tools were both measured."""
    found = []
    for budget in BUDGETS:
        both = [
            name
            for name in results.programs()
            if results.ratio(name, budget.tool) and results.ratio(name, budget.reference)
        ]
        ours = results.mean(budget.tool, both, measure) if both else None
        theirs = results.mean(budget.reference, both, measure) if both else None
        if ours is not None and theirs is not None:
            found.append(Verdict(budget, ours, theirs))
    return found


def to_markdown(results: Results) -> str:
    """All tables as Markdown."""
    parts = [
        f"# Benchmarks: slowdown against `{results.compiler} -O1`",
        f"Size {results.size}, medians of {results.runs} runs, {platform.machine()}, "
        f"Python {platform.python_version()}. Processor time of the process (all threads) minus "
        "that of an empty program under the same tool; Valgrind's tools and the interpreter at the "
        "medium size, lli and the interpreter on its bitcode at the smoke size.",
        _ratio_table(results, "work_s"),
        "Wall time of the whole process, start-up included:",
        _ratio_table(results, "wall_s"),
        _start_table(results),
        _budget_table(results),
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
    return "\n".join(lines)


def _start_table(results: Results) -> str:
    shown = ", ".join(f"{name} {seconds:.3f}" for name, seconds in results.start_s.items())
    return f"Processor seconds for an empty program: {shown}."


def _budget_table(results: Results) -> str:
    lines = [
        "| budget | allowed | processor time | wall time | |",
        "|---|---:|---:|---:|---|",
    ]
    walls = verdicts(results, "wall_s")
    for verdict, wall in zip(verdicts(results), walls, strict=True):
        budget = verdict.budget
        lines.append(
            f"| {budget.tool} against {budget.reference} | {budget.factor:.2f} "
            f"| {verdict.relative:.2f} | {wall.relative:.2f} "
            f"| {'holds' if verdict.holds else 'MISSED'} |"
        )
    return "\n".join(lines) if len(lines) > 2 else ""


def to_json(results: Results) -> dict[str, Any]:
    """The same as data: measurements, ratios, means and verdicts."""
    tools = [name for name in results.tools() if name != "native"]
    return {
        "schema": "irsan-bench/1",
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
        "budget": [
            {**asdict(v.budget), "relative": v.relative, "holds": v.holds}
            for v in verdicts(results)
        ],
        "problems": results.problems,
    }


def _shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"
