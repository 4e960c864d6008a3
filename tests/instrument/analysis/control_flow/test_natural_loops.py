"""Innermost loops of random graphs against naive searches."""

from __future__ import annotations

from hypothesis import given

from irsan.instrument.analysis.control_flow.natural_loops import innermost_loops, renewed
from tests.instrument.analysis.control_flow.test_loops import EDGES, function_of
from tests.oracles.graphs import reachable_from_entry
from tests.oracles.loops import on_every_way


@given(EDGES)
def test_a_loop_is_entered_and_repeated_at_its_header(graph: list[list[int]]) -> None:
    function = function_of(graph)
    number = {block: index for index, block in enumerate(function.blocks)}
    edges = {number[b]: [number[s] for s in b.successors] for b in function.blocks}
    for loop in innermost_loops(function):
        inside = {number[block] for block in loop.blocks}
        header, latch = number[loop.header], number[loop.latch]
        assert header in edges[latch]
        live = reachable_from_entry(edges)
        into = {(a, b) for a in live - inside for b in edges[a] if b in inside}
        assert into == {(number[one], header) for one in loop.entries if number[one] in live}
        out = {(a, b) for a in inside for b in edges[a] if b not in inside}
        assert out == {(number[edge.source], number[edge.target]) for edge in loop.exits}
        wanted = on_every_way(edges, inside, header, latch)
        assert {number[b] for b in loop.blocks if loop.runs_each_turn(b)} == wanted
        again = renewed(loop, function)
        assert (again.entries, again.exits) == (loop.entries, loop.exits)


@given(EDGES)
def test_without_its_back_edge_a_loop_has_no_cycle(graph: list[list[int]]) -> None:
    function = function_of(graph)
    for loop in innermost_loops(function):
        seen, waiting = set(), [loop.header]
        order = []
        while waiting:
            block = waiting.pop()
            if block not in seen:
                seen.add(block)
                order.append(block)
                waiting += [one for one in block.successors if one in loop.blocks]
        assert seen == set(loop.blocks)
        for block in loop.blocks:
            reached, waiting = set(), [block]
            while waiting:
                for one in waiting.pop().successors:
                    if one in loop.blocks and one is not loop.header and one not in reached:
                        reached.add(one)
                        waiting.append(one)
            assert block not in reached


def test_a_loop_around_another_is_no_innermost_one() -> None:
    function = function_of([[1], [2], [2, 3], [1, 4], []])
    (loop,) = innermost_loops(function)
    assert (loop.header, loop.latch) == (function.blocks[3], function.blocks[3])


def test_a_header_that_two_edges_go_back_to_has_no_loop() -> None:
    """The values of one way around come to the header's phis by the other one, too."""
    function = function_of([[1], [2, 4], [1, 3], [1], []])
    assert list(innermost_loops(function)) == []


def test_a_loop_that_dead_code_enters_beside_its_header_is_none() -> None:
    """A copy of it would lack the values that come from there."""
    function = function_of([[1], [0], [1, 2]])
    assert list(innermost_loops(function)) == []
