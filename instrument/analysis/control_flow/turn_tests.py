"""The test that ends a counted loop, and how many turns are left by it.

    latch:  %next = add i64 %i, 1                   tested %next, step 1, ne, bound %n
            br (icmp eq %next, %n), out, header     turns from %i on: %n - %next + 1

    header: br (icmp slt %i, %n), body, out         tested %i, step 1, slt, bound %n
            ... latch: br header                    whole turns from %i on: max(%n - %i, 0)

The loop goes on while `tested <predicate> bound`: the bound is fixed, the tested number grows by
the same `step` each turn.  Other ways out may end the loop earlier.

    latch:  %low = trunc i64 %i to i32              the low half of a counter is one of 32 bits
            br (icmp sgt %low, 1), header, out      as LLVM makes it of `int i; ... i >= 0; i--`

Source: Muchnick, "Advanced Compiler Design and Implementation" (1997), section 14.1 (induction
variables) and 18.
Soundness: `whole_turns` never counts a turn behind the one whose test ends the loop, whatever wraps
around: the tested number meets or passes the bound in that turn for the first time.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.linear_forms import LinearForms
from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.ir.operations import Cast, ICmp
from irsan.ir.types import IntegerType, PointerType
from irsan.ir.values import BasicBlock, Value

_NEGATED = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
_MIRRORED = {
    "eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
}  # fmt: skip
_UPWARDS = ("ne", "slt", "ult", "sle", "ule")
_DOWNWARDS = ("ne", "sgt", "ugt", "sge", "uge")


@dataclass(frozen=True, slots=True)
class TurnTest:
    """Where a loop is left, and when.

    block: its header or its latch;  outside: where it goes then
    """

    block: BasicBlock
    is_in_latch: bool
    outside: BasicBlock
    tested: Value
    step: int
    predicate: str
    bound: Value

    @property
    def is_strict(self) -> bool:
        """Whether the loop ends when the bound is met, not behind it."""
        return self.predicate in ("ne", "slt", "ult", "sgt", "ugt")


def find_turn_test(loop: Loop, forms: LinearForms) -> TurnTest | None:
    """The test of the latch, or that of the header when the latch always goes back."""
    latch = loop.latch.terminator
    if latch is None or latch.opcode != "br":
        return None
    if len(latch.successors) == 2:
        return _test_of(loop.latch, loop, forms)
    return None if loop.header is loop.latch else _test_of(loop.header, loop, forms)


def _test_of(block: BasicBlock, loop: Loop, forms: LinearForms) -> TurnTest | None:
    terminator = block.terminator
    if terminator is None or terminator.opcode != "br" or len(terminator.successors) != 2:
        return None
    condition = terminator.operands[0]
    outside = [one for one in terminator.successors if one not in loop.blocks]
    if not isinstance(condition, ICmp) or len(outside) != 1 or forms.is_fixed(condition):
        return None
    goes_on_if_true = terminator.successors[1] is outside[0]
    predicate = condition.predicate if goes_on_if_true else _NEGATED[condition.predicate]
    left, right = condition.operands
    if forms.is_fixed(left):
        left, right, predicate = right, left, _MIRRORED[predicate]
    if not forms.is_fixed(right) or not _is_countable(left):
        return None
    is_in_latch = block is loop.latch
    return _counted(block, is_in_latch, outside[0], left, predicate, right, forms)


def _counted(
    block: BasicBlock, is_in_latch: bool, outside: BasicBlock, tested: Value, predicate: str,
    bound: Value, forms: LinearForms,
) -> TurnTest | None:  # fmt: skip
    step = _step_of(tested, forms)
    if not step or predicate not in (_UPWARDS if step > 0 else _DOWNWARDS):
        return None
    return TurnTest(block, is_in_latch, outside, tested, step, predicate, bound)


def _step_of(tested: Value, forms: LinearForms) -> int | None:
    """By how much a number grows each turn, as a signed one of its width; None: not always."""
    if not isinstance(tested, Cast) or tested.opcode != "trunc":
        return _stride_of(tested, forms)
    step = _stride_of(tested.operands[0], forms)
    assert isinstance(tested.type, IntegerType)
    return None if step is None else as_signed(step, tested.type.width)


def _stride_of(value: Value, forms: LinearForms) -> int | None:
    form = forms.of(value) if _is_countable(value) else None
    return forms.stride(form) if form is not None else None


def _is_countable(value: Value) -> bool:
    """Whether a value is a pointer of address space 0 or an integer of at most 64 bits."""
    kind = value.type
    if isinstance(kind, PointerType):
        return not kind.address_space
    return isinstance(kind, IntegerType) and 8 <= kind.width <= 64


def whole_turns(
    predicate: str, tested: int, step: int, bound: int, width: int, *, in_latch: bool
) -> int:
    """How many turns surely come, the present one included, as generated code counts them.

    in_latch: the turn in which the test ends the loop is a whole one, too.
    Numbers are those of registers of `width` bits.
    """
    modulus = 1 << width
    distance = (bound - tested if step > 0 else tested - bound) % modulus
    size = abs(step)
    last = 1 if in_latch else 0
    if predicate == "ne":
        return distance // size + last
    read = as_signed if predicate[0] == "s" else as_unsigned
    here, there = read(tested, width), read(bound, width)
    if not _goes_on(predicate, here, there):
        return last
    before_bound = (distance - 1) // size if predicate[1:] in ("lt", "gt") else distance // size
    return before_bound + 1 + last


def _goes_on(predicate: str, here: int, there: int) -> bool:
    comparison = predicate[1:]
    if comparison in ("lt", "gt"):
        return here < there if comparison == "lt" else here > there
    return here <= there if comparison == "le" else here >= there


def as_signed(number: int, width: int) -> int:
    """Bits of a register of `width` bits as a signed number."""
    number %= 1 << width
    return number - (1 << width) if number >> (width - 1) else number


def as_unsigned(number: int, width: int) -> int:
    """The same without a sign."""
    return number % (1 << width)
