"""Code that counts turns: `whole_turns` of turn_tests.py, and the numbers that it deals in.

code = TurnCode(module, test)
code.number(at, value)            a number or an address as an integer
code.turns(at, tested, bound)     turns that surely come, 64 bits
code.behind(at, tested, n)        the number that is tested n turns later
code.made(at, begin, here, step)  turns between two values of a counter
"""

from __future__ import annotations

from irsan.instrument.analysis.control_flow.turn_tests import TurnTest
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.module import Module
from irsan.ir.types import IntegerType
from irsan.ir.values import Value


class TurnCode:
    """Appends instructions about the test of one loop."""

    __slots__ = ("_kind", "_test")

    def __init__(self, module: Module, test: TurnTest) -> None:
        kind = test.tested.type
        self._test = test
        self._kind = kind if isinstance(kind, IntegerType) else module.types.i64

    def number(self, at: Builder, value: Value) -> Value:
        """A number or an address as an integer."""
        if isinstance(value.type, IntegerType):
            return value
        return at.cast("ptrtoint", value, at.types.i64)

    def turns(self, at: Builder, tested: Value, bound: Value) -> Value:
        """How many turns surely come, the present one included."""
        test = self._test
        last = 1 if test.is_in_latch else 0
        ends = (bound, tested) if test.step > 0 else (tested, bound)
        distance: Value = at.binary("sub", *ends)
        if test.predicate == "ne":
            return at.binary("add", self._steps(at, distance, test.step), at.integer(64, last))
        if test.is_strict:
            distance = at.binary("sub", distance, self._constant(1))
        counted = self._steps(at, distance, test.step)
        counted = at.binary("add", counted, at.integer(64, 1 + last))
        return at.select(at.icmp(test.predicate, tested, bound), counted, at.integer(64, last))

    def behind(self, at: Builder, tested: Value, n_turns: Value) -> Value:
        """What is tested `n_turns` (64 bits) later."""
        if self._kind.width < at.types.i64.width:
            n_turns = at.cast("trunc", n_turns, self._kind)
        return at.binary("add", tested, at.binary("mul", n_turns, self._constant(self._test.step)))

    def made(self, at: Builder, begin: Value, here: Value, step: int) -> Value:
        """Turns that brought a counter from one value to another."""
        after, before = (here, begin) if step > 0 else (begin, here)
        moved = at.binary("sub", self.number(at, after), self.number(at, before))
        return self._steps(at, moved, step)

    def _steps(self, at: Builder, distance: Value, step: int) -> Value:
        """How many whole steps a distance has, 64 bits."""
        size, kind = abs(step), distance.type
        assert isinstance(kind, IntegerType)
        whole = distance if size == 1 else at.binary("udiv", distance, ConstantInt(kind, size))
        return whole if kind.width == 64 else at.cast("zext", whole, at.types.i64)

    def _constant(self, number: int) -> ConstantInt:
        return ConstantInt(self._kind, number)
