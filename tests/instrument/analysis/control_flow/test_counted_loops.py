"""Which loops need no safepoint: they surely end, and no other thread sees what they do."""

from __future__ import annotations

import pytest

from irsan.instrument.analysis.control_flow.counted_loops import (
    is_counted_computation,
    natural_loop,
    predecessors_of,
)
from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.ir.reading import parse_ir_text
from irsan.ir.values import Function


def counted(function: Function) -> list[bool]:
    """The answer for every back edge, in order."""
    before = predecessors_of(function)
    edges = [(latch, header) for latch, all_ in back_edges(function).items() for header in all_]
    loops = [(*edge, natural_loop(*edge, before)) for edge in edges]
    return [bool(blocks) and is_counted_computation(*ends, blocks) for *ends, blocks in loops]


LOOP = """
define i64 @f(i64 %n, ptr %p) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  {body}
  %next = add i64 %i, {step}
  %done = icmp {predicate} i64 {tested}, {bound}
  br i1 %done, label {targets}
end:
  ret i64 %i
}}
"""
FINITE = {
    "body": "", "step": "1", "predicate": "eq", "tested": "%next", "bound": "%n",
    "targets": "%end, label %loop",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"step": "-1"}, True),
        ({"tested": "%i"}, True),
        ({"bound": "100"}, True),
        ({"predicate": "ne", "targets": "%loop, label %end"}, True),
        ({"body": "%x = mul i64 %i, 3"}, True),
        ({"step": "2"}, False),
        ({"step": "%n"}, False),
        ({"predicate": "ult"}, False),
        ({"predicate": "eq", "targets": "%loop, label %end"}, False),
        ({"body": "%x = load i64, ptr %p"}, False),
        ({"body": "store i64 %i, ptr %p"}, False),
        ({"body": "%x = mul i64 %i, 3", "bound": "%x"}, False),
    ],
)
def test_which_loops_count_to_a_bound(change: dict[str, str], expected: bool) -> None:
    module = parse_ir_text(LOOP.format(**{**FINITE, **change}))
    function = module.function_by_name("f")
    assert function is not None
    assert counted(function) == [expected]


NEST = """
declare double @llvm.fmuladd.f64(double, double, double)
declare void @seen()
declare void @__asan_load8(ptr)
declare void @__tsan_read8(ptr)
define double @f(i64 %n, ptr %p) {{
entry:
  %table = alloca [8 x double]
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr [8 x double], ptr %table, i64 0, i64 %i
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %v = load double, ptr %at
  %w = call double @llvm.fmuladd.f64(double %v, double %v, double %v)
  store double %w, ptr %at
  %j.next = add i64 %j, 1
  %j.done = icmp eq i64 %j.next, {inner_bound}
  br i1 %j.done, label %latch, label %inner
latch:
  {outer_body}
  %i.next = add i64 %i, 1
  %i.done = icmp eq i64 %i.next, 8
  br i1 %i.done, label %end, label %outer
end:
  ret double %w
}}
"""


@pytest.mark.parametrize(
    ("inner_bound", "outer_body", "expected"),
    [
        ("%n", "", [True, True]),
        ("%i", "", [True, True]),
        ("%j", "", [False, True]),
        ("%n", "call void @seen()", [True, False]),
        ("%n", "call void @__asan_load8(ptr %at)", [True, True]),
        ("%n", "call void @__asan_load8(ptr %p)", [True, False]),
        ("%n", "call void @__tsan_read8(ptr %at)", [True, False]),
    ],
)
def test_each_loop_of_a_nest_answers_for_itself(
    inner_bound: str, outer_body: str, expected: list[bool]
) -> None:
    module = parse_ir_text(NEST.format(inner_bound=inner_bound, outer_body=outer_body))
    function = module.function_by_name("f")
    assert function is not None
    assert counted(function) == expected


def test_a_loop_with_two_entrances_is_no_natural_loop() -> None:
    module = parse_ir_text(
        "define void @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\n"
        "a:\n  br label %b\nb:\n  br i1 %c, label %a, label %end\nend:\n  ret void\n}"
    )
    function = module.function_by_name("f")
    assert function is not None
    assert counted(function) == [False]
    entry, a, b, _ = function.blocks
    before = predecessors_of(function)
    assert natural_loop(b, a, before) == set() or natural_loop(a, b, before) == set()
    assert entry not in natural_loop(b, a, before)
