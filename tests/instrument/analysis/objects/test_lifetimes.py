"""Where variables are surely alive: the analysis against a walk over all paths."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.lifetimes import Lifetimes
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_text
from irsan.ir.values import Function
from tests.instrument.checked_ir import LAYOUT

N_BLOCKS = 5
MARKERS = "declare void @llvm.lifetime.start.p0(ptr)\ndeclare void @llvm.lifetime.end.p0(ptr)\n"
Graph = list[tuple[str, int, int]]  # per block: its markers (s, e), its two successors


def source(graph: Graph) -> str:
    lines = ["define void @f(i1 %c) {", "entry:", "  %a = alloca i32", "  br label %b0"]
    for number, (marks, left, right) in enumerate(graph):
        lines.append(f"b{number}:")
        for mark in marks:
            word = "start" if mark == "s" else "end"
            lines.append(f"  call void @llvm.lifetime.{word}.p0(ptr %a)")
        lines.append(f"  br i1 %c, label %b{left}, label %b{right}")
    lines += [f"b{N_BLOCKS}:", "  ret void", "}"]
    return MARKERS + "\n".join(lines)


def lifetimes_of(text: str) -> tuple[Function, Alloca, Lifetimes]:
    module: Module = parse_ir_text(LAYOUT + text)
    function = module.function_by_name("f")
    assert function is not None
    alloca = next(one for one in function.entry.instructions if isinstance(one, Alloca))
    return function, alloca, Lifetimes(function, AddressFacts(TypeSizes(module)))


def states_by_paths(graph: Graph) -> dict[int, set[bool]]:
    """The naive twin: every state in which some path reaches each block."""
    reached: dict[int, set[bool]] = {}
    work = [(0, False)]
    while work:
        block, alive = work.pop()
        if alive in reached.setdefault(block, set()):
            continue
        reached[block].add(alive)
        if block == N_BLOCKS:
            continue
        marks, left, right = graph[block]
        if marks:
            alive = marks[-1] == "s"
        work += [(left, alive), (right, alive)]
    return reached


BLOCK = st.tuples(st.text("se", max_size=2), st.integers(0, N_BLOCKS), st.integers(0, N_BLOCKS))


@given(st.lists(BLOCK, min_size=N_BLOCKS, max_size=N_BLOCKS))
def test_alive_means_alive_on_every_path(graph: Graph) -> None:
    if not any(marks for marks, _, _ in graph):
        graph[0] = ("s", *graph[0][1:])
    function, alloca, lifetimes = lifetimes_of(source(graph))
    blocks = {block.name: block for block in function.blocks}
    for number, states in states_by_paths(graph).items():
        alive = lifetimes.is_alive(alloca, lifetimes.alive_at(blocks[f"b{number}"]))
        assert alive == (states == {True})


def test_a_variable_without_markers_is_always_alive() -> None:
    text = "define void @f() {\n  %a = alloca i32\n  ret void\n}"
    function, alloca, lifetimes = lifetimes_of(text)
    assert not lifetimes.has_markers(alloca)
    assert lifetimes.is_alive(alloca, lifetimes.alive_at(function.entry))
