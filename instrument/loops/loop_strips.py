"""Strips: counted loops that ask about many turns at once, and then run without checks.

    for (i = 0; i < n; i++) sum += a[i];

    ask whether a[0] .. a[k - 1] may be read, k as many turns as are left until the next safepoint
    fine:   k turns without a check and without a safepoint, and so on
    else:   the loop as it is, with its checks: reports have the line, the turn and the address

Runs behind `SiteMarking`, when all hooks are in place and have their sites.

Soundness: only one thread of the program runs at a time, and it changes hands at safepoints and in
calls: nothing that a strip asked about changes until its last turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.natural_loops import innermost_loops, renewed
from irsan.instrument.analysis.type_sizes import TypeSizes
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.loops.strip_code import StripWriter
from irsan.instrument.loops.strip_plans import BOUNDS, Plan, check_of, plan_strips
from irsan.instrument.policy import is_touched
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import Function


@dataclass(frozen=True, slots=True)
class LoopStrips:
    """Makes strips of all loops that gain by it."""

    def apply(self, module: Module) -> None:
        """Change all functions."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        for function in module.functions[:]:
            if is_touched(function):
                write_strips(hooks, sizes, function)


def write_strips(hooks: HookCalls, sizes: TypeSizes, function: Function) -> None:
    """Make strips of the loops of one function."""
    has_changed = False
    for found in list(innermost_loops(function)):
        loop = renewed(found, function) if has_changed else found
        if not any(_asks(one) for block in loop.blocks for one in block.instructions):
            continue
        plan = plan_strips(loop, sizes)
        if isinstance(plan, Plan) and (plan.ranges or plan.touches or plan.objects):
            StripWriter(hooks, function, loop, plan).write()
            has_changed = True


def _asks(instruction: Instruction) -> bool:
    """Whether an instruction is a check that strips may spare."""
    is_call = isinstance(instruction, Call)
    is_bounds = is_call and getattr(instruction.operands[0], "name", "") == BOUNDS
    return is_bounds or check_of(instruction) is not None
