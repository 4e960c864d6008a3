"""Outlining: but in small modules, checks outside of small loops and functions become calls.

    __irsan_check_read4_both(%p, site)   -->   __irsan_outlined_read4_both(%p, site)

An inlined pair of checks is some fifty instructions for LLVM's code generator, an outlined one is
one: a unit of lua's takes half as long.  Small modules keep everything inline: their code is
generated at once anyway.

Soundness: an outlined hook makes the same check.  `SiteMarking` makes checks: this runs behind it.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.cycles import small_cycles
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, outlined_name
from irsan.instrument.policy import is_touched
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

_CHECKS = frozenset(hook.name for hook in HOOKS.values() if hook.group == "check")


@dataclass(frozen=True, slots=True)
class Outlining:
    """Numbers of checks.

    inline_limit: modules with at most so many are left alone.
    function_limit: so are functions, which are often the ones that the loops of others call.
    loop_limit: and loops, inner ones when the outer one has more.
    """

    inline_limit: int = 100
    function_limit: int = 6
    loop_limit: int = 24

    def apply(self, module: Module) -> None:
        """Outline the checks of all big functions when the module is big."""
        functions = [(f, _check_counts(f)) for f in module.functions if is_touched(f)]
        if sum([sum(counts.values()) for _, counts in functions]) <= self.inline_limit:
            return
        hooks = HookCalls(module)
        for function, counts in functions:
            if sum(counts.values()) > self.function_limit:
                kept = small_cycles(function, counts, self.loop_limit)
                for block in counts:
                    if block not in kept:
                        block.instructions = [_outlined(hooks, one) for one in block.instructions]


def _check_counts(function: Function) -> dict[BasicBlock, int]:
    """Blocks with checks and how many they have."""
    counts = {}
    for block in function.blocks:
        number = sum([_check_of(one) is not None for one in block.instructions])
        if number:
            counts[block] = number
    return counts


def _check_of(instruction: Instruction) -> str | None:
    """Name of the check that `instruction` calls, or None."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    if isinstance(callee, Function) and callee.name in _CHECKS:
        return callee.name
    return None


def _outlined(hooks: HookCalls, instruction: Instruction) -> Instruction:
    """The call that stands for a check; anything else stays."""
    check = _check_of(instruction)
    if check is None:
        return instruction
    made = hooks.call(outlined_name(check), instruction.operands[1:], instruction.debug_location)
    made.debug_records = instruction.debug_records
    return made
