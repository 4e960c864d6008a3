"""Where the values of a function are first there, and its dominators, each found when asked for.

    homes = ValueHomes(function)
    homes.home_of(value)       the block in which it can first be used; the entry for arguments
    homes.dominators           of the function's blocks

Instructions that are added later have no home but the entry.
"""

from __future__ import annotations

from functools import cached_property

from irsan.instrument.analysis.control_flow.dominators import Dominators
from irsan.ir.calls import CallTerminator
from irsan.ir.values import BasicBlock, Function, Value


class ValueHomes:
    """Answers for one function, whose blocks stay."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @cached_property
    def dominators(self) -> Dominators:
        """Of the function."""
        return Dominators(self._function)

    @cached_property
    def _homes(self) -> dict[Value, BasicBlock]:
        return {one: block for block in self._function.blocks for one in block.instructions}

    def home_of(self, value: Value) -> BasicBlock:
        """The block in which a value can first be used."""
        if isinstance(value, CallTerminator):
            return value.successors[0]
        return self._homes.get(value, self._function.entry)
