"""Outlining: but in small modules, checks outside of small loops and functions become calls.

    __irsan_check_read4_both(%p, site)   -->   __irsan_outlined_read4_both(%p, site)

An inlined pair of checks is some fifty instructions for LLVM's code generator, an outlined one is
one: a unit of lua's takes half as long.  A check of addresses alone is some ten, so three times as
many stay: lua's units take as long then, and it runs in 0.85 of the time.  Small modules keep
everything inline: their code is generated at once anyway.

Soundness: an outlined hook makes the same check.  `SiteMarking` makes checks: this runs behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.control_flow.cycles import small_cycles
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, outlined_name
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
    """

    inline_limit: int = 300
    function_limit: int = 18
    loop_limit: int = 240

    def apply(self, module: Module) -> None:
        """Outline the checks of all big functions when the module is big."""
        functions = [(f, _weights(f)) for f in module.functions if is_touched(f)]
        if sum([sum(weights.values()) for _, weights in functions]) <= self.inline_limit:
            return
        hooks = HookCalls(module)
        for function, weights in functions:
            if sum(weights.values()) > self.function_limit:
                kept = small_cycles(function, weights, self.loop_limit)
                for block in weights:
                    if block not in kept:
                        block.instructions = [_outlined(hooks, one) for one in block.instructions]


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


def _outlined(hooks: HookCalls, instruction: Instruction) -> Instruction:
    """The call that stands for a check; anything else stays."""
    check = _check_of(instruction)
    if not check:
        return instruction
    made = hooks.call(outlined_name(check), instruction.operands[1:], instruction.debug_location)
    made.debug_records = instruction.debug_records
    return made
