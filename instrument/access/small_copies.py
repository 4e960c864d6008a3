"""Small copies and fills whose size is known: the check is inlined, and LLVM does the work.

    __asan_memset(%p, 0, 24)    -->    __irsan_small_memset_both(%p, 0, 24)
    __asan_memcpy(%d, %s, 16)   -->    __irsan_small_memcpy_both(%d, %s, 16)

The new hooks are inlined (engine/glue/checks/small_copies.py): where the shadow of all bytes is 0
and races do not count, a move of 24 bytes is four instructions; else the hook of before is called,
and finds and reports what it did.  So no other pass has to know them: this runs behind those that
do.

Not where uninitialised bits or ids of pointers are followed: the run-time copies these, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.control_flow.effects import calls_of
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, MAX_SMALL_BYTES, small_name
from irsan.instrument.policy import ADDRESS, THREAD, Policy, is_touched
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.module import Module
from irsan.ir.values import Function

_TOOLS: Final = frozenset((ADDRESS, THREAD))


@dataclass(frozen=True, slots=True)
class SmallCopies:
    """Inlines the checks of small copies; run it last."""

    policy: Policy

    def apply(self, module: Module) -> None:
        """Give the calls in all checked functions their new hooks."""
        names = self._names()
        if not names:
            return
        hooks = HookCalls(module)
        for function in filter(is_touched, module.functions):
            for call in calls_of(function):
                callee = call.operands[0]
                name = names.get(callee.name) if isinstance(callee, Function) else None
                if name is not None and _is_small(call):
                    call.operands[0] = hooks.function(name)

    def _names(self) -> dict[str, str]:
        """New names by those of before, all of which check what the run asks for."""
        if not self.policy.wanted & _TOOLS:
            return {}
        asked = self.policy.asked & _TOOLS
        checks = "both" if asked == _TOOLS else min(asked)
        return {
            hook.name: small_name(hook.operation, checks)
            for hook in HOOKS.values()
            if hook.group == "memory"
        }


def _is_small(call: Call | CallTerminator) -> bool:
    size = call.operands[3]
    if not isinstance(call, Call) or not isinstance(size, ConstantInt):
        return False
    return 0 < size.unsigned <= MAX_SMALL_BYTES
