"""Whether a value that turns out to be poison is surely used: the rule for reporting it.

    %next = add nsw i32 %i, 1          wraps: poison
    %more = icmp slt i32 %next, %n     poison, too
    br i1 %more, ...                   used: the report at the add is true

LLVM makes poison that is never used: it computes both arms of a condition and chooses afterwards.
So poison is followed through arithmetic, casts, comparisons and addresses to the end of its
block, and counts only when it arrives at an address that is accessed, a divisor, a condition of a
branch, a memory cell, an argument or a result. `select`, `phi` and `freeze` end the search, and so
does a call that may not return.

May miss: uses in other blocks, through phis, and behind calls. May report falsely: poison that is
stored or passed on and never looked at there; a program that does so has computed it all the same.
In functions marked optnone nothing is computed ahead of its time, so everything counts.

Source: programUndefinedIfPoison in LLVM's ValueTracking, which follows poison in the same way to
immediately undefined behaviour. Deviation: stores, arguments and results count as uses.
"""

from __future__ import annotations

from irsan.ir.calls import Call, CallTerminator
from irsan.ir.control import Br, Ret, Switch
from irsan.ir.instruction import Instruction
from irsan.ir.memory import GetElementPtr, Load, Store
from irsan.ir.operations import BinaryOp, Cast, Compare, Select, UnaryOp
from irsan.ir.values import Function, Value

_FOLLOWED = 100  # instructions
_DIVISIONS = ("udiv", "sdiv", "urem", "srem")
_HARMLESS_CALLS = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias")


def is_surely_used(function: Function, instructions: list[Instruction], index: int) -> bool:
    """Whether poison made by `instructions[index]` counts; they are one block of `function`."""
    if function.attributes.has_function("optnone"):
        return True
    poison: set[Value] = {instructions[index]}
    for instruction in instructions[index + 1 : index + 1 + _FOLLOWED]:
        if _uses(instruction, poison):
            return True
        if _passes_on(instruction) and not poison.isdisjoint(instruction.operands):
            poison.add(instruction)
        if isinstance(instruction, (Call, CallTerminator)) and _may_not_return(instruction):
            return False
    return False


def _uses(instruction: Instruction, poison: set[Value]) -> bool:
    """Whether one of the values is used where poison is an error."""
    if isinstance(instruction, (Load, Store, Ret, Br, Switch)):
        return not poison.isdisjoint(instruction.operands)
    if isinstance(instruction, BinaryOp) and instruction.opcode in _DIVISIONS:
        return instruction.operands[1] in poison
    if isinstance(instruction, (Call, CallTerminator)):
        callee = instruction.called_function
        is_intrinsic = callee is not None and callee.is_intrinsic
        return not is_intrinsic and not poison.isdisjoint(instruction.operands)
    return False


def _passes_on(instruction: Instruction) -> bool:
    """Whether a poison operand makes a poison result."""
    if isinstance(instruction, Select):
        return False
    return isinstance(instruction, (BinaryOp, UnaryOp, Cast, Compare, GetElementPtr))


def _may_not_return(call: Call | CallTerminator) -> bool:
    callee = call.called_function
    if callee is not None and callee.name.startswith(_HARMLESS_CALLS):
        return False
    attributes = [call.attributes, *([callee.attributes] if callee is not None else [])]
    kinds = {attribute.kind for each in attributes for attribute in each.function}
    return not {"willreturn", "nounwind"} <= kinds
