"""What becomes of the checks of one function: asked ahead of a loop, or why they stay.

    noted = FatesOfFunction(function)       before its loops are changed
    noted.note_loop(loop, plan)             for each innermost loop that has checks
    noted.tell(stats)                       every check once for each tool
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.instrument.analysis.control_flow.cycles import cyclic_blocks
from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.check_names import ADDRESS, MEMORY, THREAD
from irsan.instrument.check_stats import AHEAD, OBJECT, STAYS, CheckStats
from irsan.instrument.loops.defined_loads import loads_of_shadow
from irsan.instrument.loops.strip_plans import NOT_LINEAR, Plan, asks, asks_tool, check_of
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load
from irsan.ir.values import BasicBlock, Function

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
            for one in _asking(block)
        }
        self._fates: dict[tuple[Instruction, str], tuple[str, str]] = {}

    def note_loop(self, loop: Loop, plan: Plan | str) -> None:
        """What is planned for a loop: its plan, or the reason why there is none."""
        for one in [one for block in loop.blocks for one in _asking(block)]:
            if isinstance(plan, str):
                self._reasons[one] = plan
                continue
            self._reasons[one] = plan.why.get(one, "")
            if isinstance(one, Load):
                self._note_load(one, plan)
                continue
            left = "" if one in plan.dropped else plan.left.get(one, OBJECT)
            for tool in _tools(one):
                if not asks_tool(left, tool):
                    self._fates[one, tool] = AHEAD, _STRIPS

    def _note_load(self, load: Load, plan: Plan) -> None:
        """Whether the shadow of what the program loads is asked ahead."""
        if plan.defined is not None and load in plan.defined.loads:
            self._fates[load, MEMORY] = AHEAD, _STRIPS
        else:
            self._reasons[load] = NOT_LINEAR

    def tell(self, stats: CheckStats) -> None:
        """Note the fate of every check."""
        for one, reason in self._reasons.items():
            for tool in _tools(one):
                stats.note(tool, *self._fates.get((one, tool), (STAYS, reason)))


def _asking(block: BasicBlock) -> list[Instruction]:
    """The checks of a block, and its loads of shadow."""
    return [*(one for one in block.instructions if asks(one)), *loads_of_shadow(block)]


def _tools(instruction: Instruction) -> Iterator[str]:
    """The tools that a check asks for."""
    if isinstance(instruction, Load):
        yield MEMORY
        return
    hook = check_of(instruction)
    if hook is None:
        yield OBJECT
        return
    yield from [tool for tool in (ADDRESS, THREAD) if asks_tool(hook.operation, tool)]
