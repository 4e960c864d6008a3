"""Explorations of several programs as one: sums, and curves by schedules of each program."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from irsan.reports.model.exploration import CurvePoint, Exploration, StrategyFacts


def merged_exploration(explorations: Iterable[Exploration | None]) -> Exploration | None:
    """The sum of all that there are; a single one stays as it is.

    Ways to end are each program's own, so a sum has none.
    """
    every = [one for one in explorations if one is not None]
    if len(every) <= 1:
        return every[0] if every else None
    names = dict.fromkeys(each.name for one in every for each in one.strategies)
    return Exploration(
        sum(one.n_schedules for one in every),
        sum(one.n_interleavings for one in every),
        next((one.stopped for one in every if one.stopped), ""),
        tuple(
            _joined([each for one in every for each in one.strategies if each.name == name])
            for name in sorted(names)
        ),
    )


def _joined(facts: Sequence[StrategyFacts]) -> StrategyFacts:
    return StrategyFacts(
        facts[0].name,
        sum(each.n_schedules for each in facts),
        sum(each.n_interleavings for each in facts),
        sum(each.n_findings for each in facts),
        _curve([each.curve for each in facts if each.curve]),
    )


def _curve(curves: Sequence[Sequence[CurvePoint]]) -> tuple[CurvePoint, ...]:
    """What was shown behind n schedules of each program, or all of its own where it had fewer."""
    numbers = sorted({point.n_schedules for curve in curves for point in curve})
    return tuple(
        CurvePoint(
            n,
            sum(point.n_interleavings for point in points),
            sum(point.n_shown for point in points),
        )
        for n in numbers
        if (points := [point for curve in curves for point in _at(curve, n)])
    )


def _at(curve: Sequence[CurvePoint], n: int) -> Sequence[CurvePoint]:
    """The newest point of a curve behind n schedules, if there is one."""
    place = bisect_right([point.n_schedules for point in curve], n)
    return curve[max(place - 1, 0) : place]
