"""What strategies have shown over their schedules, as a picture: one stepped line for each.

Geometry only, in pixels; the template draws it.  Schedules are on a logarithmic scale, as most is
shown by the first ones.  Lines differ in colour and dashes and have their names at their ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from irsan.reports.model.exploration import CurvePoint, Exploration, StrategyFacts

WIDTH: Final = 640
HEIGHT: Final = 280
LEFT: Final = 64
TOP: Final = 16
RIGHT: Final = 470  # end of the plot; names stand behind it
BOTTOM: Final = 236
_NAME_HEIGHT: Final = 15
_N_STYLES: Final = 8
_N_TICKS: Final = 4

Value = Callable[[CurvePoint], int]


@dataclass(frozen=True, slots=True)
class Line:
    """A strategy's line: its path, and the baseline of its name."""

    name: str
    style: int
    path: str
    y_name: int
    final: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything to draw. x_ticks, y_ticks: where, and what stands there"""

    title: str
    x_ticks: tuple[tuple[int, str], ...]
    y_ticks: tuple[tuple[int, str], ...]
    lines: tuple[Line, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM


def charts_of(facts: Exploration) -> tuple[Chart, ...]:
    """Discovery and interleavings over schedules; none where no curve is known."""
    strategies = [each for each in facts.strategies if each.curve]
    if not strategies:
        return ()
    return (
        _chart("Findings and ways to end", strategies, lambda point: point.n_shown),
        _chart("Distinct interleavings", strategies, lambda point: point.n_interleavings),
    )


def _chart(title: str, strategies: Sequence[StrategyFacts], value: Value) -> Chart:
    n_most = max(each.curve[-1].n_schedules for each in strategies)
    top = max(max(value(point) for point in each.curve) for each in strategies)
    step = _tick_step(top)
    highest = max(math.ceil(top / step), 1) * step
    paths = [_path(each.curve, value, n_most, highest) for each in strategies]
    ends = [_y(value(each.curve[-1]), highest) for each in strategies]
    lines = (
        Line(each.name, at % _N_STYLES, path, y, value(each.curve[-1]))
        for at, (each, path, y) in enumerate(zip(strategies, paths, _spread(ends), strict=True))
    )
    x_ticks = ((_x(10**power, n_most), f"{10**power:,}") for power in _powers(n_most))
    y_ticks = ((_y(n, highest), f"{n:,}") for n in range(0, highest + 1, step))
    return Chart(title, tuple(x_ticks), tuple(y_ticks), tuple(lines))


def _path(curve: Sequence[CurvePoint], value: Value, n_most: int, highest: int) -> str:
    """Steps: what was shown stays shown until more is."""
    first, *others = curve
    words = [f"M{_x(first.n_schedules, n_most)} {_y(value(first), highest)}"]
    words += [f"H{_x(each.n_schedules, n_most)}V{_y(value(each), highest)}" for each in others]
    return "".join(words)


def _x(n: int, n_most: int) -> int:
    share = math.log(min(max(n, 1), n_most)) / math.log(n_most) if n_most > 1 else 0.0
    return round(LEFT + share * (RIGHT - LEFT))


def _y(n: int, highest: int) -> int:
    return round(BOTTOM - min(max(n, 0), highest) / highest * (BOTTOM - TOP))


def _powers(n_most: int) -> Iterator[int]:
    """Powers of ten that are on the axis."""
    yield from range(len(str(n_most)))


def _tick_step(top: int) -> int:
    """1, 2 or 5 times a power of ten: between ticks, of which there are few."""
    least = max(top / _N_TICKS, 1)
    power = int(10 ** math.floor(math.log10(least)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def _spread(ends: Sequence[int]) -> list[int]:
    """Baselines of names near the ends of their lines, none over another."""
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    placed = [0] * len(ends)
    lowest = BOTTOM - (len(ends) - 1) * _NAME_HEIGHT  # of the first, so that all have room
    previous = 0
    for number, at in enumerate(order):
        wanted = min(ends[at], lowest + number * _NAME_HEIGHT)
        previous = placed[at] = max(wanted, previous + _NAME_HEIGHT) if number else max(wanted, TOP)
    return placed
