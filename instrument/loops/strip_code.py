"""The code of strips: in front of a loop, at the ends of its fast version.

    head:    phis                  the header's, of the entries and of `end`
             turns = whole turns left by the test
             br turns >= FEW, ask, loop
    ask:     n = min(turns, fuel, a limit)                  __irsan_strip_length
             br (all ranges of n turns are clean, or defined), race, loop
    race:    br (races are ignored), run, touch
    touch:   br (all bytes of n turns could be touched), run, loop
    run:     br fast header
    fast:    the loop without what was asked; its latch: br (tested == last), end, fast header
    end:     n turns of fuel are spent                      __irsan_strip_done
             br (the test), head, outside

    loop:    the loop as it was, from the turn on that `head` has come to

FEW: what is asked ahead costs as much as the checks of about so many turns.
A search, with other ways out, seldom comes to its bound: its first strip is of FIRST_TURNS, each
other of twice as many, so it asks about little more than it comes to.

A strip ends where fuel does, so threads are switched where they are without it.  Other ways out of
the fast version spend the turns that were made.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.analysis.control_flow.short_loops import FEW_TURNS
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import MOST_TURNS, check_name
from irsan.instrument.loops.address_hulls import Range
from irsan.instrument.loops.cloning import LoopCopy, Rebuilt, copy_loop, values_to_memory
from irsan.instrument.loops.strip_plans import Inside, Plan, Touch, check_of
from irsan.instrument.loops.turn_code import TurnCode
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.ir.builder import Builder
from irsan.ir.instruction import Instruction
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType, VectorType
from irsan.ir.values import BasicBlock, Function, Value

FIRST_TURNS: Final = 8 * FEW_TURNS  # of a search


class StripWriter:
    """Writes the strips of one loop."""

    __slots__ = (
        "_code", "_copy", "_function", "_hooks", "_loop", "_module", "_now", "_plan",
    )  # fmt: skip

    def __init__(self, hooks: HookCalls, function: Function, loop: Loop, plan: Plan) -> None:
        self._hooks, self._module = hooks, hooks.module
        self._function, self._loop, self._plan = function, loop, plan
        self._code = TurnCode(self._module, plan.test)
        self._now: dict[Value, Value] = {}
        self._copy = LoopCopy()

    def write(self) -> list[tuple[Instruction, Instruction]]:
        """Change the function.  Returns the instructions of the loop and their copies."""
        loop, label = self._loop, self._module.types.label
        values_to_memory(self._module, self._function, loop)
        self._copy = copy_loop(self._module, self._function, loop, self._replaced())
        head, ask = self._function.new_block(label), self._function.new_block(label)
        touching = [self._function.new_block(label) for _ in range(2 if self._plan.touches else 0)]
        run, end = self._function.new_block(label), self._function.new_block(label)
        self._enter_by(head, end)
        at = Builder(self._module, head.instructions)
        again = Rebuilt(loop, self._now, at.instructions)
        test = self._plan.test
        tested = self._code.number(at, again.value(test.tested))
        turns = self._code.turns(at, tested, self._code.number(at, test.bound))
        enough = at.icmp("uge", turns, at.integer(64, FEW_TURNS))
        at.cond_br(enough, ask, loop.header)
        turns = self._growing(head, ask, end, turns)
        n_turns, last = self._ask(ask, turns, tested, [*touching, run][0])
        came_from = [head, ask]
        if touching:
            race, touch = touching
            self._touch(race, touch, run, n_turns)
            came_from.append(touch)
        self._run(run)
        self._leave_fast(end, last)
        self._end(end, head, n_turns)
        self._leave_early()
        self._come_to_loop(came_from)
        return self._copy.pairs

    # -- the fast version --------------------------------------------------------------------------

    def _replaced(self) -> dict[Value, Value | None]:
        """What stands for checks, shadow and the safepoint in the fast version."""
        plan = self._plan
        found: dict[Value, Value | None] = {}
        for call, left in plan.left.items():
            hook = check_of(call)
            assert hook is not None
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

    def _leave_fast(self, end: BasicBlock, last: Value) -> None:
        """The fast version's latch ends the strip, and nothing else ends the loop by its test."""
        test, blocks = self._plan.test, self._copy.blocks
        latch, header = blocks[self._loop.latch], blocks[self._loop.header]
        if not test.is_in_latch:
            self._never_leave(blocks[test.block], test.outside)
        location = latch.instructions[-1].debug_location
        del latch.instructions[-1]
        at = Builder(self._module, latch.instructions, location)
        tested = self._code.number(at, self._copy.value(test.tested))
        at.cond_br(at.icmp("eq", tested, last), end, header)

    def _never_leave(self, block: BasicBlock, outside: BasicBlock) -> None:
        terminator = block.instructions[-1]
        inside = next(one for one in terminator.successors if one is not outside)  # type: ignore[attr-defined]
        del block.instructions[-1]
        Builder(self._module, block.instructions, terminator.debug_location).br(inside)

    def _end(self, end: BasicBlock, head: BasicBlock, n_turns: Value) -> None:
        """Spend the strip's fuel; ask the test of the latch, whose phis outside it enters."""
        plan, at = self._plan, Builder(self._module, end.instructions)
        if plan.safepoint is not None:
            end.instructions.append(self._hooks.call("__irsan_strip_done", [n_turns], None))
        test = plan.test
        if not test.is_in_latch:
            at.br(head)
            return
        bound = self._code.number(at, test.bound)
        goes_on = at.icmp(
            test.predicate, self._code.number(at, self._copy.value(test.tested)), bound
        )
        at.cond_br(goes_on, head, test.outside)
        self._enter_outside(test.outside, self._loop.latch, end)

    def _enter_outside(self, outside: BasicBlock, twin_of: BasicBlock, source: BasicBlock) -> None:
        """Let the phis of a block outside know of a new edge, which does as one of the loop."""
        for phi in outside.phis():
            value = next(value for value, block in phi.incoming if block is twin_of)
            phi.operands.append(self._copy.value(value))
            phi.blocks.append(source)

    def _leave_early(self) -> None:
        """Other ways out: the turns that were made cost fuel."""
        test = self._plan.test
        for edge in self._loop.exits:
            if edge.source is test.block and edge.target is test.outside:
                continue
            block = self._copy.blocks[edge.source]
            way = self._function.new_block(self._module.types.label)
            at = Builder(self._module, way.instructions)
            if self._plan.safepoint is not None:
                way.instructions.append(
                    self._hooks.call("__irsan_strip_left", [self._turns_made(at)], None)
                )
            at.br(edge.target)
            terminator = block.instructions[-1]
            terminator.successors = [  # type: ignore[attr-defined]
                way if one is edge.target else one
                for one in terminator.successors  # type: ignore[attr-defined]
            ]
            self._enter_outside(edge.target, edge.source, way)

    def _turns_made(self, at: Builder) -> Value:
        """Turns of the strip that were made when the fast version is left."""
        counter = self._plan.counter
        begin, here = self._now[counter], self._copy.value(counter)
        return self._code.made(at, begin, here, self._plan.counter_step)

    # -- in front of it ----------------------------------------------------------------------------

    def _enter_by(self, head: BasicBlock, end: BasicBlock) -> None:
        """All entries lead to `head`, whose phis are the header's."""
        loop, copy = self._loop, self._copy
        fast_header, fast_latch = copy.blocks[loop.header], copy.blocks[loop.latch]
        for entry in loop.entries:
            terminator = entry.instructions[-1]
            terminator.successors = [  # type: ignore[attr-defined]
                head if one is loop.header else one
                for one in terminator.successors  # type: ignore[attr-defined]
            ]
        for phi in loop.header.phis():
            pairs = [pair for pair in phi.incoming if pair[1] is not loop.latch]
            again = next(value for value, block in phi.incoming if block is loop.latch)
            values = [*[value for value, _ in pairs], copy.value(again)]
            made = Phi(phi.type, values, [*[block for _, block in pairs], end], phi.flags)
            head.instructions.append(made)
            self._now[phi] = made
            phi.operands, phi.blocks = [again], [loop.latch]
        for phi in fast_header.phis():
            again = next(v for v, block in phi.incoming if block is fast_latch)
            phi.operands, phi.blocks = [again], [fast_latch]

    def _come_to_loop(self, sources: list[BasicBlock]) -> None:
        for phi in self._loop.header.phis():
            for source in sources:
                phi.operands.append(self._now[phi])
                phi.blocks.append(source)

    def _growing(
        self, head: BasicBlock, ask: BasicBlock, end: BasicBlock, turns: Value
    ) -> Value:
        """No more turns than the loop may well make: those of a search double from few on."""
        if len(self._loop.exits) == 1:
            return turns
        at = Builder(self._module, ask.instructions)
        few = at.integer(64, FIRST_TURNS)
        edges = [one for one in self._loop.entries for to in one.successors if to is head]
        most = Phi(few.type, [few] * len(edges), edges)
        head.instructions.insert(0, most)
        fewer = at.select(at.icmp("ult", turns, most), turns, most)
        doubled = at.binary("add", most, most)
        limit = at.integer(64, MOST_TURNS)
        most.operands.append(at.select(at.icmp("ult", doubled, limit), doubled, limit))
        most.blocks.append(end)
        return fewer

    def _ask(
        self, ask: BasicBlock, turns: Value, tested: Value, then: BasicBlock
    ) -> tuple[Value, Value]:
        """Returns the turns of the strip, and the number that is tested in the last of them."""
        at = Builder(self._module, ask.instructions)
        most = at.integer(64, MOST_TURNS)
        if self._plan.safepoint is not None:
            n_turns: Value = self._hooks.call("__irsan_strip_length", [turns], None)
            ask.instructions.append(n_turns)  # type: ignore[arg-type]
        else:
            n_turns = at.select(at.icmp("ult", turns, most), turns, most)
        before_last = at.binary("sub", n_turns, at.integer(64, 1))
        last = self._code.behind(at, tested, before_last)
        fine: Value = at.icmp("sgt", n_turns, at.integer(64, 0))
        again = Rebuilt(self._loop, self._now, ask.instructions)
        for one in self._plan.objects:
            for asked in self._is_inside(at, again, one, before_last):
                fine = at.binary("and", fine, asked)
        for hull in self._plan.ranges:
            fine = at.binary("and", fine, self._all_are("clean", at, again, hull, n_turns))
        fine = self._begins_defined(at, again, n_turns, fine)
        at.cond_br(fine, then, self._loop.header)
        return n_turns, last

    def _lowest(self, at: Builder, again: Rebuilt, one: Range | Inside, before: Value) -> Value:
        """The lowest address of a hull; `before` is the number of turns before the last."""
        first = at.cast("ptrtoint", again.value(one.pointer), at.types.i64)
        if one.stride >= 0:
            return first
        return at.binary("sub", first, at.binary("mul", before, at.integer(64, -one.stride)))

    def _is_inside(
        self, at: Builder, again: Rebuilt, one: Inside, before: Value
    ) -> tuple[Value, Value]:
        """The tests of both ends of a hull."""
        lo = at.cast("ptrtoint", one.lo, at.types.i64)
        low = at.binary("sub", self._lowest(at, again, one, before), lo)
        length = at.binary("mul", before, at.integer(64, abs(one.stride)))
        high = at.binary("add", at.binary("add", low, length), at.integer(64, one.span))
        return at.icmp("ult", low, one.length), at.icmp("ult", high, one.length)

    def _begins_defined(
        self, at: Builder, again: Rebuilt, n_turns: Value, fine: Value
    ) -> Value:
        """Whether all is fine, and no bit is set where that has to be so."""
        plan = self._plan.defined
        if plan is None:
            return fine
        for value in plan.begins:
            fine = at.binary("and", fine, is_zero_now(at, again.value(value)))
        for hull in plan.ranges:
            fine = at.binary("and", fine, self._all_are("defined", at, again, hull, n_turns))
        return fine

    def _all_are(
        self, word: str, at: Builder, again: Rebuilt, one: Range, n_turns: Value
    ) -> Value:
        """Whether the bytes of a hull are clean, or defined, in so many turns."""
        before = at.binary("sub", n_turns, at.integer(64, 1))
        low = self._lowest(at, again, one, before)
        stride, span = at.integer(64, abs(one.stride)), at.integer(64, one.span)
        asked = self._hooks.call(f"__irsan_strip_{word}", [low, stride, n_turns, span], None)
        at.instructions.append(asked)
        return asked

    def _touch(self, race: BasicBlock, touch: BasicBlock, run: BasicBlock, n_turns: Value) -> None:
        ignored = self._hooks.call("__irsan_races_ignored", [], None)
        race.instructions.append(ignored)
        Builder(self._module, race.instructions).cond_br(ignored, run, touch)
        at = Builder(self._module, touch.instructions)
        again = Rebuilt(self._loop, self._now, touch.instructions)
        fine: Value | None = None
        for one in self._plan.touches:
            done = self._touched(at, again, one, n_turns)
            fine = done if fine is None else at.binary("and", fine, done)
        assert fine is not None
        at.cond_br(fine, run, self._loop.header)

    def _touched(self, at: Builder, again: Rebuilt, one: Touch, n_turns: Value) -> Value:
        first = at.cast("ptrtoint", again.value(one.pointer), at.types.i64)
        stride, size = at.integer(64, one.stride), at.integer(64, one.hook.size_bytes)
        word = "write" if one.hook.is_write else "read"
        made = self._hooks.call(
            f"__irsan_strip_{word}", [first, stride, n_turns, size, one.site], None
        )
        at.instructions.append(made)
        return made

    def _run(self, run: BasicBlock) -> None:
        """Into the fast version, whose phis begin with those of the head."""
        at = Builder(self._module, run.instructions)
        header = self._copy.blocks[self._loop.header]
        at.br(header)
        defined = self._plan.defined
        for phi, twin in zip(self._loop.header.phis(), header.phis(), strict=True):
            is_zero = defined is not None and phi in defined.begins
            twin.operands.append(clean(phi.type) if is_zero else self._now[phi])
            twin.blocks.append(run)


def is_zero_now(at: Builder, value: Value) -> Value:
    """i1: whether an integer, or a vector of integers, is zero."""
    kind = value.type
    if isinstance(kind, VectorType):
        assert isinstance(kind.element, IntegerType)
        wide = at.types.integer(kind.element.width * kind.count)
        value = at.cast("bitcast", value, wide)
    return at.icmp("eq", value, clean(value.type))
