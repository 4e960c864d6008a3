"""Values that stay zero: what is said to do so does when the loop runs."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.natural_loops import Loop, innermost_loops
from irsan.instrument.loops.clear_values import ClearValues
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, native

N_TURNS = 4
# A step makes a value of those so far, by their places from the end.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("or", "and", "xor", "add", "mul", "shl", "ne", "slt", "eq", "select")),
        st.integers(0, 6), st.integers(0, 6), st.integers(0, 3),
    ),
    min_size=1, max_size=7,
)  # fmt: skip


def program(steps: list[tuple[str, int, int, int]], again: int) -> str:
    """A loop of N_TURNS turns that stores the last value of each turn."""
    values, lines = ["%n", "%other", "%asked", "%phi", "%begun"], []
    for number, (word, one, two, constant) in enumerate(steps):
        left, right = values[-1 - one % len(values)], values[-1 - two % len(values)]
        name = f"%v{number}"
        if word in ("ne", "slt", "eq"):
            lines.append(f"%c{number} = icmp {word} i64 {left}, 0")
            lines.append(f"{name} = sext i1 %c{number} to i64")
        elif word == "select":
            lines.append(f"%c{number} = trunc i64 {left} to i1")
            lines.append(f"{name} = select i1 %c{number}, i64 {right}, i64 {values[-1]}")
        elif word == "shl":
            lines.append(f"{name} = shl i64 {left}, {constant}")
        else:
            lines.append(f"{name} = {word} i64 {left}, {right}")
        values.append(name)
    body = "\n  ".join(lines)
    return f"""define void @f(ptr %out, ptr %zero, i64 %n, i64 %first) {{
entry:
  %begun = or i64 %first, 0, !nosanitize !0
  br label %head
head:
  %t = phi i64 [ 0, %entry ], [ %after, %head ]
  %phi = phi i64 [ %begun, %entry ], [ {values[-1 - again % len(values)]}, %head ]
  %asked = load i64, ptr %zero
  %slot = getelementptr i64, ptr %out, i64 %t
  %other = load i64, ptr %slot
  {body}
  store i64 {values[-1]}, ptr %slot
  %after = add i64 %t, 1
  %c = icmp ne i64 %after, {N_TURNS}
  br i1 %c, label %head, label %out.block
out.block:
  ret void
}}
!0 = !{{}}"""


def parts(text: str) -> tuple[Module, Loop, Store, set[Instruction]]:
    """The module, the loop, its store and the load that was asked about."""
    module = parse_ir_text(LAYOUT + text)
    (loop,) = innermost_loops(module.functions[0])
    inside = [one for block in loop.blocks for one in block.instructions]
    (store,) = [one for one in inside if isinstance(one, Store)]
    return module, loop, store, {next(one for one in inside if isinstance(one, Load))}


@settings(deadline=None, max_examples=80)
@given(STEPS, st.integers(0, 11), st.integers(-3, 3))
def test_what_holds_is_zero_in_each_turn(
    steps: list[tuple[str, int, int, int]], again: int, n: int
) -> None:
    import llvmlite.binding as llvm

    text = program(steps, again)
    _module, loop, store, asked = parts(text)
    if not ClearValues(loop, asked).holds(store.value):
        return
    with native(llvm.parse_assembly(LAYOUT + text)) as symbol:
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2)(
            symbol("f")
        )
        zero, out = ctypes.c_int64(0), (ctypes.c_int64 * N_TURNS)(7, -1, 1 << 40, 2)
        function(ctypes.addressof(out), ctypes.addressof(zero), n, 0)
    assert list(out) == [0] * N_TURNS


@pytest.mark.parametrize(
    ("steps", "begins"),
    [
        ([("or", 2, 2, 0)], []),  # asked | asked
        ([("or", 1, 2, 0)], ["phi"]),  # phi | asked, and the phi is what it was
        ([("and", 3, 2, 0)], []),  # any value & asked
        ([("ne", 2, 0, 0)], []),
        ([("shl", 2, 0, 3)], []),
    ],
)
def test_what_is_seen_to_hold(steps: list[tuple[str, int, int, int]], begins: list[str]) -> None:
    _module, loop, store, asked = parts(program(steps, 0))
    clear = ClearValues(loop, asked)
    assert clear.holds(store.value)
    assert [one.name for one in clear.begins] == begins


@pytest.mark.parametrize("step", [("or", 3, 2, 0), ("eq", 2, 0, 0), ("add", 4, 2, 0)])
def test_values_of_the_program_are_not_taken_to_be_zero(step: tuple[str, int, int, int]) -> None:
    _module, loop, store, asked = parts(program([step], 0))
    assert not ClearValues(loop, asked).holds(store.value)
