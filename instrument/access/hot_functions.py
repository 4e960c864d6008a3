"""Hot functions: those whose loops call nothing are marked for LLVM's usual code generator.

    define void @f(...) "irsan-hot"      generated as in small units, whatever the size of the unit

Big units are generated quickly, which makes code that runs slower (program_image/codegen.py in the
engine).  Where a program spends its time is seldom known, but a loop in a loop that calls no other
function spends it in its own instructions.  A function is hot when half of it lies in such loops:
zlib and bzip2 run in 0.87 and 0.80 of the time so, and building them takes 1.2 and 1.3 of it; lua
has hardly any, and nothing changes.

Hooks are no calls here.  Functions of very many instructions are left out, as the usual generator
takes more than their share of time for them.

What a front end said of size (`optsize`) is dropped from the others: LLVM's mark for quick code
does not go with it.
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
_OF_SIZE: Final = ("optsize", "minsize")
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
            else:
                function.attributes = function.attributes.without_function(_OF_SIZE)

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
