"""How many turns are left: the closed form and the code for it against turn after turn."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.linear_forms import LinearForms
from irsan.instrument.analysis.control_flow.natural_loops import innermost_loops
from irsan.instrument.analysis.control_flow.turn_tests import TurnTest, find_turn_test, whole_turns
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.loops.turn_code import TurnCode
from irsan.ir.builder import Builder
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, native
from tests.oracles.loops import turns_one_by_one, wraps_around

WIDTH = 8
UPWARDS = ("ne", "slt", "sle", "ult", "ule")
DOWNWARDS = ("ne", "sgt", "sge", "ugt", "uge")
CASES = st.one_of(
    st.tuples(st.sampled_from(UPWARDS), st.integers(1, 7)),
    st.tuples(st.sampled_from(DOWNWARDS), st.integers(-7, -1)),
)
BYTES = st.integers(0, 255)


@given(CASES, BYTES, BYTES, st.booleans())
def test_no_turn_behind_the_last_one_is_counted(
    case: tuple[str, int], tested: int, bound: int, in_latch: bool
) -> None:
    predicate, step = case
    found = whole_turns(predicate, tested, step, bound, WIDTH, in_latch=in_latch)
    wanted = turns_one_by_one(predicate, tested, step, bound, WIDTH, in_latch=in_latch)
    assert found <= wanted
    distance = bound - tested if step > 0 else tested - bound
    if predicate == "ne":
        assert found == wanted or distance % 256 % abs(step) != 0
    else:
        assert found == wanted or wraps_around(predicate, tested, step * wanted, WIDTH)


@pytest.mark.parametrize("predicate", [*UPWARDS, *DOWNWARDS[1:]])
@pytest.mark.parametrize("size", [1, 3, 4])
@pytest.mark.parametrize("in_latch", [False, True])
def test_the_code_counts_as_the_closed_form(predicate: str, size: int, in_latch: bool) -> None:
    step = size if predicate in UPWARDS else -size
    module = parse_ir_text(LAYOUT)
    types = module.types
    function = module.declare_function("count", types.function(types.i64, [types.i8, types.i8]))
    block = function.new_block(types.label)
    tested, bound = function.arguments
    test = TurnTest(block, in_latch, block, tested, step, predicate, bound)
    at = Builder(module, block.instructions)
    code = TurnCode(module, test)
    at.ret(code.turns(at, tested, bound))
    import llvmlite.binding as llvm

    with native(llvm.parse_assembly(print_module(module))) as address_of:
        count = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint8, ctypes.c_uint8)(
            address_of("count")
        )
        for here in range(0, 256, 5):
            for there in range(0, 256, 7):
                wanted = whole_turns(predicate, here, step, there, WIDTH, in_latch=in_latch)
                assert count(here, there) == wanted


def found_test(text: str) -> TurnTest | None:
    module = parse_ir_text(LAYOUT + text)
    function = next(one for one in module.functions if one.name == "f")
    (loop,) = innermost_loops(function)
    return find_turn_test(loop, LinearForms(loop, TypeSizes(module)))


LOOP = """define void @f(ptr %%p, i64 %%n) {
entry:
  br label %%head
head:
  %%i = phi i64 [ 0, %%entry ], [ %%next, %%latch ]
  %(head)s
latch:
  %%next = add i64 %%i, 2
  %(latch)s
out:
  ret void
}"""


def test_the_latch_or_the_header_tests() -> None:
    latch = "%c = icmp eq i64 %next, %n\n  br i1 %c, label %out, label %head"
    found = found_test(LOOP % {"head": "br label %latch", "latch": latch})
    assert found is not None
    assert (found.predicate, found.step, found.is_in_latch) == ("ne", 2, True)
    head = "%c = icmp sgt i64 %n, %i\n  br i1 %c, label %latch, label %out"
    found = found_test(LOOP % {"head": head, "latch": "br label %head"})
    assert found is not None
    assert (found.predicate, found.step, found.is_in_latch) == ("slt", 2, False)
    assert replace(found, predicate="sle").is_strict is False


def test_a_test_that_goes_the_wrong_way_ends_nothing() -> None:
    head = "%c = icmp sgt i64 %i, %n\n  br i1 %c, label %latch, label %out"
    assert found_test(LOOP % {"head": head, "latch": "br label %head"}) is None


def test_the_low_part_of_a_counter_is_a_number_that_ends_the_loop() -> None:
    """`for (int i = n - 1; i >= 0; i--)`, as LLVM leaves it: a step of 2^32 - 1 is one of -1."""
    latch = "%low = trunc i64 %i to i32\n  %c = icmp sgt i32 %low, 1\n"
    latch += "  br i1 %c, label %head, label %out"
    text = LOOP % {"head": "br label %latch", "latch": latch}
    found = found_test(text.replace("add i64 %i, 2", "add i64 %i, 4294967295"))
    assert found is not None
    assert (found.predicate, found.step, found.is_in_latch) == ("sgt", -1, True)
    assert found_test(text) is None  # upwards, and ended by what is below
    assert found_test(text.replace("add i64 %i, 2", "add i64 %i, 4294967296")) is None
