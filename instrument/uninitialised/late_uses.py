"""Loads whose value is used when the memory that it came from may have changed.

    %v = load %p    br %v                    used at once: a decision there holds for the load
    %v = load %p    call f()    br %v        late: f may have freed or written the memory at %p

Natively compiled code writes without telling; whether it has is seen from the bytes around, and
only as long as these are as they were.  A value that is used at once is judged where it is used,
which costs nothing on the way there; for a late one the load itself asks when a bit is set, and
nothing is asked again where it is used: by then the program may have written there itself.

Soundness: an instruction is taken to change memory unless it is known not to; what flows into a
block that can be entered from several, into another function, or from more than MAX_LOADS loads, is
late.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from irsan.instrument.uninitialised.call_facts import CallFacts
from irsan.instrument.uninitialised.flow import bits_matter, bits_reach, edges_into
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.control import Ret
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.phi import Phi
from irsan.ir.values import BasicBlock, Function, Value

MAX_LOADS: Final = 8
_CHANGING: Final = frozenset(("store", "atomicrmw", "cmpxchg", "fence", "va_arg"))

_Loads = frozenset[Value]
_NONE: Final[_Loads] = frozenset()


class LateUses:
    """From which loads the live values of a function come, and which of these are used late.

    late: live loads of which a use may come after a change of memory.
    """

    __slots__ = (
        "_at_end", "_begun", "_changes", "_facts", "_function", "_live", "_now", "_origins",
        "_phis", "late",
    )  # fmt: skip

    def __init__(
        self, function: Function, blocks: Iterable[BasicBlock], live: frozenset[Value],
        facts: CallFacts,
    ) -> None:  # fmt: skip
        """`blocks`: in an order in which definitions come first."""
        self._function, self._live, self._facts = function, live, facts
        self._origins: dict[Value, _Loads] = {}
        self._begun: dict[Value, int] = {}  # the change before a load
        self._changes = self._now = 0  # how many there are, and which one was the last
        self._at_end: dict[BasicBlock, int] = {}  # the last one in a block
        self._phis: list[Phi] = []
        self.late: set[Value] = set()
        blocks = list(blocks)
        entered = edges_into(blocks)
        for block in blocks:
            before = set(entered.get(block, ()))
            self._take(block, before.pop() if len(before) == 1 else None)
        self._take_phis()

    def is_decided(self, value: Value) -> bool:
        """Whether all that a value comes from has been asked about where it was loaded."""
        return self._origins.get(value, _NONE) <= self.late

    def _take(self, block: BasicBlock, before: BasicBlock | None) -> None:
        """Walk a block; what comes into it has seen a change, but from the only one before it."""
        if before is None:
            self._change()
        else:
            self._now = self._at_end[before]
        for one in block.instructions:
            if isinstance(one, Phi):
                self._phis.append(one)
                continue
            self._use(bits_matter(one, self._facts))
            self._leave(one)
            if one in self._live:
                self._define(one)
            if _changes_memory(one):
                self._change()
            if isinstance(one, Store):
                self._stored(one)
        self._at_end[block] = self._now

    def _change(self) -> None:
        self._changes += 1
        self._now = self._changes

    def _take_phis(self) -> None:
        """A phi stands behind an edge."""
        self._change()
        for phi in self._phis:
            self._use(phi.operands)

    def _use(self, values: Iterable[Value]) -> None:
        for value in values:
            for load in self._origins.get(value, _NONE):
                if self._begun[load] != self._now:
                    self.late.add(load)

    def _leave(self, one: Instruction) -> None:
        """What goes to another function is used there."""
        values: list[Value] = []
        if isinstance(one, (Call, CallTerminator)):
            checked = self._facts.checked(one)
            values = [each for each in self._facts.mattering(one) if each not in checked]
        elif isinstance(one, Ret) and not self._facts.returns_checked(self._function):
            values = one.operands
        for value in values:
            self.late |= self._origins.get(value, _NONE)

    def _define(self, one: Instruction) -> None:
        if isinstance(one, Load):
            self._origins[one] = frozenset((one,))
            self._begun[one] = self._now
            return
        operands = bits_reach(one)
        self._use(operands)  # late here means late at whatever follows
        found = _NONE.union(*(self._origins.get(value, _NONE) for value in operands))
        if len(found) > MAX_LOADS:
            self.late |= found
        elif found:
            self._origins[one] = found

    def _stored(self, store: Store) -> None:
        """A value that goes back where it came from is looked at when it is there."""
        for load in self._origins.get(store.value, _NONE):
            if isinstance(load, Load) and load.pointer is store.pointer:
                self.late.add(load)


def _changes_memory(one: Instruction) -> bool:
    if not isinstance(one, (Call, CallTerminator)):
        return one.opcode in _CHANGING
    callee = one.callee
    if not isinstance(callee, Function) or not callee.is_intrinsic:
        return True
    return not any(each.kind == "memory" and each.value == 0 for each in callee.attributes.function)
