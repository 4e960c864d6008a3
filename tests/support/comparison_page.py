"""docs/comparison.md: what a comparison with the native tools has found, as a page to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tests.support.comparison import Comparison, Difference, reason_for

_INTRODUCTION = """\
# irsan and the native tools

What this is: where irsan and native AddressSanitizer (compiler-rt) say different things
of the same programs, each with its reason.
When to read it: when a report differs from the one you are used to.

Written by `python -m tests.support.comparison --write` on a machine with clang; do not edit. The
programs are those of `memory`, `cpp` and `beyond` that have something to find. Compared: kind, the
access's direction and size, the innermost frame of the program's own in the stacks of access,
allocation and free, and whether the exit status is zero.
"""


def page(results: Sequence[Comparison]) -> str:
    """The whole document."""
    parts = [_INTRODUCTION, _summary(results)]
    parts.append("## What native AddressSanitizer misses and irsan reports\n")
    parts.append(_table(("Program", "irsan reports", "Why it is missed"), _misses(results)))
    parts.append("## What native AddressSanitizer finds and irsan does not\n")
    lost = list(_lost(results))
    parts.append(_table(("Program", "Native report"), lost) if lost else "Nothing.\n")
    parts.append("## Other differences\n")
    others = list(_others(results))
    columns = ("Program", "What", "irsan", "Native", "Reason")
    parts.append(_table(columns, others) if others else "None.\n")
    return "\n".join(parts)


def _summary(results: Sequence[Comparison]) -> str:
    programs = {result.case.name for result in results}
    same = sum(not result.differences for result in results)
    return (
        f"{len(programs)} programs, {len(results)} comparisons at -O0 and -O1; the two agree in "
        f"everything compared in {same} of them.\n"
    )


def _misses(results: Sequence[Comparison]) -> Iterator[tuple[str, ...]]:
    for name, group in groupby(results, key=lambda result: result.case.name):
        seen = list(group)
        missed = [result for result in seen if result.n_irsan and not result.n_native]
        if missed:
            case = missed[0].case
            yield name, case.expectations[0].kind, case.native_reason


def _lost(results: Sequence[Comparison]) -> Iterator[tuple[str, ...]]:
    for result in results:
        if result.n_native and not result.n_irsan:
            yield f"{result.case.name} {result.level}", result.differences[0].native


def _others(results: Sequence[Comparison]) -> Iterator[tuple[str, ...]]:
    rows: dict[tuple[str, ...], list[str]] = {}
    for result in results:
        for one in result.differences:
            if _is_about_presence(result, one):
                continue
            row = (one.program, one.what, one.irsan, one.native, reason_for(result.case, one))
            rows.setdefault(row, []).append(one.level)
    for (program, *rest), levels in rows.items():
        yield f"{program} {', '.join(levels)}", *rest


def _is_about_presence(result: Comparison, one: Difference) -> bool:
    """Whether it is in one of the two tables of misses already."""
    return one.what in ("finding", "exit status") and not (result.n_irsan and result.n_native)


def _table(columns: Sequence[str], rows: Iterator[tuple[str, ...]] | list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
