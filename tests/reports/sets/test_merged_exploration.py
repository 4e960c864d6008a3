"""Explorations of several programs as one."""

from __future__ import annotations

from irsan.reports.model.exploration import CurvePoint, Exploration, StrategyFacts
from irsan.reports.sets.merged_exploration import merged_exploration

ONE = Exploration(
    12, 5, "", (
        StrategyFacts(
            "pos", 8, 4, 1, (CurvePoint(1, 1, 1), CurvePoint(4, 2, 2), CurvePoint(8, 4, 2))
        ),
        StrategyFacts("surw", 4, 3, 0, (CurvePoint(1, 1, 1), CurvePoint(4, 3, 1))),
    ),
)  # fmt: skip
OTHER = Exploration(
    2, 2, "found", (StrategyFacts("pos", 2, 2, 2, (CurvePoint(1, 1, 1), CurvePoint(2, 2, 3))),)
)


def test_curves_are_summed_where_they_are() -> None:
    merged = merged_exploration([ONE, None, OTHER])
    assert merged is not None
    assert (merged.n_schedules, merged.n_interleavings, merged.stopped) == (14, 7, "found")
    pos, surw = merged.strategies
    assert (pos.n_schedules, pos.n_interleavings, pos.n_findings) == (10, 6, 3)
    assert pos.curve == (
        CurvePoint(1, 2, 2), CurvePoint(2, 3, 4), CurvePoint(4, 4, 5), CurvePoint(8, 6, 5),
    )  # fmt: skip
    assert surw == ONE.strategies[1]


def test_one_stays_as_it_is() -> None:
    assert merged_exploration([None, ONE]) is ONE
    assert merged_exploration([None]) is None
    assert merged_exploration([]) is None
