"""Control that leaves frames without returning, and where it arrives.

    engine      call longjmp, throw, resume      __irsan_throwing(sp)        before it
                landingpad                       __irsan_unwound_to(sp)      behind it
                %r = call setjmp                 __irsan_returned_twice(sp, %r)
    portable    call of a noreturn function      __asan_handle_no_return()   before it

What lies between the two stack pointers belonged to frames that are gone; its redzones would be
false alarms for whoever comes next, and their variables have ended.

Source: LLVM's AddressSanitizer pass for the portable form, which forgets the redzones of the whole
stack. Deviations: the engine knows where control arrives, so the callers' redzones stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.objects.stack_variables import returns_twice
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import is_hook_name
from irsan.instrument.policy import ADDRESS, Policy, is_touched
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock, Function, InlineAsm, Value

_PADS = frozenset(("landingpad", "catchpad", "cleanuppad"))
_CALLS = frozenset(("call", "invoke"))
_THROWING = frozenset((
    "__cxa_throw", "__cxa_rethrow", "_Unwind_RaiseException", "_Unwind_Resume",
    "_Unwind_Resume_or_Rethrow", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
))  # fmt: skip
_LOOKED_AT = _PADS | _CALLS | {"resume"}


@dataclass(frozen=True, slots=True)
class StackArrivals:
    """Tells the run-time, in every function that is checked for addresses or follows pointers."""

    policy: Policy
    is_portable: bool
    follows_pointers: bool = False

    def apply(self, module: Module) -> None:
        """Insert the hooks of all functions."""
        hooks = HookCalls(module)
        for function in module.functions[:]:
            is_asked = self.follows_pointers and is_touched(function)
            if not is_asked and ADDRESS not in self.policy.checks_of(function):
                continue
            for block in function.blocks:
                if _LOOKED_AT.isdisjoint([one.opcode for one in block.instructions]):
                    continue
                if self.is_portable:
                    _tell_no_return(hooks, block)
                else:
                    _tell_stack_pointers(hooks, block)


def _tell_no_return(hooks: HookCalls, block: BasicBlock) -> None:
    out: list[Instruction] = []
    for instruction in block.instructions:
        if isinstance(instruction, (Call, CallTerminator)) and _never_returns(instruction):
            location = instruction.debug_location
            _put(out, instruction, [hooks.call("__asan_handle_no_return", [], location)])
        out.append(instruction)
    block.instructions = out


def _never_returns(call: Call | CallTerminator) -> bool:
    callee = call.callee
    if isinstance(callee, InlineAsm):
        return False
    if isinstance(callee, Function):
        if callee.is_intrinsic or is_hook_name(callee.name):
            return False
        if callee.attributes.has_function("noreturn"):
            return True
    return call.attributes.has_function("noreturn")


def _tell_stack_pointers(hooks: HookCalls, block: BasicBlock) -> None:
    out: list[Instruction] = []
    arrived: Instruction | None = None
    for instruction in block.instructions:
        if arrived is not None and instruction.opcode != "landingpad":
            _put(out, instruction, _told(hooks, "__irsan_unwound_to", [], instruction))
            arrived = None
        if _is_throwing(instruction):
            _put(out, instruction, _told(hooks, "__irsan_throwing", [], instruction))
        out.append(instruction)
        if instruction.opcode in _PADS:
            arrived = instruction
        elif isinstance(instruction, Call) and returns_twice(instruction):
            kind = instruction.type
            if isinstance(kind, IntegerType) and kind.width == 32:
                out += _told(hooks, "__irsan_returned_twice", [instruction], instruction)
    block.instructions = out


def _is_throwing(instruction: Instruction) -> bool:
    if instruction.opcode == "resume":
        return True
    callee = instruction.operands[0] if instruction.opcode in _CALLS else None
    return isinstance(callee, Function) and callee.name in _THROWING


def _told(
    hooks: HookCalls, name: str, more: list[Value], where: Instruction
) -> list[Instruction]:
    """The stack pointer, and the hook that takes it and `more`."""
    at = Builder(hooks.module, [], where.debug_location)
    types = at.types
    signature = types.function(types.ptr_default)
    saved = at.call(hooks.module.declare_function("llvm.stacksave.p0", signature))
    sp = at.cast("ptrtoint", saved, types.i64)
    at.instructions.append(hooks.call(name, [sp, *more], at.debug_location))
    return at.instructions


def _put(out: list[Instruction], before: Instruction, new: list[Instruction]) -> None:
    """Appends `new`; the debug records before the next instruction go in front of it."""
    new[0].debug_records, before.debug_records = before.debug_records, ()
    out += new
