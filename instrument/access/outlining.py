"""Outlining: but in small modules, checks outside of small loops and functions are not all inline.

    __irsan_check_read4_both(%p, site)   -->   __irsan_apart_read4_both(%p, site)
                                         -->   __irsan_outlined_read4_both(%p, site)   huge function

An inlined pair of checks is some fifty instructions for LLVM's code generator, a unit of lua's
takes half as long without.  A check of an address is some ten, so it stays inline, and so does the
question whether races count at all, which a program of one thread answers with no.  Small modules
keep everything inline: their code is generated at once anyway.  In huge functions all of a check
becomes one call, as the generator takes more than their share of time for them.

Soundness: an outlined hook makes the same check.  `SiteMarking` makes checks: this runs behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.control_flow.cycles import small_cycles
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, apart_name, outlined_name
from irsan.instrument.policy import is_touched
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

_WEIGHTS: Final = {"address": 1, "thread": 2, "both": 3}
_CHECKS: Final = {
    hook.name: _WEIGHTS[hook.operation.partition("_")[0]]
    for hook in HOOKS.values()
    if hook.group == "check"
}


@dataclass(frozen=True, slots=True)
class Outlining:
    """Weights of checks: 1 for one of an address, 2 for one of races, 3 for both.

    inline_limit: modules with at most so much are left alone.
    function_limit: so are functions, which are often the ones that the loops of others call.
    loop_limit: and loops, inner ones when the outer one has more.
    huge_limit: functions with more have no check inline but in such loops.
    """

    inline_limit: int = 300
    function_limit: int = 18
    loop_limit: int = 240
    huge_limit: int = 7000

    def apply(self, module: Module) -> None:
        """Outline what the checks of all big functions ask, when the module is big."""
        functions = [(f, _weights(f)) for f in module.functions if is_touched(f)]
        if sum([sum(weights.values()) for _, weights in functions]) <= self.inline_limit:
            return
        hooks = HookCalls(module)
        for function, weights in functions:
            weight = sum(weights.values())
            if weight > self.function_limit:
                named = outlined_name if weight > self.huge_limit else apart_name
                kept = small_cycles(function, weights, self.loop_limit)
                for block in weights:
                    if block not in kept:
                        block.instructions = [
                            _renamed(hooks, one, named) for one in block.instructions
                        ]


def _weights(function: Function) -> dict[BasicBlock, int]:
    """Blocks with checks and what these weigh."""
    weights = {}
    for block in function.blocks:
        weight = sum([_CHECKS.get(_check_of(one), 0) for one in block.instructions])
        if weight:
            weights[block] = weight
    return weights


def _check_of(instruction: Instruction) -> str:
    """Name of the check that `instruction` calls, or ""."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    return callee.name if isinstance(callee, Function) and callee.name in _CHECKS else ""


def _renamed(
    hooks: HookCalls, instruction: Instruction, named: Callable[[str], str]
) -> Instruction:
    """The call that stands for a check, if there is a hook of that name; anything else stays."""
    check = _check_of(instruction)
    if not check or named(check) not in HOOKS:
        return instruction
    made = hooks.call(named(check), instruction.operands[1:], instruction.debug_location)
    made.debug_records = instruction.debug_records
    return made
