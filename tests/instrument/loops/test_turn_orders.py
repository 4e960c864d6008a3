"""The order in which accesses of a loop make many turns at once, against every turn."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.loops.turn_orders import order_of_turns

N_TURNS = 12
Spans = list[tuple[int, int]]


@st.composite
def loops(draw: st.DrawFn) -> tuple[Spans, int]:
    stride = draw(st.sampled_from([-16, -8, -4, -1, 1, 4, 8, 16]))
    sizes = st.sampled_from([n for n in (1, 2, 4, 8, 16) if n >= abs(stride)])
    grain = draw(st.sampled_from([4, 8]))
    accesses = draw(st.lists(st.tuples(st.integers(-3, 3), sizes), min_size=1, max_size=4))
    return [(grain * at, grain * at + size) for at, size in accesses], stride


def history(spans: Spans, stride: int, visits: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """Who came to each byte first, and who left it last."""
    seen: dict[int, list[int]] = {}
    for turn, place in visits:
        begin, end = (at + turn * stride for at in spans[place])
        for byte in range(begin, end):
            seen.setdefault(byte, [place, place])[1] = place
    return seen


@given(loops())
def test_an_order_leaves_what_turn_by_turn_leaves(loop: tuple[Spans, int]) -> None:
    spans, stride = loop
    order = order_of_turns(spans, stride)
    if order is not None:
        each_turn = [(turn, place) for turn in range(N_TURNS) for place in range(len(spans))]
        at_once = [(turn, place) for place in order for turn in range(N_TURNS)]
        assert history(spans, stride, at_once) == history(spans, stride, each_turn)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.sampled_from([-8, -4, 4, 8]))
def test_neighbours_of_one_size_have_one(places: list[int], stride: int) -> None:
    size = abs(stride)
    spans = [(at * size, at * size + size) for at in places]
    order = order_of_turns(spans, stride)
    assert order == tuple(sorted(range(len(spans)), key=lambda place: -spans[place][0] * stride))


def test_pairs_of_neighbours_have_none() -> None:
    assert order_of_turns([(8, 24), (0, 16)], -16) is None


def test_wider_accesses_that_share_bytes_in_their_last_turn_have_none() -> None:
    assert order_of_turns([(0, 8), (4, 12)], 4) is None
    assert order_of_turns([(4, 12), (0, 8)], 4) == (0, 1)


def test_one_address_keeps_the_order_of_the_program() -> None:
    assert order_of_turns([(8, 16), (0, 8)], 0) == (0, 1)
