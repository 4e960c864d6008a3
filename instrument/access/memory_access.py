"""Loads and stores: the memory check and the race check before each.

    store i32 %v, ptr %p        __asan_store4(%p)  __tsan_write4(%p)  store i32 %v, ptr %p
    virtual table pointers      __tsan_vptr_update(slot, new), __tsan_vptr_read(slot)

Atomic accesses belong to `irsan.instrument.access.atomics`; those of `syncscope("singlethread")`
count as plain.

Source: LLVM's AddressSanitizer and ThreadSanitizer passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irsan.instrument.access.access_checks import (
    Access,
    add_address_check,
    add_checks,
    is_exempt,
    is_vtable_access,
    needs_race_check,
)
from irsan.instrument.analysis.objects.lifetimes import is_start, marked_pointer
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.passes import Handler, Out
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.types import PointerType, TypeID
from irsan.ir.values import Value


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """Checks of plain loads and stores."""

    def handlers(self) -> Mapping[str, Handler]:
        return {"load": _before_load, "store": _before_store, "call": _at_lifetime}


def is_plain(access: Load | Store) -> bool:
    """Whether only this thread is meant to see the order of the access."""
    return access.ordering is None or access.sync_scope == "singlethread"


def _before_load(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction:
    assert isinstance(instruction, Load)
    if not is_plain(instruction) or instruction.get_metadata("nosanitize"):
        return instruction
    size = scope.sizes.store_size(instruction.type)
    access = Access(
        instruction.operands[0], size, instruction.alignment, False, instruction.volatile
    )
    if instruction.type.type_id is TypeID.SCALABLE_VECTOR:
        _check_scalable(scope, access, instruction, out)
    elif scope.checks_thread and is_vtable_access(instruction):
        _check_vtable_pointer(scope, access, None, instruction, out)
    else:
        add_checks(scope, access, instruction.debug_location, out)
    return instruction


def _before_store(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction:
    assert isinstance(instruction, Store)
    if not is_plain(instruction) or instruction.get_metadata("nosanitize"):
        return instruction
    value, pointer = instruction.operands
    access = Access(pointer, scope.sizes.store_size(value.type), instruction.alignment, True)
    if value.type.type_id is TypeID.SCALABLE_VECTOR:
        _check_scalable(scope, access, instruction, out)
    elif _stores_vtable_pointer(scope, instruction):
        _check_vtable_pointer(scope, access, value, instruction, out)
    else:
        add_checks(scope, access, instruction.debug_location, out)
    return instruction


def _stores_vtable_pointer(scope: FunctionScope, store: Store) -> bool:
    is_pointer = isinstance(store.value.type, PointerType)
    return scope.checks_thread and is_pointer and is_vtable_access(store)


def _check_vtable_pointer(
    scope: FunctionScope, access: Access, new: Value | None, instruction: Instruction, out: Out
) -> None:
    """`new` is what a store writes; None for a load."""
    pointer, location = access.pointer, instruction.debug_location
    if is_exempt(scope, pointer):
        return
    if scope.checks_address:
        add_address_check(scope, access, location, out)
    if not needs_race_check(scope, access):
        return
    if new is None:
        out.append(scope.hooks.call("__tsan_vptr_read", [pointer], location))
    else:
        out.append(scope.hooks.call("__tsan_vptr_update", [pointer, new], location))


def _check_scalable(
    scope: FunctionScope, access: Access, instruction: Instruction, out: Out
) -> None:
    """A range whose size is known at run time: vscale times the size of the smallest vector."""
    if is_exempt(scope, access.pointer):
        return
    types, location = scope.module.types, instruction.debug_location
    signature = types.function(types.i64)
    vscale = Call(signature, scope.module.declare_function("llvm.vscale.i64", signature), [])
    bytes_each = scope.hooks.int64(access.size_bytes)
    size = _multiplied(vscale, bytes_each)
    vscale.debug_location = size.debug_location = location
    out += [vscale, size]
    word, direction = ("store", "write") if access.is_write else ("load", "read")
    if scope.checks_address:
        out.append(scope.hooks.call(f"__asan_{word}N", [access.pointer, size], location))
    if scope.checks_thread and needs_race_check(scope, access):
        out.append(scope.hooks.call(f"__tsan_{direction}_range", [access.pointer, size], location))


def _multiplied(left: Value, right: Value) -> Instruction:
    from irsan.ir.operations import BinaryOp

    return BinaryOp("mul", left, right)


def _at_lifetime(scope: FunctionScope, instruction: Instruction, _: Out) -> Instruction:
    """A variable that begins or ends its life is not known to be addressable any more."""
    pointer = marked_pointer(instruction)
    if pointer is not None:
        root = scope.addresses.locate(pointer).root
        scope.covered.forget_object(root, is_start(instruction))
        scope.alive = scope.lifetimes.after(scope.alive, instruction)
    return instruction
