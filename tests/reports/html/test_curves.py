"""Curves of strategies: where lines go, what stands on the axes, names that can be read."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.html.curves import BOTTOM, LEFT, RIGHT, TOP, charts_of
from irsan.reports.html.page import html_page
from irsan.reports.model.exploration import CurvePoint, Exploration, StrategyFacts
from irsan.reports.model.report import Report


def facts_of(name: str, steps: list[tuple[int, int, int]]) -> StrategyFacts:
    """A strategy whose curve goes on by each step: schedules, interleavings, shown."""
    curve, at = [], (0, 0, 0)
    for step in steps:
        at = (at[0] + step[0], at[1] + step[1], at[2] + step[2])
        curve.append(CurvePoint(*at))
    return StrategyFacts(name, at[0], at[1], 0, tuple(curve))


STEP = st.tuples(st.integers(1, 300), st.integers(0, 50), st.integers(0, 3))
FACTS = st.lists(st.lists(STEP, min_size=1, max_size=8), min_size=1, max_size=10).map(
    lambda every: tuple(facts_of(f"s{n}", steps) for n, steps in enumerate(every))
)


@given(FACTS)
def test_lines_stay_in_the_plot_and_names_do_not_overlap(facts: tuple[StrategyFacts, ...]) -> None:
    for chart in charts_of(Exploration(9, 9, strategies=facts)):
        for line in chart.lines:
            xs, ys = corners(line.path)
            assert xs[0] >= LEFT and xs == sorted(xs) and xs[-1] <= RIGHT
            assert ys[0] <= BOTTOM and ys == sorted(ys, reverse=True) and ys[-1] >= TOP
        names = sorted(line.y_name for line in chart.lines)
        assert all(below - above >= 15 for above, below in pairwise(names))
        assert names[-1] <= BOTTOM or len(names) > (BOTTOM - TOP) // 15
        assert {text for _, text in chart.x_ticks} >= {"1"}
        assert 2 <= len(chart.y_ticks) <= 6


def corners(path: str) -> tuple[list[int], list[int]]:
    start = re.match(r"M(\d+) (\d+)", path)
    assert start is not None
    xs = [int(start[1]), *map(int, re.findall(r"H(\d+)", path))]
    return xs, [int(start[2]), *map(int, re.findall(r"V(\d+)", path))]


def test_the_axis_of_schedules_is_logarithmic() -> None:
    strategies = (facts_of("pos", [(1, 1, 1), (999, 1, 1)]),)
    chart, _ = charts_of(Exploration(1, 1, strategies=strategies))
    assert [text for _, text in chart.x_ticks] == ["1", "10", "100", "1,000"]
    places = [x for x, _ in chart.x_ticks]
    assert len({later - before for before, later in pairwise(places)}) <= 2
    assert places[0] == LEFT and places[-1] == RIGHT


def test_no_curve_no_chart() -> None:
    assert charts_of(Exploration(1, 1, strategies=(StrategyFacts("pos", 1, 1, 0),))) == ()
    assert charts_of(Exploration(0, 0)) == ()


def test_the_page_says_what_it_draws() -> None:
    facts = (facts_of("pos", [(1, 1, 1), (9, 3, 1)]), facts_of("<b>", [(4, 2, 1)]))
    page = html_page(Report("a.c", exploration=Exploration(14, 5, strategies=facts)))
    assert "<title id=\"c1-t\">Findings and ways to end: pos 2, &lt;b&gt; 1</title>" in page
    assert "Distinct interleavings: pos 4, &lt;b&gt; 2" in page
    assert page.count('class="curve ') == 4
    assert "<b>" not in page.split("<main>")[1].split("</main>")[0].replace("<b></b>", "")
