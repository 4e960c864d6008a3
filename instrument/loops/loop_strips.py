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

from irsan.instrument.analysis.control_flow.natural_loops import innermost_loops, renewed
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.check_stats import CheckStats
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.loops.check_fates import FatesOfFunction
from irsan.instrument.loops.strip_code import StripWriter
from irsan.instrument.loops.strip_plans import Plan, may_gain, plan_strips
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.site_stores import Lines
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import Function


@dataclass(frozen=True, slots=True)
class LoopStrips:
    """Makes strips of all loops that gain by it.

    lines: the sites of what may trap, by function; copies have those of what they are copies of.
    stats: which checks are asked ahead is noted there, and why the others stay.
    """

    lines: Lines
    stats: CheckStats | None = None

    def apply(self, module: Module) -> None:
        """Change all functions."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        for function in module.functions[:]:
            if is_touched(function):
                noted = FatesOfFunction(function) if self.stats is not None else None
                write_strips(hooks, sizes, function, self.lines.get(function, {}), noted)
                if noted is not None and self.stats is not None:
                    noted.tell(self.stats)


def write_strips(
    hooks: HookCalls,
    sizes: TypeSizes,
    function: Function,
    lines: dict[Instruction, int],
    noted: FatesOfFunction | None = None,
) -> None:
    """Make strips of the loops of one function."""
    has_changed = False
    for found in list(innermost_loops(function)):
        loop = renewed(found, function) if has_changed else found
        if not may_gain(loop):
            continue
        plan = plan_strips(loop, sizes)
        if noted is not None:
            noted.note_loop(loop, plan)
        if isinstance(plan, Plan) and plan.gains:
            copies = StripWriter(hooks, function, loop, plan).write()
            lines.update({new: lines[old] for old, new in copies if old in lines})
            has_changed = True
