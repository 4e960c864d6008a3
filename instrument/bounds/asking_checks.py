"""Where an object is asked for, and checks that ask themselves, as nothing else needs the answer.

    %lo = __irsan_object_lo(%p, place, reach)
    %length = __irsan_object_length(%p, place)
    __irsan_bounds_check(%q, %lo, %length, info, site)
        -->  __irsan_bounds_asked(%q, %p, place, reach, info, site)

Of what is asked for once and used once neither part has to be kept, and two comparisons with what
was kept of the last answer say all (runtime/kernels/heap/kept_extents.py).

    uses = AnswerUses(hooks, homes)
    uses.note_check(lo, check, block)       a check in `block` needs the answer
    uses.note_value(lo)                     something else does: a join, a range, a kept pointer
    uses.spare(root, question)              whether the question need not be asked
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.instrument.check_hooks import BOUNDS_ASKED
from irsan.instrument.hook_calls import HookCalls
from irsan.ir.calls import Call
from irsan.ir.values import BasicBlock, Value


class _Check(NamedTuple):
    call: Call
    block: BasicBlock


class AnswerUses:
    """What is made of the answers in one function; each is known by its first address."""

    __slots__ = ("_checks", "_homes", "_hooks", "_values")

    def __init__(self, hooks: HookCalls, homes: ValueHomes) -> None:
        self._hooks, self._homes = hooks, homes
        self._checks: dict[Value, list[_Check]] = {}
        self._values: set[Value] = set()

    def note_check(self, lo: Value, call: Call, block: BasicBlock) -> None:
        """A check of an access in `block` compares with an answer."""
        self._checks.setdefault(lo, []).append(_Check(call, block))

    def note_value(self, lo: Value) -> None:
        """An answer is used as a value."""
        self._values.add(lo)

    def spare(self, root: Value, question: Call) -> bool:
        """Whether nothing needs the answer, or only one check, as often as the question would be
        asked: that check asks from now on."""
        checks = self._checks.get(question, [])
        if question in self._values or len(checks) > 1:
            return False
        if checks:
            [check] = checks
            home = self._homes.home_of(root)
            if block_of_question(self._homes, home, {check.block}) is not check.block:
                return False
            self._let_ask(check.call, question)
        return True

    def _let_ask(self, check: Call, question: Call) -> None:
        pointer, info = check.operands[1], check.operands[-2]
        arguments = [pointer, *question.operands[1:], info, self._hooks.int32(0)]
        check.operands[:] = [self._hooks.function(BOUNDS_ASKED), *arguments]


def block_of_question(
    homes: ValueHomes, home: BasicBlock, blocks: Collection[BasicBlock]
) -> BasicBlock:
    """Where a root of `home` is asked for by what stands in `blocks`: in front of their loops."""
    order = homes.dominators
    block = home if home in blocks else order.nearest(blocks)
    return home if block is None else order.outside(block, home)
