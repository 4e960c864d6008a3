"""Where a function begins its work and where it ends it.

entry_index(function)     behind the leading allocas of the entry block
exit_points(function)     (block, index) before which the function still has its frame:
                          ret, resume, cleanupret to the caller, or the musttail call
                          before a ret
has_frame(function)       whether it pushes one
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.values import BasicBlock, Function

_FRAME_HOOKS = ("__irsan_frame_entry", "__tsan_func_entry")
_AREAS = ("__irsan_bits_callee", "__irsan_bits_passed")  # of shadow of arguments


def entry_index(function: Function) -> int:
    """Index in the entry block where calls may stand, with the leading allocas before it.

    Before it, too, is what takes the shadow of arguments.
    """
    instructions = function.entry.instructions
    index = function.entry.first_insertion_index()
    while instructions[index].opcode == "alloca" or _receives(instructions[index]):
        index += 1
    return index


def _receives(instruction: Instruction) -> bool:
    """Whether shadow of arguments is taken here: no other thread may run before that."""
    if isinstance(instruction, Call):
        callee = instruction.operands[0]
        return isinstance(callee, Function) and callee.name.startswith(_AREAS)
    return instruction.get_metadata("nosanitize") is not None and not instruction.is_terminator


def exit_points(function: Function) -> Iterator[tuple[BasicBlock, int]]:
    """Every place where the activation ends, one for each leaving block."""
    for block in function.blocks:
        last = block.instructions[-1]
        if last.opcode == "ret":
            yield block, _before_tail_call(block.instructions)
        elif last.opcode == "resume" or (last.opcode == "cleanupret" and not block.successors):
            yield block, len(block.instructions) - 1


def _before_tail_call(instructions: list[Instruction]) -> int:
    """The index of the ret, or of a musttail call that feeds it."""
    index = len(instructions) - 1
    for before in (index - 1, index - 2):  # a bitcast may stand between
        if before >= 0:
            call = instructions[before]
            if isinstance(call, Call) and call.tail == "musttail":
                return before
    return index


def has_frame(function: Function) -> bool:
    """Whether a function has a frame on the shadow call stack."""
    for instruction in function.entry.instructions:
        callee = instruction.operands[0] if isinstance(instruction, Call) else None
        if isinstance(callee, Function) and callee.name in _FRAME_HOOKS:
            return True
    return False
