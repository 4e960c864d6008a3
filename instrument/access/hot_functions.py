"""Hot functions: those whose loops call nothing are marked for the code generator's loop passes.

    define void @f(...) "irsan-hot"      the unit's code is made with the steps that loops gain from

Big units are generated without some of LLVM's steps (program_image/codegen.py in the engine), which
such loops need. Where a program spends its time is seldom known, but a loop in a loop that calls no
other function spends it in its own instructions. A function is hot when half of it lies in such
loops: zlib and bzip2 have some, lua has hardly any.

Hooks are no calls here. Functions of very many instructions are left out, as those steps take more
than their share of time for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.control_flow.cycles import nested_cycles
from irsan.instrument.hooks import is_hook_name
from irsan.instrument.policy import is_touched
from irsan.ir.attributes import string_attribute
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import Function, InlineAsm

HOT: Final = "irsan-hot"
_FREE: Final = "llvm."  # intrinsics, most of which become instructions


@dataclass(frozen=True, slots=True)
class HotFunctions:
    """Which functions are marked.

    least_share: of their instructions, those in loops of loops that call nothing.
    most_instructions: of a function.
    """

    least_share: float = 0.5
    most_instructions: int = 2500

    def apply(self, module: Module) -> None:
        """Mark the functions that passes may change."""
        for function in filter(is_touched, module.functions):
            if self._is_hot(function):
                mark = string_attribute(HOT)
                function.attributes = function.attributes.with_function([mark])

    def _is_hot(self, function: Function) -> bool:
        total = sum([len(block.instructions) for block in function.blocks])
        if total > self.most_instructions:
            return False
        quiet = [block for block in function.blocks if not _calls(block.instructions)]
        looping = [len(block.instructions) for loop in nested_cycles(quiet) for block in loop]
        return sum(looping) >= self.least_share * total > 0


def _calls(instructions: Iterable[Instruction]) -> bool:
    """Whether other functions of the program, or of its libraries, are called."""
    return any(isinstance(one, Call) and _is_real(one) for one in instructions)


def _is_real(call: Call) -> bool:
    callee = call.operands[0]
    if isinstance(callee, Function):
        return not (is_hook_name(callee.name) or callee.name.startswith(_FREE))
    return not isinstance(callee, InlineAsm)
