"""Atomic operations become hooks that do the operation and order the threads.

    %v = load atomic i32, ptr %p acquire      __asan_load4(%p)  %v = __tsan_atomic32_load(%p, 2)
    cmpxchg ptr %p, ptr %old, ptr %new        __tsan_atomic64_compare_exchange_val(..), icmp eq
    cmpxchg weak                              the same, and __irsan_weak_failed() == 0
    fence syncscope("singlethread")           __tsan_atomic_signal_fence(mo)

Operations on stack variables that no other thread can reach stay as they are. Read-modify-write
operations without a hook of their own belong to `irsan.instrument.access.rmw_loops`. Operands wider
than 16 bytes are left alone.

Source: LLVM's ThreadSanitizer pass; the order numbers are those of C11's memory_order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irsan.instrument.access.access_checks import (
    Access,
    add_address_check,
    is_exempt,
    needs_race_check,
)
from irsan.instrument.access.memory_access import is_plain
from irsan.instrument.analysis.values.integer_casts import integer_to_value, value_to_integer
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hooks import WEAK
from irsan.instrument.passes import Handler, Out
from irsan.ir.builder import Builder
from irsan.ir.constants import Poison
from irsan.ir.instruction import Instruction
from irsan.ir.memory import AtomicRMW, CmpXchg, Fence, Load, Store
from irsan.ir.types import Type
from irsan.ir.values import Value

ORDER_NUMBERS = {
    "unordered": 0, "monotonic": 0, "acquire": 2, "release": 3, "acq_rel": 4, "seq_cst": 5,
}  # fmt: skip
RMW_HOOKS = {
    "xchg": "exchange", "add": "fetch_add", "sub": "fetch_sub", "and": "fetch_and",
    "or": "fetch_or", "xor": "fetch_xor", "nand": "fetch_nand",
}  # fmt: skip
_SIZES = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Atomics:
    """Hooks for every atomic operation. marks_weak: a weak compare-exchange may fail spuriously."""

    marks_weak: bool = False

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "load": _at_load,
            "store": _at_store,
            "atomicrmw": _at_rmw,
            "cmpxchg": _at_weak_cmpxchg if self.marks_weak else _at_cmpxchg,
            "fence": _at_fence,
        }


def _at_load(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction | None:
    assert isinstance(instruction, Load)
    if is_plain(instruction):
        return instruction
    bits = hook_bits(scope, instruction, instruction.type, out, is_write=False)
    if not bits:
        return instruction
    at = _Replacing(scope, instruction, out)
    order = at.order(instruction.ordering)
    loaded = at.hook(f"__tsan_atomic{bits}_load", [instruction.pointer, order])
    at.result(integer_to_value(at.builder, loaded, instruction.type))
    return None


def _at_store(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction | None:
    assert isinstance(instruction, Store)
    if is_plain(instruction):
        return instruction
    bits = hook_bits(scope, instruction, instruction.value.type, out, is_write=True)
    if not bits:
        return instruction
    at = _Replacing(scope, instruction, out)
    value = value_to_integer(at.builder, instruction.value, bits)
    order = at.order(instruction.ordering)
    at.hook(f"__tsan_atomic{bits}_store", [instruction.pointer, value, order])
    return None


def _at_rmw(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction | None:
    assert isinstance(instruction, AtomicRMW)
    bits = hook_bits(scope, instruction, instruction.type, out, is_write=True)
    operation = RMW_HOOKS.get(instruction.operation)
    if not bits or operation is None:
        return instruction
    at = _Replacing(scope, instruction, out)
    value = value_to_integer(at.builder, instruction.value, bits)
    order = at.order(instruction.ordering)
    old = at.hook(f"__tsan_atomic{bits}_{operation}", [instruction.pointer, value, order])
    at.result(integer_to_value(at.builder, old, instruction.type))
    return None


def _at_weak_cmpxchg(
    scope: FunctionScope, instruction: Instruction, out: Out
) -> Instruction | None:
    assert isinstance(instruction, CmpXchg)
    return _at_cmpxchg(scope, instruction, out, weak=instruction.weak)


def _at_cmpxchg(
    scope: FunctionScope, instruction: Instruction, out: Out, *, weak: bool = False
) -> Instruction | None:
    assert isinstance(instruction, CmpXchg)
    pointer, expected, new = instruction.operands
    bits = hook_bits(scope, instruction, expected.type, out, is_write=True)
    if not bits:
        return instruction
    at = _Replacing(scope, instruction, out)
    wanted = value_to_integer(at.builder, expected, bits)
    arguments = [pointer, wanted, value_to_integer(at.builder, new, bits)]
    orders = [at.order(instruction.ordering), at.order(instruction.failure_ordering)]
    if weak:
        orders[0] = scope.hooks.int32(ORDER_NUMBERS[instruction.ordering] | WEAK)
    old = at.hook(f"__tsan_atomic{bits}_compare_exchange_val", [*arguments, *orders])
    succeeded: Value = at.builder.icmp("eq", old, wanted)
    if weak:
        failed = at.hook("__irsan_weak_failed", [])
        holds = at.builder.icmp("eq", failed, scope.hooks.int64(0))
        succeeded = at.builder.binary("and", succeeded, holds)
    value = integer_to_value(at.builder, old, expected.type)
    pair = at.builder.insert_value(Poison(instruction.type), value, [0])
    at.result(at.builder.insert_value(pair, succeeded, [1]))
    return None


def _at_fence(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction | None:
    assert isinstance(instruction, Fence)
    if not scope.instruments_atomics:
        return instruction
    kind = "signal" if instruction.sync_scope == "singlethread" else "thread"
    at = _Replacing(scope, instruction, out)
    at.hook(f"__tsan_atomic_{kind}_fence", [at.order(instruction.ordering)])
    return None


def hook_bits(
    scope: FunctionScope, instruction: Instruction, value: Type, out: Out, *, is_write: bool
) -> int:
    """Adds the memory check; the width of the hook to use, 0 when the operation stays."""
    size = scope.sizes.store_size(value)
    pointer = instruction.operands[1 if instruction.opcode == "store" else 0]
    if not size or is_exempt(scope, pointer):
        return 0
    access = Access(pointer, size, instruction.alignment, is_write)  # type: ignore[attr-defined]
    if scope.checks_address:
        add_address_check(scope, access, instruction.debug_location, out)
    if not scope.instruments_atomics or size not in _SIZES:
        return 0
    return 8 * size if needs_race_check(scope, access._replace(is_write=True)) else 0


class _Replacing:
    """Builds what stands for one instruction."""

    __slots__ = ("_instruction", "_scope", "builder")

    def __init__(self, scope: FunctionScope, instruction: Instruction, out: Out) -> None:
        self._scope, self._instruction = scope, instruction
        self.builder = Builder(scope.module, out, instruction.debug_location)  # type: ignore[arg-type]

    def order(self, ordering: str | None) -> Value:
        return self._scope.hooks.int32(ORDER_NUMBERS[ordering or "monotonic"])

    def hook(self, name: str, arguments: list[Value]) -> Instruction:
        made = self._scope.hooks.call(name, arguments, self._instruction.debug_location)
        self.builder.instructions.append(made)
        return made

    def result(self, value: Value) -> None:
        """`value` takes the place and the name of the instruction."""
        if isinstance(value, Instruction):
            value.name = self._instruction.name
        self._scope.replaced[self._instruction] = value
