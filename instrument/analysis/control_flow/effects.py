"""What instructions may do besides computing: run other code, free memory, order threads.

    may_reach_other_code(call)      a frame of another function may be above ours afterwards
    may_free_or_synchronise(i)      earlier checks say nothing about what follows
    may_trap(i)                     the processor may stop the program here

Source: the LLVM Language Reference, "Function Attributes" (nosync, nofree, memory); "Intrinsic
Functions".
"""

from __future__ import annotations

from irsan.instrument.hooks import takes_site_last
from irsan.ir.attributes import AttributeList
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.values import Function, InlineAsm

_INTRINSICS_THAT_ACT = (
    "llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.eh.sjlj", "llvm.experimental.deoptimize",
    "llvm.experimental.patchpoint", "llvm.experimental.gc", "llvm.coro.", "llvm.longjmp",
    "llvm.init.trampoline", "llvm.clear_cache", "llvm.call.preallocated", "llvm.siglongjmp",
    "llvm.memcpy.element", "llvm.instrprof",
)  # fmt: skip
# These hooks report nothing and call nothing, but for those that take their site along.
_QUIET_HOOKS = ("__irsan_", "__asan_stack_", "__asan_set_shadow_", "__asan_alloca")
CALL_OPCODES = frozenset(("call", "invoke", "callbr"))
_TRAPS = ("llvm.trap", "llvm.debugtrap", "llvm.ubsantrap")
DIVISIONS = frozenset(("udiv", "sdiv", "urem", "srem"))
_COPYING = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")


def calls_of(function: Function) -> list[Call | CallTerminator]:
    """All calls of a function, in block order (one look at each opcode: this is a hot loop)."""
    return [
        instruction  # type: ignore[misc]
        for block in function.blocks
        for instruction in block.instructions
        if instruction.opcode in CALL_OPCODES
    ]


def may_reach_other_code(call: Call | CallTerminator) -> bool:
    """Whether a function with frames, hooks or an interceptor may run inside `call`."""
    callee = call.callee
    if isinstance(callee, InlineAsm):
        return False
    if isinstance(callee, Function) and callee.is_intrinsic:
        return callee.name.startswith(_INTRINSICS_THAT_ACT)
    if not isinstance(callee, Function) or not callee.name.startswith(_QUIET_HOOKS):
        return True
    return takes_site_last(callee.name)


def may_free_or_synchronise(instruction: Instruction) -> bool:
    """Whether memory may be freed or threads ordered while `instruction` runs."""
    if not isinstance(instruction, (Call, CallTerminator)):
        return True
    callee = instruction.callee
    if _promises_nothing_happens(instruction.attributes):
        return False
    if not isinstance(callee, Function):
        return True
    if callee.name == "__irsan_tls_block":
        return False
    if callee.is_intrinsic:
        is_copy = callee.name.startswith(_COPYING)
        return not is_copy and callee.name.startswith(_INTRINSICS_THAT_ACT)
    return not _promises_nothing_happens(callee.attributes)


def may_trap(instruction: Instruction) -> bool:
    """Whether the instruction may raise a signal although every access before it was checked."""
    if instruction.opcode in DIVISIONS:
        divisor = instruction.operands[1]
        return not isinstance(divisor, ConstantInt) or divisor.value in (0, -1)
    if instruction.opcode not in CALL_OPCODES:
        return False
    callee = instruction.operands[0]
    if isinstance(callee, InlineAsm):
        return bool(callee.assembly)
    return isinstance(callee, Function) and callee.name.startswith(_TRAPS)


def _promises_nothing_happens(attributes: AttributeList) -> bool:
    kinds = {attribute.kind for attribute in attributes.function}
    return "nosync" in kinds and "nofree" in kinds
