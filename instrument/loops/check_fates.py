"""What becomes of the checks of one function: asked ahead of a loop, or why they stay.

    noted = FatesOfFunction(function)       before its loops are changed
    noted.note_loop(loop, plan)             for each innermost loop that has checks
    noted.tell(stats)                       every check once for each tool
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.instrument.analysis.control_flow.cycles import cyclic_blocks
from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.check_names import ADDRESS, THREAD
from irsan.instrument.check_stats import AHEAD, OBJECT, STAYS, CheckStats
from irsan.instrument.loops.strip_plans import Plan, asks, check_of
from irsan.ir.instruction import Instruction
from irsan.ir.values import Function

_IN_LOOP = "in a loop with others inside"
_IN_NONE = "in no loop"
_STRIPS = "once for many turns"


class FatesOfFunction:
    """The checks of a function and the reasons that are known so far."""

    __slots__ = ("_fates", "_reasons")

    def __init__(self, function: Function) -> None:
        cyclic = cyclic_blocks(function)
        self._reasons: dict[Instruction, str] = {
            one: _IN_LOOP if block in cyclic else _IN_NONE
            for block in function.blocks
            for one in block.instructions
            if asks(one)
        }
        self._fates: dict[tuple[Instruction, str], tuple[str, str]] = {}

    def note_loop(self, loop: Loop, plan: Plan | str) -> None:
        """What is planned for a loop: its plan, or the reason why there is none."""
        for one in [one for block in loop.blocks for one in block.instructions if asks(one)]:
            if isinstance(plan, str):
                self._reasons[one] = plan
                continue
            self._reasons[one] = plan.why.get(one, "")
            left = "" if one in plan.dropped else plan.left.get(one, OBJECT)
            for tool in _tools(one):
                if not (left == tool or left.startswith(("both", f"{tool}_"))):
                    self._fates[one, tool] = AHEAD, _STRIPS

    def tell(self, stats: CheckStats) -> None:
        """Note the fate of every check."""
        for one, reason in self._reasons.items():
            for tool in _tools(one):
                stats.note(tool, *self._fates.get((one, tool), (STAYS, reason)))


def _tools(instruction: Instruction) -> Iterator[str]:
    """The tools that a check asks for."""
    hook = check_of(instruction)
    if hook is None:
        yield OBJECT
        return
    asked = hook.operation.partition("_")[0]
    if asked in (ADDRESS, "both"):
        yield ADDRESS
    if asked in (THREAD, "both"):
        yield THREAD
