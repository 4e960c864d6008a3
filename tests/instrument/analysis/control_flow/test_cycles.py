"""Small cycles against a naive search for blocks that come back to themselves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.cycles import small_cycles
from tests.instrument.analysis.control_flow.test_loops import EDGES, function_of
from tests.oracles.graphs import cycles_without, reachable_from_entry

NO_LIMIT = 10**9


@given(EDGES)
def test_without_a_limit_every_block_on_a_cycle_is_found(graph: list[list[int]]) -> None:
    function = function_of(graph)
    number = {block: index for index, block in enumerate(function.blocks)}
    edges = {number[b]: [number[s] for s in b.successors] for b in function.blocks}
    found = {number[block] for block in small_cycles(function, {}, NO_LIMIT)}
    assert found & reachable_from_entry(edges) == cycles_without(edges, set())


@given(EDGES, st.integers(0, 6))
def test_what_a_limit_leaves_is_on_cycles(graph: list[list[int]], limit: int) -> None:
    function = function_of(graph)
    weights = dict.fromkeys(function.blocks, 1)
    found = small_cycles(function, weights, limit)
    assert found <= small_cycles(function, weights, NO_LIMIT)


def test_of_nested_loops_only_the_light_one_is_small() -> None:
    function = function_of([[1], [2], [2, 3], [1, 4], []])
    _, _, header, inner, latch, _ = function.blocks
    weights = {header: 3, inner: 2, latch: 4}
    assert small_cycles(function, weights, 9) == {header, inner, latch}
    assert small_cycles(function, weights, 8) == {inner}
    assert small_cycles(function, weights, 1) == set()


def test_a_long_chain_of_blocks_needs_no_deep_stack() -> None:
    chain = [[index + 1] for index in range(5000)]
    function = function_of([*chain, [0]])
    assert len(small_cycles(function, {}, NO_LIMIT)) == 5001
