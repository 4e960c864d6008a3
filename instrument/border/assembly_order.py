"""Atomic operations in inline assembly: their order is made visible to the race detector.

    call asm "xchgl $0, $1", ...(ptr %p ...)           __tsan_release(%p)
                                                       call
                                                       __tsan_acquire(%p)

Locks and flags that programs write in assembly order their threads; which assembly counts is in
`irsan.instrument.analysis.calls.atomic_assembly`. Threads do not switch in between.

Deviations: ThreadSanitizer sees nothing of assembly, and reports what such locks protect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irsan.instrument.analysis.calls.atomic_assembly import atomic_accesses
from irsan.instrument.border.library_order import ACQUIRE, RELEASE, tell_order
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.passes import Handler, Out
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction


@dataclass(frozen=True, slots=True)
class AssemblyOrder:
    """Hooks around the calls of assembly that is an atomic operation."""

    def handlers(self) -> Mapping[str, Handler]:
        return {"call": _at_call}


def _at_call(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction | None:
    if not scope.checks_thread or not isinstance(instruction, Call):
        return instruction
    pointer = scope.module.types.ptr_default
    accesses = [one for one in atomic_accesses(instruction) if one.address.type == pointer]
    if not accesses:
        return instruction
    for one in accesses:
        if one.is_written:
            tell_order(scope, RELEASE, one.address, instruction, out)
    out.append(instruction)
    for one in accesses:
        if one.is_read:
            tell_order(scope, ACQUIRE, one.address, instruction, out)
    return None
