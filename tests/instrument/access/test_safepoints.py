"""Safepoints: every cycle of control flow and of calls has one, and hardly any has two."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irsan.instrument.access.safepoints import SAFEPOINT, Safepoints
from irsan.ir.builder import Builder
from irsan.ir.module import Module
from tests.instrument.analysis.control_flow.test_loops import EDGES, function_of
from tests.instrument.checked_ir import body, check, instrumented
from tests.oracles.graphs import cycles_without


def engine(text: str) -> str:
    return instrumented(text, "thread", portable=False)


SEARCH = """
define void @f(ptr %p) {
entry:
  br label %outer
outer:
  %v = load volatile i32, ptr %p
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner.latch ]
  %next = add i32 %i, 1
  %w = load volatile i32, ptr %p
  %found = icmp eq i32 %w, %v
  br i1 %found, label %outer, label %inner.latch
inner.latch:
  %more = icmp slt i32 %next, %w
  br i1 %more, label %inner, label %end
end:
  ret void
}
"""


def test_a_turn_of_an_inner_loop_has_no_safepoint_of_an_outer_one() -> None:
    found = body(engine(SEARCH), "f")
    check(found, "%found =", "br i1 %found", "@__irsan_safepoint", "br label %outer")
    check(found, "inner.latch:", "@__irsan_safepoint", "br i1 %more")
    assert found.count("@__irsan_safepoint") == 2


BOTH = """
define void @f(ptr %p) {
entry:
  br label %outer
outer:
  %n = phi i32 [ 0, %entry ], [ %w, %inner ]
  br label %inner
inner:
  %i = phi i32 [ %n, %outer ], [ %next, %inner ]
  %next = add i32 %i, 1
  %w = load volatile i32, ptr %p
  %c = icmp slt i32 %next, %w
  br i1 %c, label %inner, label %outer
}
"""


def test_a_block_that_ends_two_loops_waits_in_each() -> None:
    found = body(engine(BOTH), "f")
    between = re.search(r"br i1 %c, label %inner, label %(\S+)", found)
    assert between is not None
    assert f"[ %w, %{between[1]} ]" in found
    check(found, f"{between[1]}:", "@__irsan_safepoint", "br label %outer")
    assert found.count("@__irsan_safepoint") == 2


def test_an_endless_loop_without_any_effect_has_one_too() -> None:
    found = body(engine("define void @f() {\n  br label %l\nl:\n  br label %l\n}"), "f")
    check(found, "l:", "@__irsan_safepoint", "br label %l")


TURN = """
declare void @unknown()
{kind} void @g() {{
  {does}
  ret void
}}
define void @f(i1 %c, i1 %d) {{
  br label %loop
loop:
  br i1 %d, label %call, label %latch
call:
  call void @g()
  br label %latch
latch:
  br i1 %c, label %loop, label %end
end:
  ret void
}}
"""
EACH_TURN = TURN.replace("br i1 %d, label %call, label %latch", "br label %call")
WAITS = "call void @unknown()"


@pytest.mark.parametrize(
    ("turn", "kind", "does", "n_in_loop"),
    [
        pytest.param(EACH_TURN, "define internal", WAITS, 0, id="of this module"),
        pytest.param(EACH_TURN, "define dso_local", WAITS, 0, id="of this program"),
        pytest.param(EACH_TURN, "define", WAITS, 1, id="of any library"),
        pytest.param(EACH_TURN, "define linkonce_odr dso_local", WAITS, 1, id="of any module"),
        pytest.param(EACH_TURN, "define internal", "", 1, id="a leaf"),
        pytest.param(TURN, "define internal", WAITS, 1, id="not in each turn"),
    ],
)
def test_a_turn_that_calls_has_the_safepoint_of_what_it_calls(
    turn: str, kind: str, does: str, n_in_loop: int
) -> None:
    found = body(engine(turn.format(kind=kind, does=does)), "f")
    assert found.partition("loop:")[2].count(f"@{SAFEPOINT}") == n_in_loop
    assert found.count(f"@{SAFEPOINT}") == n_in_loop + 1


def test_a_loop_of_a_recursion_has_the_safepoint_of_its_entry_alone() -> None:
    found = body(
        engine(
            "define internal void @f(i1 %c) {\n  br label %l\nl:\n  call void @f(i1 %c)\n"
            "  br i1 %c, label %l, label %end\nend:\n  ret void\n}"
        ),
        "f",
    )
    check(found, f"@{SAFEPOINT}", "br label %l", "call void @f", "br i1 %c")
    assert found.count(f"@{SAFEPOINT}") == 1


SHORT = """
declare void @g()
define void @f(ptr %p) {{
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i64, ptr %p, i64 %i
  {does}
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, {turns}
  br i1 %done, label %end, label %loop
end:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("does", "turns", "n_in_loop"),
    [
        ("store i64 %i, ptr %at", 3, 0),
        ("store i64 %i, ptr %at", 8, 1),
        ("store volatile i64 %i, ptr %at", 3, 1),
        ("store atomic i64 %i, ptr %at monotonic, align 8", 3, 1),
        ("%old = atomicrmw add ptr %at, i64 1 seq_cst", 3, 1),
        ("fence seq_cst", 3, 1),
        ("call void @g()", 3, 1),
    ],
)
def test_few_turns_that_nobody_sees_are_made_at_once(does: str, turns: int, n_in_loop: int) -> None:
    found = body(engine(SHORT.format(does=does, turns=turns)), "f").partition("loop:")[2]
    loop, _, _ = found.partition("end:")
    assert loop.count(f"@{SAFEPOINT}") == n_in_loop


@example([[1, 2], [3], [3], [0]], {1}, set())
@example([[1, 2], [3], [3, 4], [0], [1]], {1}, {2})
@example([[1, 2], [2], [1]], {1}, set())
@given(EDGES, st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_every_cycle_has_a_safepoint_or_a_call_of_what_has_one(
    graph: list[list[int]], known: set[int], unknown: set[int]
) -> None:
    module = Module()
    types = module.types
    kind = types.function(types.void, [])
    stranger, waiting = (module.declare_function(name, kind) for name in ("stranger", "waiting"))
    waiting.linkage = "internal"
    inside = Builder(module, waiting.new_block(types.label).instructions)
    inside.call(stranger)
    inside.ret()
    function = function_of(graph, module)
    for index, block in enumerate(function.blocks[1:]):
        called = [waiting] * (index in known) + [stranger] * (index in unknown)
        block.instructions[:0] = [Builder(module, []).call(one) for one in called]
    Safepoints().apply(module)
    number = {block: index for index, block in enumerate(function.blocks)}
    edges = {number[b]: [number[s] for s in b.successors] for b in function.blocks}
    stops = {
        number[block]
        for block in function.blocks
        for one in block.instructions
        if one.opcode == "call" and one.operands[0] is not stranger
    }
    assert not cycles_without(edges, stops)
