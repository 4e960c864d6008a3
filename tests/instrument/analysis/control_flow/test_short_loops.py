"""Short loops: their turns against turn after turn, and what is not known of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.counted_loops import natural_loop, predecessors_of
from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.instrument.analysis.control_flow.short_loops import FEW_TURNS, most_turns
from irsan.ir.reading import parse_ir_text
from tests.oracles.loops import turns_one_by_one

LOOP = """
define void @f(i8 %n, i1 %c) {{
entry:
  br i1 %c, label %loop, label %other
other:
  br label %loop
loop:
  %i = phi i8 [ {start}, %entry ], [ {other}, %other ], [ %next, %latch ]
  %next = add i8 %i, {step}
  %go.on = icmp {predicate} i8 {tested}, {bound}
  {head}
latch:
  {tail}
end:
  ret void
}}
"""
IN_HEADER = {"head": "br i1 %go.on, label %latch, label %end", "tail": "br label %loop"}
IN_LATCH = {"head": "br label %latch", "tail": "br i1 %go.on, label %loop, label %end"}
SMALL = st.one_of(st.integers(-4, 12), st.integers(120, 131)).map(lambda number: number % 256)
PREDICATES = ("ne", "eq", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def known_turns(text: str) -> int | None:
    function = parse_ir_text(text).functions[0]
    ((latch, headers),) = back_edges(function).items()
    return most_turns(latch, headers[0], natural_loop(latch, headers[0], predecessors_of(function)))


@given(
    SMALL, SMALL, st.integers(-3, 3), st.sampled_from(PREDICATES), SMALL, st.booleans(),
    st.sampled_from([IN_HEADER, IN_LATCH]),
)  # fmt: skip
def test_the_turns_are_those_that_are_made(
    start: int, other: int, step: int, predicate: str, bound: int, is_next: bool,
    places: dict[str, str],
) -> None:  # fmt: skip
    found = known_turns(
        LOOP.format(
            start=start, other=other, step=step, predicate=predicate, bound=bound,
            tested="%next" if is_next else "%i", **places,
        )
    )  # fmt: skip
    wanted = max(
        turns_one_by_one(
            predicate, (first + step * is_next) % 256, step, bound, 8, in_latch=True
        )
        for first in (start, other)
    )
    assert found == (wanted if wanted < FEW_TURNS else None)


THREE = {
    "start": "0", "other": "0", "step": "1", "predicate": "ult", "tested": "%i", "bound": "2",
    **IN_HEADER,
}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"start": "%n"}, {"bound": "%n"}, {"step": "%n"}, {"tested": "%n"},
        {"step": "1\n  %x = mul i8 %i, 3", "tested": "%x"},
        {"head": "br i1 %go.on, label %latch, label %latch"},
        {"head": "br i1 %c, label %latch, label %end"},
    ],
)  # fmt: skip
def test_what_is_not_a_number_is_not_known(change: dict[str, str]) -> None:
    assert known_turns(LOOP.format(**THREE)) == 3
    assert known_turns(LOOP.format(**(THREE | change))) is None
