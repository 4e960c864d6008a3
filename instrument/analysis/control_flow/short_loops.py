"""Short loops: those that surely end after a few turns.

    for (int i = 0; i < 3; i++) sum += a[i] * b[i];         3 turns

    most_turns(latch, header, blocks)       of the loop of a back edge, None when not known or many

Such a loop is as good as code in a row: no thread waits for its end, and what is asked once for
many turns does not pay. It counts from numbers to a number; the turns are made one by one here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Set
from typing import Final

from irsan.instrument.analysis.control_flow.turn_tests import as_signed, as_unsigned
from irsan.ir.constants import ConstantInt
from irsan.ir.operations import BinaryOp, ICmp
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock, Value

FEW_TURNS: Final = 8
_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def most_turns(latch: BasicBlock, header: BasicBlock, blocks: Set[BasicBlock]) -> int | None:
    """Turns after which the natural loop of a back edge has ended, None from FEW_TURNS on.

    blocks: of that loop, `latch` and `header` among them.
    """
    turns = min([_turns_by(block, header, blocks) for block in {header, latch}])
    return turns if turns < FEW_TURNS else None


def _turns_by(block: BasicBlock, header: BasicBlock, blocks: Set[BasicBlock]) -> int:
    """Turns until `block`, which each turn comes to, leaves; FEW_TURNS: many, or not known."""
    terminator = block.terminator
    if terminator is None or terminator.opcode != "br" or len(terminator.successors) != 2:
        return FEW_TURNS
    condition, outside = terminator.operands[0], [o not in blocks for o in terminator.successors]
    if not isinstance(condition, ICmp) or outside[0] == outside[1]:
        return FEW_TURNS
    counter = _counter_of(condition.operands[0], header)
    if counter is None:
        return FEW_TURNS
    phi, added = counter
    starts = [start for start, source in phi.incoming if source not in blocks]
    steps = [_step_of(again, phi) for again, source in phi.incoming if source in blocks]
    if len(steps) != 1 or steps[0] is None:
        return FEW_TURNS
    counts = [_count(condition, start, added, steps[0], leaves=outside[0]) for start in starts]
    return max(counts, default=FEW_TURNS)


def _counter_of(tested: Value, header: BasicBlock) -> tuple[Phi, int] | None:
    """The phi of the header that a number is, and what is added to it."""
    phi = tested.operands[0] if isinstance(tested, BinaryOp) else tested
    added = 0 if phi is tested else _step_of(tested, phi)
    if added is None or not isinstance(phi, Phi) or phi not in header.phis():
        return None
    return phi, added


def _step_of(value: Value, phi: Value) -> int | None:
    if not isinstance(value, BinaryOp) or value.opcode != "add" or value.operands[0] is not phi:
        return None
    amount = value.operands[1]
    return amount.value if isinstance(amount, ConstantInt) else None


def _count(test: ICmp, start: Value, added: int, step: int, *, leaves: bool) -> int:
    """Turns until the test is `leaves`; FEW_TURNS when there are as many, or numbers not known."""
    bound, kind, predicate = test.operands[1], test.operands[0].type, test.predicate
    if not isinstance(start, ConstantInt) or not isinstance(bound, ConstantInt):
        return FEW_TURNS
    assert isinstance(kind, IntegerType)
    compare = _COMPARISONS[predicate[-2:]]
    read = as_signed if predicate[0] == "s" else as_unsigned
    number, limit = start.value + added, read(bound.value, kind.width)
    turn = 1
    while turn < FEW_TURNS and compare(read(number, kind.width), limit) != leaves:
        number += step
        turn += 1
    return turn
