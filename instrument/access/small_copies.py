"""Small copies and fills whose size is known: the check is inlined, and LLVM does the work.

    __asan_memset(%p, 0, 24)    -->    __irsan_small_memset_both(%p, 0, 24)
    __asan_memcpy(%d, %s, 16)   -->    __irsan_small_memcpy_both(%d, %s, 16)

The new hooks are inlined (engine/glue/checks/small_copies.py): where the shadow of all bytes is 0
and races do not count, a move of 24 bytes is four instructions; else the hook of before is called,
and finds and reports what it did.  So no other pass has to know them: this runs behind those that
do.

Where one side of a copy is a variable that lives, the shadow of the other one is asked for alone
(memory_intrinsics.py says so): a frame's shadow has just been written in pieces of another size,
and a look that spans two of them waits until both are in the cache.

Not where uninitialised bits or ids of pointers are followed: the run-time copies these, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.instrument.access.memory_intrinsics import Sides
from irsan.instrument.analysis.control_flow.effects import calls_of
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, MAX_SMALL_BYTES, small_name
from irsan.instrument.policy import ADDRESS, THREAD, Policy, is_touched
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.module import Module
from irsan.ir.values import Function

_TOOLS: Final = frozenset((ADDRESS, THREAD))


@dataclass(frozen=True, slots=True)
class SmallCopies:
    """Inlines the checks of small copies; run it last."""

    policy: Policy
    sides: Sides

    def apply(self, module: Module) -> None:
        """Give the calls in all checked functions their new hooks."""
        if not self.policy.wanted & _TOOLS:
            return
        asked = self.policy.asked & _TOOLS
        checks = "both" if asked == _TOOLS else min(asked)
        words = {hook.name: hook.operation for hook in HOOKS.values() if hook.group == "memory"}
        hooks = HookCalls(module)
        for function in filter(is_touched, module.functions):
            for call in calls_of(function):
                callee = call.operands[0]
                word = words.get(callee.name) if isinstance(callee, Function) else None
                if word is not None and isinstance(call, Call) and _is_small(call):
                    side = "" if checks == THREAD else self.sides.get(call, "")
                    call.operands[0] = hooks.function(small_name(word, checks, side))


def _is_small(call: Call) -> bool:
    size = call.operands[3]
    return isinstance(size, ConstantInt) and 0 < size.unsigned <= MAX_SMALL_BYTES
