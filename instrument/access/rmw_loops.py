"""Read-modify-write operations without a hook of their own: a compare-exchange loop through
hooks.

    %old = atomicrmw umax ptr %p, i32 %v release

    before:     %first = __tsan_atomic32_load(%p, relaxed)
    try:        %seen = phi [%first], [%now]
                %new = umax %seen, %v
                %now = __tsan_atomic32_compare_exchange_val(%p, %seen, %new, release, relaxed)
                br %now == %seen, done, try
    done:       %seen is the old value

Covers min, max, umin, umax, fadd, fsub, fmax, fmin, fmaximum, fminimum, uinc_wrap, udec_wrap,
usub_cond, usub_sat.

Source: the LLVM Language Reference, "atomicrmw Instruction" (the meaning of each operation).
Deviations: LLVM's ThreadSanitizer pass leaves these operations alone, so it misses their order.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.errors import UnsupportedError
from irsan.instrument.access.atomics import ORDER_NUMBERS, RMW_HOOKS, hook_bits
from irsan.instrument.analysis.values.integer_casts import integer_to_value, value_to_integer
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import Policy, is_touched
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import AtomicRMW
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import BasicBlock, Function, Value

_COMPARED = {"max": "sgt", "min": "slt", "umax": "ugt", "umin": "ult"}
_FLOAT_INTRINSICS = {"fmax": "maxnum", "fmin": "minnum", "fmaximum": "maximum",
                     "fminimum": "minimum"}  # fmt: skip
_FAILURE_NUMBERS = {"release": 0, "acq_rel": 2}


@dataclass(frozen=True, slots=True)
class RmwLoops:
    """Expands what `Atomics` left."""

    policy: Policy

    def apply(self, module: Module) -> None:
        """Expand in every function that passes may touch."""
        if not self.policy.checks_atomics:
            return
        hooks, sizes = HookCalls(module), TypeSizes(module)
        for function in module.functions[:]:
            if is_touched(function) and _rmw_of(function):
                scope = FunctionScope(module, function, frozenset(), hooks, sizes)
                scope.instruments_atomics = True
                expand_function(scope)


def expand_function(scope: FunctionScope) -> None:
    """Expands every operation of one function that has a hook width."""
    replaced: dict[Value, Value] = {}
    for rmw in _rmw_of(scope.function):
        bits = hook_bits(scope, rmw, rmw.type, [], is_write=True)
        if bits:
            replaced[rmw] = _expand(scope, rmw, bits)
    if replaced:
        replace_all_uses(scope.function, replaced)


def _rmw_of(function: Function) -> list[AtomicRMW]:
    return [
        instruction
        for block in function.blocks
        for instruction in block.instructions
        if isinstance(instruction, AtomicRMW) and instruction.operation not in RMW_HOOKS
    ]


def _expand(scope: FunctionScope, rmw: AtomicRMW, bits: int) -> Value:
    """Replaces `rmw` by the loop; returns the old value."""
    function, hooks, location = scope.function, scope.hooks, rmw.debug_location
    before = next(block for block in function.blocks if rmw in block.instructions)
    index = before.instructions.index(rmw)
    done = function.split_block(before, index + 1)
    del before.instructions[index:]
    trying = function.new_block(scope.module.types.label, after=before)

    at = Builder(scope.module, before.instructions, location)
    first = hooks.call(f"__tsan_atomic{bits}_load", [rmw.pointer, hooks.int32(0)], location)
    at.instructions.append(first)
    at.br(trying)

    at = Builder(scope.module, trying.instructions, location)
    seen = at.phi(first.type, [first, first], [before, trying])
    old = integer_to_value(at, seen, rmw.type)
    new = value_to_integer(at, combined(at, rmw.operation, old, rmw.value), bits)
    success = ORDER_NUMBERS[rmw.ordering]
    orders = [hooks.int32(success), hooks.int32(_FAILURE_NUMBERS.get(rmw.ordering, success))]
    name = f"__tsan_atomic{bits}_compare_exchange_val"
    now = hooks.call(name, [rmw.pointer, seen, new, *orders], location)
    at.instructions.append(now)
    seen.operands[1] = now
    at.cond_br(at.icmp("eq", now, seen), done, trying)
    _hand_over(rmw, first, done)
    return old


def _hand_over(rmw: AtomicRMW, first: Instruction, done: BasicBlock) -> None:
    """Debug records of the operation stand before what replaced it."""
    if rmw.debug_records and done.instructions:
        first.debug_records = rmw.debug_records


def combined(at: Builder, operation: str, old: Value, value: Value) -> Value:
    """What `operation` stores when the memory holds `old`."""
    if operation in _COMPARED:
        keep = at.icmp(_COMPARED[operation], old, value)
        return at.select(keep, old, value)
    if operation in ("fadd", "fsub"):
        return at.binary(operation, old, value)
    if operation in _FLOAT_INTRINSICS:
        return _float_intrinsic(at, _FLOAT_INTRINSICS[operation], old, value)
    return _wrapping(at, operation, old, value)


def _wrapping(at: Builder, operation: str, old: Value, value: Value) -> Value:
    integer = old.type
    assert isinstance(integer, IntegerType)
    zero, one = ConstantInt(integer, 0), ConstantInt(integer, 1)
    if operation == "uinc_wrap":
        return at.select(at.icmp("uge", old, value), zero, at.binary("add", old, one))
    if operation == "udec_wrap":
        is_zero, is_above = at.icmp("eq", old, zero), at.icmp("ugt", old, value)
        wraps = at.binary("or", is_zero, is_above)
        return at.select(wraps, value, at.binary("sub", old, one))
    if operation not in ("usub_cond", "usub_sat"):
        raise UnsupportedError(f"atomicrmw {operation} is newer than this irsan")
    fits = at.icmp("uge", old, value)
    otherwise = old if operation == "usub_cond" else zero
    return at.select(fits, at.binary("sub", old, value), otherwise)


def _float_intrinsic(at: Builder, word: str, left: Value, right: Value) -> Value:
    signature = at.types.function(left.type, [left.type, left.type])
    name = f"llvm.{word}.{_mangled(left.type)}"
    function = at.module.declare_function(name, signature)
    return at.call(function, [left, right])


def _mangled(kind: Type) -> str:
    words = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "fp128": "f128"}
    scalar = words.get(kind.scalar.text, "f80")
    count = getattr(kind, "count", 0)
    return f"v{count}{scalar}" if count else scalar
