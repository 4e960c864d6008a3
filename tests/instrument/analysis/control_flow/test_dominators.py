"""Dominators and loops against naive searches of the graph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.dominators import Dominators, reverse_postorder
from irsan.ir.values import BasicBlock, Function
from tests.instrument.analysis.control_flow.test_loops import EDGES, function_of


def reached(function: Function, without: BasicBlock | None) -> set[BasicBlock]:
    """Blocks that some path from the entry leads to, not through `without`."""
    found: set[BasicBlock] = set()
    waiting = [function.entry]
    while waiting:
        block = waiting.pop()
        if block is not without and block not in found:
            found.add(block)
            waiting += block.successors
    return found


@given(EDGES, st.data())
def test_nearest_is_on_every_way_and_nothing_nearer_is(
    graph: list[list[int]], data: st.DataObject
) -> None:
    function = function_of(graph)
    order = Dominators(function)
    live = [block for block in function.blocks if block in reached(function, None)]
    pair = data.draw(st.lists(st.sampled_from(live), min_size=1, max_size=3))
    found = order.nearest(pair)
    common = {
        block for block in live if not reached(function, block).intersection(pair)
    }  # every way to all of them leads through it
    assert found in common
    nearer = reached(function, found)
    assert all(block in nearer or block is found for block in common)


@given(EDGES)
def test_above_is_what_every_way_goes_through(graph: list[list[int]]) -> None:
    function = function_of(graph)
    order = Dominators(function)
    live = reached(function, None)
    for block in function.blocks:
        found = list(order.above(block))
        wanted = {one for one in live if block not in reached(function, one)}
        assert set(found) == (wanted if block in live else set())
        assert len(found) == len(set(found))
        dominating = {one for one in function.blocks if order.dominates(one, block)}
        assert dominating == (wanted if block in live else {block})


@given(EDGES)
def test_outside_goes_up_to_a_dominator(graph: list[list[int]]) -> None:
    function = function_of(graph)
    order = Dominators(function)
    for block in reverse_postorder(function):
        found = order.outside(block, function.entry)
        assert order.nearest([found, block]) is found


def _is_on_a_cycle(block: BasicBlock) -> bool:
    found: set[BasicBlock] = set()
    waiting = list(block.successors)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += one.successors
    return block in found


@given(EDGES)
def test_what_the_entry_has_is_asked_for_on_no_cycle(graph: list[list[int]]) -> None:
    """Also on none with several entrances."""
    function = function_of(graph)
    order = Dominators(function)
    for block in reverse_postorder(function):
        assert not _is_on_a_cycle(order.outside(block, function.entry))


def test_a_cycle_with_two_entrances_is_left_too() -> None:
    #  0 -> 1, 2 ; 1 <-> 2 -> 3 : as the computed gotos of an interpreter
    function = function_of([[1, 2], [2], [1, 3], []])
    _, entry, one, other, _ = function.blocks
    order = Dominators(function)
    assert order.outside(one, entry) is order.outside(other, entry) is entry


def test_a_question_leaves_the_loops_that_its_root_is_not_in() -> None:
    #  0 -> 1(header) -> 2(inner) -> 2, 3 ; 3 -> 1, 4
    function = function_of([[1], [2], [2, 3], [1, 4], []])
    _, entry, outer, inner, *_ = function.blocks
    order = Dominators(function)
    assert order.outside(inner, outer) is outer
    assert order.outside(inner, inner) is inner
    assert order.outside(inner, entry) is entry
