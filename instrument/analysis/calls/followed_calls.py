"""Which calls take shadow or ids along: those of the program's functions and of libraries."""

from __future__ import annotations

from typing import Final

from irsan.instrument.analysis.calls.assembly import is_assembly
from irsan.instrument.hooks import is_hook_name
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.values import Function

# Of run-times: they look at memory themselves, or at nothing that a program could get wrong.
_OF_RUN_TIMES: Final = ("__cxa_", "__lsan_", "__msan_", "__ubsan_", "_Unwind_")


def is_followed(call: Call | CallTerminator) -> bool:
    """Whether a call is of a function of the program or of a library; one by pointer may be."""
    callee = call.operands[0]
    if is_assembly(call):
        return False
    if not isinstance(callee, Function):
        return True
    name = callee.name
    return not (callee.is_intrinsic or is_hook_name(name) or name.startswith(_OF_RUN_TIMES))
