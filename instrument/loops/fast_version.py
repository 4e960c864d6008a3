"""A fast version of a loop: a copy without what was asked ahead, and the blocks around it.

    run:     br fast header
    fast:    the loop without those checks; its latch: br (tested == last), end, fast header
    end:     n turns of fuel are spent                      __irsan_strip_done
             br (the test), head, outside
    ways:    other ways out spend the turns that were made  __irsan_strip_left

strip_code.py has what is in front of it.
"""

from __future__ import annotations

from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.check_names import THREAD
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import check_name
from irsan.instrument.loops.cloning import copy_loop
from irsan.instrument.loops.strip_plans import Plan, check_of, without_tool
from irsan.instrument.loops.turn_code import TurnCode
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.ir.builder import Builder
from irsan.ir.values import BasicBlock, Function, Value


class FastVersion:
    """One fast version of a loop; code behind the loop must take its values from memory.

    run, end: the blocks in front of it and behind a strip.
    """

    __slots__ = ("_code", "_function", "_hooks", "_loop", "_plan", "copy", "end", "run")

    def __init__(
        self, hooks: HookCalls, function: Function, loop: Loop, plan: Plan, *, is_alone: bool
    ) -> None:
        """is_alone: entered only while races are ignored; it asks about none."""
        self._hooks, self._function, self._loop, self._plan = hooks, function, loop, plan
        self._code = TurnCode(hooks.module, plan.test)
        self.copy = copy_loop(hooks.module, function, loop, self._replaced(is_alone=is_alone))
        self.run = function.new_block(hooks.module.types.label)
        self.end = function.new_block(hooks.module.types.label)

    def _replaced(self, *, is_alone: bool) -> dict[Value, Value | None]:
        """What stands for checks, shadow and the safepoint."""
        plan = self._plan
        found: dict[Value, Value | None] = {}
        for call, asked in plan.left.items():
            hook = check_of(call)
            assert hook is not None
            left = without_tool(asked, THREAD) if is_alone else asked
            if left == hook.operation:
                continue
            name = check_name(hook.is_write, hook.size_bytes, left)
            found[call] = (
                self._hooks.call(name, call.operands[1:], call.debug_location) if left else None
            )
        found.update(dict.fromkeys(plan.dropped))
        if plan.defined is not None:
            zeros = {*plan.defined.loads, *plan.defined.begins} - set(self._loop.header.phis())
            found.update({one: clean(one.type) for one in zeros})
            found.update(dict.fromkeys(plan.defined.stores))
        if plan.safepoint is not None:
            found[plan.safepoint] = None
        return found

    def connect(
        self, head: BasicBlock, now: dict[Value, Value], n_turns: Value, last: Value
    ) -> None:
        """Enter it from `run`, leave it to `head` and to where the loop leads.

        now: values of the header's phis where a strip begins;  n_turns: its length
        last: the number that is tested in its last turn
        """
        self._enter(now)
        self._leave_by_test(last)
        self._end_strip(head, n_turns)
        self._leave_early(now)

    def _enter(self, now: dict[Value, Value]) -> None:
        """From `run`, with phis that begin with those of the head."""
        header = self.copy.blocks[self._loop.header]
        Builder(self._hooks.module, self.run.instructions).br(header)
        latch, defined = self.copy.blocks[self._loop.latch], self._plan.defined
        for phi, twin in zip(self._loop.header.phis(), header.phis(), strict=True):
            again = next(value for value, block in twin.incoming if block is latch)
            is_zero = defined is not None and phi in defined.begins
            twin.operands = [again, clean(phi.type) if is_zero else now[phi]]
            twin.blocks = [latch, self.run]

    def _leave_by_test(self, last: Value) -> None:
        """Its latch ends the strip, and nothing else ends the loop by its test."""
        test, blocks = self._plan.test, self.copy.blocks
        latch, header = blocks[self._loop.latch], blocks[self._loop.header]
        if not test.is_in_latch:
            self._never_leave(blocks[test.block], test.outside)
        location = latch.instructions[-1].debug_location
        del latch.instructions[-1]
        at = Builder(self._hooks.module, latch.instructions, location)
        tested = self._code.number(at, self.copy.value(test.tested))
        at.cond_br(at.icmp("eq", tested, last), self.end, header)

    def _never_leave(self, block: BasicBlock, outside: BasicBlock) -> None:
        terminator = block.instructions[-1]
        inside = next(one for one in terminator.successors if one is not outside)  # type: ignore[attr-defined]
        del block.instructions[-1]
        Builder(self._hooks.module, block.instructions, terminator.debug_location).br(inside)

    def _end_strip(self, head: BasicBlock, n_turns: Value) -> None:
        """Spend the strip's fuel; ask the test of the latch, whose phis outside it enters."""
        plan, at = self._plan, Builder(self._hooks.module, self.end.instructions)
        if plan.safepoint is not None:
            self.end.instructions.append(self._hooks.call("__irsan_strip_done", [n_turns], None))
        test = plan.test
        if not test.is_in_latch:
            at.br(head)
            return
        bound = self._code.number(at, test.bound)
        goes_on = at.icmp(
            test.predicate, self._code.number(at, self.copy.value(test.tested)), bound
        )
        at.cond_br(goes_on, head, test.outside)
        self._enter_outside(test.outside, self._loop.latch, self.end)

    def _enter_outside(self, outside: BasicBlock, twin_of: BasicBlock, source: BasicBlock) -> None:
        """Let the phis of a block outside know of a new edge, which does as one of the loop."""
        for phi in outside.phis():
            value = next(value for value, block in phi.incoming if block is twin_of)
            phi.operands.append(self.copy.value(value))
            phi.blocks.append(source)

    def _leave_early(self, now: dict[Value, Value]) -> None:
        """Other ways out: the turns that were made cost fuel."""
        test = self._plan.test
        for edge in self._loop.exits:
            if edge.source is test.block and edge.target is test.outside:
                continue
            block = self.copy.blocks[edge.source]
            way = self._function.new_block(self._hooks.module.types.label)
            at = Builder(self._hooks.module, way.instructions)
            if self._plan.safepoint is not None:
                n_turns = self._turns_made(at, now)
                way.instructions.append(self._hooks.call("__irsan_strip_left", [n_turns], None))
            at.br(edge.target)
            terminator = block.instructions[-1]
            terminator.successors = [  # type: ignore[attr-defined]
                way if one is edge.target else one
                for one in terminator.successors  # type: ignore[attr-defined]
            ]
            self._enter_outside(edge.target, edge.source, way)

    def _turns_made(self, at: Builder, now: dict[Value, Value]) -> Value:
        """Turns of the strip that were made when the fast version is left."""
        counter = self._plan.counter
        return self._code.made(at, now[counter], self.copy.value(counter), self._plan.counter_step)
