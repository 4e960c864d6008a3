"""Back edges against a naive reading of "every cycle has one"."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.ir.builder import Builder
from irsan.ir.module import Module
from irsan.ir.values import Function
from tests.oracles.graphs import cycles_without, reachable_from_entry

EDGES = st.lists(st.lists(st.integers(0, 9), max_size=2), min_size=1, max_size=10)


def function_of(graph: list[list[int]], module: Module | None = None) -> Function:
    """A function whose blocks have these successors; numbers beyond the end wrap."""
    module = Module() if module is None else module
    types = module.types
    function = module.declare_function("f", types.function(types.void, [types.i1]))
    entry = function.new_block(types.label)
    blocks = [function.new_block(types.label) for _ in graph]
    Builder(module, entry.instructions).br(blocks[0])
    for block, successors in zip(blocks, graph, strict=True):
        at = Builder(module, block.instructions)
        targets = [blocks[number % len(blocks)] for number in successors]
        if not targets:
            at.ret()
        elif len(targets) == 1:
            at.br(targets[0])
        else:
            at.cond_br(function.arguments[0], *targets)
    return function


@given(EDGES)
def test_every_cycle_has_a_back_edge_and_nothing_else_does(graph: list[list[int]]) -> None:
    function = function_of(graph)
    number = {block: index for index, block in enumerate(function.blocks)}
    edges = {number[b]: [number[s] for s in b.successors] for b in function.blocks}
    sources = {number[block] for block in back_edges(function)}
    assert not cycles_without(edges, sources)
    assert sources <= reachable_from_entry(edges)
    for source in sources:
        assert source in reachable_from_entry(edges, starts=edges[source])


def test_a_straight_function_has_none() -> None:
    assert back_edges(function_of([[1], [2], []])) == {}
