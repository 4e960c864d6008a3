"""Calls that order threads inside a native library: made visible to the race detector.

    call @__arrive_barrier_algorithm_base(%b, %p)      __tsan_release(%b)
                                                       call
                                                       __tsan_acquire(%b)

Headers leave a few functions with atomic operations to the compiled part of the C++ library, where
no check sees them. A method may free its object, so nothing is called behind it; what is acquired
in front of it is what the operation at its start would acquire, as threads do not switch in
between.

Source: libc++'s barrier.cpp and memory.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.passes import Handler, Out
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.types import FunctionType
from irsan.ir.values import Function, Value

RELEASE = "__tsan_release"
ACQUIRE = "__tsan_acquire"
_BOTH = (RELEASE, ACQUIRE)

# name: hooks on the first argument in front of the call, and behind it
ORDERING_CALLS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh": (
        (RELEASE,), (ACQUIRE,),
    ),
    "_ZNSt3__119__shared_weak_count14__release_weakEv": (_BOTH, ()),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LibraryOrder:
    """Hooks around the calls of `ORDERING_CALLS`."""

    def handlers(self) -> Mapping[str, Handler]:
        return {"call": _at_call, "invoke": _at_invoke}


def _at_call(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction | None:
    before, behind = _hooks(scope, instruction)
    if not before:
        return instruction
    _tell(scope, instruction, before, out)
    out.append(instruction)
    _tell(scope, instruction, behind, out)
    return None


def _at_invoke(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction:
    """Behind an invoke there is no place; none of these functions throws."""
    before, _ = _hooks(scope, instruction)
    _tell(scope, instruction, before, out)
    return instruction


def _hooks(
    scope: FunctionScope, instruction: Instruction
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    callee = instruction.operands[0]
    if not scope.checks_thread or not isinstance(callee, Function):
        return (), ()
    return ORDERING_CALLS.get(callee.name, ((), ()))


def _tell(scope: FunctionScope, instruction: Instruction, names: tuple[str, ...], out: Out) -> None:
    for name in names:
        tell_order(scope, name, instruction.operands[1], instruction, out)


def tell_order(
    scope: FunctionScope, name: str, address: Value, instruction: Instruction, out: Out
) -> None:
    """Append the call of a hook, RELEASE or ACQUIRE, that stands for what an instruction does."""
    types = scope.module.types
    hook_type: FunctionType = types.function(types.void, [types.ptr_default])
    hook = scope.module.declare_function(name, hook_type)
    call = Call(hook_type, hook, [address])
    call.debug_location = instruction.debug_location
    out.append(call)
