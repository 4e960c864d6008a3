"""Control: branches, switches, returns, selections."""

from __future__ import annotations

from typing import Final

from irsan.engine.interp.code import Label, Operation
from irsan.engine.interp.function_lowering import FunctionLowering, Lower, by_helper
from irsan.engine.interp.lower_integers import branch_on
from irsan.engine.interp.registers import word_bits
from irsan.instrument.access.safepoints import SAFEPOINT
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.control import Br, IndirectBr, Ret, Switch, Unreachable
from irsan.ir.instruction import Instruction
from irsan.ir.operations import ICmp, Select
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock

_MAX_SPREAD: Final = 4  # table entries per case, at most


def lower_br(lowering: FunctionLowering, op: Br) -> None:
    if not op.operands:
        return lowering.jump(op.successors[0])
    if_true, if_false = op.successors
    if if_true is if_false:
        return lowering.jump(if_true)
    is_inverted = _goes_away_if_false(lowering, if_true, if_false)
    away, here = (if_false, if_true) if is_inverted else (if_true, if_false)
    _branch(lowering, op, lowering.edge(away), is_inverted)
    return lowering.jump(here)


def _goes_away_if_false(
    lowering: FunctionLowering, if_true: BasicBlock, if_false: BasicBlock
) -> bool:
    """Which edge is the jump; the other stays in line, where moves and the next block are."""
    has_moves = lowering.edges.has_moves
    true_moves, false_moves = [has_moves(lowering.block, way) for way in (if_true, if_false)]
    if true_moves != false_moves:
        return true_moves
    if lowering.next_block in (if_true, if_false):
        return if_true is lowering.next_block
    return lowering.label(if_false).position >= 0  # back to the head of a loop


def _branch(lowering: FunctionLowering, op: Br, target: Label, is_inverted: bool) -> None:
    condition = op.operands[0]
    if condition in lowering.fused:
        assert isinstance(condition, ICmp)
        branch_on(lowering, condition, target, is_inverted)
        lowering.registers.end(condition)
    else:
        lowering.emit("jz" if is_inverted else "jnz", lowering.of(condition), target)


def find_fused(lowering: FunctionLowering) -> None:
    """Comparisons that only the branch behind them uses: it compares itself."""
    if lowering.has_far_jumps:
        return
    for block in lowering.function.blocks:
        branch = block.instructions[-1]
        compare = branch.operands[0] if isinstance(branch, Br) and branch.operands else None
        if not isinstance(compare, ICmp) or compare is not _last_but_safepoints(block):
            continue
        is_last = lowering.registers.last_uses.get(compare) is branch
        if is_last and word_bits(compare.operands[0].type):
            lowering.fused.add(compare)


def _last_but_safepoints(block: BasicBlock) -> Instruction | None:
    """What stands in front of a block's end; safepoints, which read no register, may be between."""
    for op in reversed(block.instructions[:-1]):
        callee = op.called_function if isinstance(op, Call) else None
        if callee is None or callee.name != SAFEPOINT:
            return op
    return None


def lower_switch(lowering: FunctionLowering, op: Switch) -> None:
    condition = op.operands[0]
    bits = word_bits(condition.type)
    if not bits:
        return _lower_wide_switch(lowering, op)
    default, *targets = op.successors
    mask = (1 << bits) - 1
    cases: dict[int, BasicBlock] = {}
    for value, target in zip(op.cases, targets, strict=True):
        assert isinstance(value, ConstantInt)
        cases.setdefault(value.value & mask, target)
    ordered = sorted(cases)
    end = (0, lowering.edge(default))
    is_dense = bool(ordered) and ordered[-1] - ordered[0] < _MAX_SPREAD * len(ordered)
    if is_dense:
        wanted = range(ordered[0], ordered[-1] + 1)
        jumps = [(case, lowering.edge(cases.get(case, default))) for case in wanted]
    else:
        jumps = [(case, lowering.edge(cases[case])) for case in ordered]
    name = "table" if is_dense else "search"
    fields = (lowering.of(condition), len(jumps))
    return lowering.code.append(Operation(name, fields, jumps=(end, *jumps)))


def _lower_wide_switch(lowering: FunctionLowering, op: Switch) -> None:
    """Integers of more than 64 bits: one comparison after the other."""
    condition, boolean = op.operands[0], IntegerType(1)
    for value, target in zip(op.cases, op.successors[1:], strict=True):
        compare = ICmp(boolean, "eq", condition, value)
        by_helper(lowering, compare)
        lowering.emit("jnz", lowering.of(compare), lowering.edge(target))
    lowering.jump(op.successors[0])


def lower_indirectbr(lowering: FunctionLowering, op: IndirectBr) -> None:
    lowering.edges.stage(lowering.block, op.successors)
    lowering.emit("ijmp", lowering.of(op.operands[0]))


def lower_ret(lowering: FunctionLowering, op: Ret) -> None:
    before = lowering.block.instructions[-2:-1]
    if before and isinstance(before[0], Call) and before[0].tail == "musttail":
        return None  # the stub has returned
    if op.operands:
        assert lowering.result is not None
        n_slots = lowering.registers.n_slots(op.operands[0].type)
        lowering.copy(lowering.result, lowering.of(op.operands[0]), n_slots)
    return lowering.emit("ret")


def lower_unreachable(lowering: FunctionLowering, _op: Unreachable) -> None:
    """A trap: native code goes on with whatever comes next."""
    lowering.call_helper(lowering.shapes.trap(), [])


def lower_select(lowering: FunctionLowering, op: Select) -> None:
    condition, if_true, if_false = op.operands
    if not word_bits(condition.type):
        return by_helper(lowering, op)
    target, n_slots = lowering.of(op), lowering.registers.n_slots(op.type)
    first, second = lowering.of(if_true), lowering.of(if_false)
    if n_slots == 1:
        return lowering.emit("sel", lowering.of(condition), first, second, words=(target,))
    otherwise, end = Label(), Label()
    lowering.emit("jz", lowering.of(condition), otherwise)
    lowering.copy(target, first, n_slots)
    lowering.emit("jmp", end)
    lowering.code.place(otherwise)
    lowering.copy(target, second, n_slots)
    return lowering.code.place(end)


LOWERINGS: Final[dict[str, Lower]] = {
    "br": lower_br,
    "switch": lower_switch,
    "indirectbr": lower_indirectbr,
    "ret": lower_ret,
    "unreachable": lower_unreachable,
    "select": lower_select,
}
