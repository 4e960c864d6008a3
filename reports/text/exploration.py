"""Many schedules as text: a line about all, a table of strategies, a table of outcomes.

Each outcome has the token that replays the first schedule that ended so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from irsan.reports.derived.outcomes import MAX_OUTCOMES, outcome_words, words_of
from irsan.reports.model.exploration import Exploration, Explored, OutcomeFacts

_CLAIM_WIDTH: Final = 100
_WHY: Final = {
    "found": "stopped at the first schedule that shows something",
    "time": "stopped when the time was over",
}


def format_exploration(facts: Exploration, n_findings: int) -> str:
    """The tables, final newline included."""
    why = f", {_WHY[facts.stopped]}" if facts.stopped else ""
    lines = [
        f"irsan explore: {_counted(facts.n_schedules, 'schedule')}{why}: "
        f"{_counted(facts.n_interleavings, 'distinct interleaving')}, "
        f"{_counted(n_findings, 'finding')}, {_counted(len(facts.outcomes), 'outcome')}",
        *(["", *textwrap.wrap(facts.claim, _CLAIM_WIDTH)] if facts.claim else []),
        "",
        *_strategies(facts),
        "",
        *_outcomes(facts.outcomes),
    ]
    return "\n".join(lines) + "\n"


def found_by(explored: Explored, n_schedules: int) -> str:
    """A line behind a finding: who was first, and how many have found it."""
    return (
        f"found first by {words_of(explored.first)}, "
        f"by {explored.n_schedules:,} of {_counted(n_schedules, 'schedule')}\n"
    )


def _strategies(facts: Exploration) -> list[str]:
    head = ("strategy", "schedules", "interleavings", "findings first")
    rows = [
        (each.name, f"{each.n_schedules:,}", f"{each.n_interleavings:,}", f"{each.n_findings:,}")
        for each in facts.strategies
    ]
    return table([head, *rows], n_words=1)


def _outcomes(outcomes: Sequence[OutcomeFacts]) -> list[str]:
    head = ("schedules", "outcome", "first", "token")
    rows = [
        (f"{each.n_schedules:,}", outcome_words(each), words_of(each.first), each.first.schedule)
        for each in outcomes[:MAX_OUTCOMES]
    ]
    lines = table([head, *rows], n_figures=1)
    n_more = len(outcomes) - MAX_OUTCOMES
    return [*lines, f"  and {n_more:,} more outcomes"] if n_more > 0 else lines


def table(
    rows: Sequence[Sequence[str]], *, n_words: int = 0, n_figures: int = 0
) -> list[str]:
    """Lines of cells in columns: words first and figures behind, or figures first."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    is_figure = [n >= n_words if n_words else n < n_figures for n in range(len(widths))]
    lines = (
        "  ".join(
            cell.rjust(width) if figure else cell.ljust(width)
            for cell, width, figure in zip(row, widths, is_figure, strict=True)
        )
        for row in rows
    )
    return [f"  {line}".rstrip() for line in lines]


def _counted(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"
