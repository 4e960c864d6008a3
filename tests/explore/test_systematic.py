"""The search over all interleavings: each class once, as the brute force has them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.explore.partial_orders import Execution, trace_of
from irsan.explore.systematic import Search
from tests.oracles.interleavings import Program, all_executions, play, smallest

OPERATIONS = st.tuples(st.sampled_from(["read", "write"]), st.integers(1, 2))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Two or three threads of a few accesses, some of them under locks."""
    threads = []
    for _ in range(draw(st.integers(2, 3))):
        body = draw(st.lists(OPERATIONS, max_size=2))
        for lock in draw(st.lists(st.sampled_from([7, 8]), max_size=2, unique=True)):
            place = draw(st.integers(0, len(body)))
            end = draw(st.integers(place, len(body)))
            body = [*body[:place], ("lock", lock), *body[place:end], ("unlock", lock), *body[end:]]
        threads.append(body)
    return threads if sum(map(len, threads)) <= 9 else threads[:2]  # else the brute force is slow


def estimates(program: Program) -> list[int]:
    """What the search thinks that there are in all, when each further execution is asked for."""
    thought: list[int] = []

    def asked(prefix: Sequence[int]) -> Execution:
        thought.append(search.estimate())
        return play(program, prefix)

    search = Search(asked)
    for _ in search.executions():
        pass
    return thought


def counted_estimate(search: Search, traces: Sequence[Sequence[int]]) -> float:
    """The estimate from a list of all traces so far, without any count that the search keeps."""

    def behind(way: list[int]) -> int:
        return sum(list(trace[: len(way)]) == way for trace in traces)

    def size(number: int) -> float | None:
        if number == len(search._nodes):
            return None
        node, way = search._nodes[number], [one.chosen.thread for one in search._nodes[:number]]
        known: list[float] = [behind([*way, thread]) for thread in node.done]
        deeper = size(number + 1)
        if deeper is not None:
            known.append(deeper)
        n_threads = len(node.done) + 1 + len(node.left())
        return sum(known) / len(known) * n_threads if known else None

    return size(0) or 0


def found(program: Program) -> tuple[list[object], Search]:
    search = Search(lambda prefix: play(program, prefix))
    return [trace_of(execution.done) for execution in search.executions()], search


@settings(max_examples=200, deadline=None)
@given(programs())
def test_every_class_is_visited_once(program: Program) -> None:
    traces, _ = found(program)
    every = list(all_executions(program))
    assert len(traces) == len(set(traces))
    assert set(traces) == {trace_of(execution) for execution in every}


@given(programs())
@settings(max_examples=60, deadline=None)
def test_a_class_is_what_exchanges_of_neighbours_leave(program: Program) -> None:
    every = [e for _, e in zip(range(200), all_executions(program), strict=False)]
    assert len({trace_of(e) for e in every}) == len({tuple(smallest(e)) for e in every})


@pytest.mark.parametrize("n", [2, 3, 4])
def test_writers_of_one_variable_have_all_orders(n: int) -> None:
    traces, search = found([[("write", 1)]] * n)
    assert len(traces) == factorial(n)
    assert search.n_wasted == 0


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_threads_that_share_nothing_have_one_class(n: int) -> None:
    traces, search = found([[("write", number), ("read", number)] for number in range(n)])
    assert (len(traces), search.n_played) == (1, 1)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_readers_beside_one_writer(n: int) -> None:
    traces, _ = found([[("write", 1)], *[[("read", 1)]] * n])
    assert len(traces) == 2**n


@settings(max_examples=100, deadline=None)
@given(programs())
def test_the_estimate_is_that_of_the_traces_so_far(program: Program) -> None:
    traces: list[list[int]] = []

    def asked(prefix: Sequence[int]) -> Execution:
        assert search.estimate() == round(counted_estimate(search, traces))
        assert search.estimate() >= len(traces)
        return play(program, prefix)

    search = Search(asked)
    for execution in search.executions():
        traces.append([transition.thread for transition in execution.done])


def test_the_estimate_of_a_regular_program_is_near() -> None:
    n = 5
    program = [[("lock", 7), ("unlock", 7)] * n] * 2
    n_traces = comb(2 * n, n)
    half = estimates(program)[n_traces // 2]
    assert n_traces / 2 <= half <= 2 * n_traces
