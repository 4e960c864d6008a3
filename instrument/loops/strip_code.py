"""The code of strips: what is in front of a loop and its fast versions.

    head:    phis                  the header's, of the entries and of each `end`
             turns = whole turns left by the test
             br turns >= FEW, ask, loop
    ask:     n = min(turns, fuel, a limit)                  __irsan_strip_length
             br (all ranges of n turns are clean, or defined), race, loop
    race:    br (races are ignored), run, touch             __irsan_races_ignored
    touch:   br (all bytes of n turns could be touched), run, loop
    run:     the fast version (fast_version.py), which comes back to `head`

    loop:    the loop as it was, from the turn on that `head` has come to

Where accesses are not recorded ahead, there are two fast versions, one that asks about races in
each turn and one that never does:

    race:    br (races are ignored), run of the one, run of the other

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
from irsan.instrument.hooks import MOST_TURNS
from irsan.instrument.loops.address_hulls import Range
from irsan.instrument.loops.cloning import Rebuilt, values_to_memory
from irsan.instrument.loops.fast_version import FastVersion
from irsan.instrument.loops.strip_plans import Inside, Plan, Touch
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
        "_code", "_fast", "_function", "_hooks", "_loop", "_module", "_now", "_plan",
    )  # fmt: skip

    def __init__(self, hooks: HookCalls, function: Function, loop: Loop, plan: Plan) -> None:
        self._hooks, self._module = hooks, hooks.module
        self._function, self._loop, self._plan = function, loop, plan
        self._code = TurnCode(self._module, plan.test)
        self._now: dict[Value, Value] = {}
        self._fast: list[FastVersion] = []

    def write(self) -> list[tuple[Instruction, Instruction]]:
        """Change the function.  Returns the instructions of the loop and their copies."""
        values_to_memory(self._module, self._function, self._loop)
        alone = [False, True] if self._plan.asks_about_races else [False]
        self._fast = [
            FastVersion(self._hooks, self._function, self._loop, self._plan, is_alone=is_alone)
            for is_alone in alone
        ]
        head, ask = self._new_block(), self._new_block()
        self._enter_by(head)
        at = Builder(self._module, head.instructions)
        again = Rebuilt(self._loop, self._now, at.instructions)
        test = self._plan.test
        tested = self._code.number(at, again.value(test.tested))
        turns = self._code.turns(at, tested, self._code.number(at, test.bound))
        enough = at.icmp("uge", turns, at.integer(64, FEW_TURNS))
        at.cond_br(enough, ask, self._loop.header)
        turns = self._growing(head, ask, turns)
        race = self._new_block()
        n_turns, last = self._ask(ask, turns, tested, race)
        self._come_to_loop([head, ask])
        self._choose(race, n_turns)
        for version in self._fast:
            version.connect(head, self._now, n_turns, last)
        return [pair for version in self._fast for pair in version.copy.pairs]

    def _new_block(self) -> BasicBlock:
        return self._function.new_block(self._module.types.label)

    def _enter_by(self, head: BasicBlock) -> None:
        """All entries lead to `head`, whose phis are the header's."""
        loop, ends = self._loop, [version.end for version in self._fast]
        for entry in loop.entries:
            terminator = entry.instructions[-1]
            terminator.successors = [  # type: ignore[attr-defined]
                head if one is loop.header else one
                for one in terminator.successors  # type: ignore[attr-defined]
            ]
        for phi in loop.header.phis():
            pairs = [pair for pair in phi.incoming if pair[1] is not loop.latch]
            again = next(value for value, block in phi.incoming if block is loop.latch)
            values = [value for value, _ in pairs]
            values += [version.copy.value(again) for version in self._fast]
            made = Phi(phi.type, values, [*[block for _, block in pairs], *ends], phi.flags)
            head.instructions.append(made)
            self._now[phi] = made
            phi.operands, phi.blocks = [again], [loop.latch]

    def _come_to_loop(self, sources: list[BasicBlock]) -> None:
        for phi in self._loop.header.phis():
            for source in sources:
                phi.operands.append(self._now[phi])
                phi.blocks.append(source)

    def _growing(self, head: BasicBlock, ask: BasicBlock, turns: Value) -> Value:
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
        more = at.select(at.icmp("ult", doubled, limit), doubled, limit)
        for version in self._fast:
            most.operands.append(more)
            most.blocks.append(version.end)
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

    def _choose(self, race: BasicBlock, n_turns: Value) -> None:
        """Which fast version is entered, if any."""
        fast, at = self._fast[0], Builder(self._module, race.instructions)
        if not (self._plan.touches or self._plan.asks_about_races):
            at.br(fast.run)
            return
        ignored = self._hooks.call("__irsan_races_ignored", [], None)
        race.instructions.append(ignored)
        if self._plan.asks_about_races:
            at.cond_br(ignored, self._fast[1].run, fast.run)
            return
        touch = self._new_block()
        at.cond_br(ignored, fast.run, touch)
        self._touch(touch, fast.run, n_turns)
        self._come_to_loop([touch])

    def _touch(self, touch: BasicBlock, run: BasicBlock, n_turns: Value) -> None:
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


def is_zero_now(at: Builder, value: Value) -> Value:
    """i1: whether an integer, or a vector of integers, is zero."""
    kind = value.type
    if isinstance(kind, VectorType):
        assert isinstance(kind.element, IntegerType)
        wide = at.types.integer(kind.element.width * kind.count)
        value = at.cast("bitcast", value, wide)
    return at.icmp("eq", value, clean(value.type))
