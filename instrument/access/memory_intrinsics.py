"""Copies and fills: `llvm.memcpy`, `memmove`, `memset` become hooks that check both ranges and do
the work.

    llvm.memcpy(%d, %s, i64 %n)      __asan_memcpy(%d, %s, %n), or __tsan_memcpy for races only
    llvm.memset.inline(%d, 0, 16)    __asan_storeN(%d, 16)  __tsan_write_range(%d, 16)  and itself

Copies of a constant size between places that need no check stay as they are. `__asan_memcpy` of
our run-time checks for races too.

Source: LLVM's AddressSanitizer and ThreadSanitizer passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from irsan.instrument.access.access_checks import (
    Access,
    add_checks,
    is_exempt,
    is_surely_inside,
    needs_race_check,
)
from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hooks import SIDES
from irsan.instrument.passes import Handler, Out
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.values import Function

MAX_INLINE_BYTES = 16
_WORDS = ("memcpy", "memmove", "memset")
_PREFIXES = tuple([f"llvm.{word}." for word in _WORDS])


Sides = dict[Call, str]
"""Copies of which only one side (hooks.SIDES) needs a look at its shadow."""


@dataclass(frozen=True, slots=True)
class MemoryIntrinsics:
    """Hooks for memory intrinsics."""

    sides: Sides

    def handlers(self) -> Mapping[str, Handler]:
        return {"call": partial(_at_call, self.sides)}


def _at_call(
    sides: Sides, scope: FunctionScope, instruction: Instruction, out: Out
) -> Instruction | None:
    callee = instruction.operands[0]
    if not isinstance(callee, Function) or not callee.name.startswith(_PREFIXES):
        return instruction
    assert isinstance(instruction, Call)
    if not (scope.checks_address or scope.checks_thread):
        return instruction
    word = callee.name.split(".")[1]
    accesses = _accesses(instruction, word)
    if any(is_exempt(scope, access.pointer) for access in accesses):
        return instruction
    is_constant = isinstance(instruction.operands[3], ConstantInt)
    if is_constant and all(_is_harmless(scope, access) for access in accesses):
        return instruction
    is_small = is_constant and accesses[0].size_bytes <= MAX_INLINE_BYTES
    if ".inline." in callee.name and is_small:
        for access in accesses:
            add_checks(scope, access, instruction.debug_location, out)
        return instruction
    hook = _replace(scope, instruction, word, out)
    side = _only_side(scope, accesses) if is_constant and scope.checks_address else ""
    if side:
        sides[hook] = side
    return None


def _only_side(scope: FunctionScope, accesses: Sequence[Access]) -> str:
    """The side of a copy whose shadow is not known to be clear, where the other one's is."""
    needed = [
        SIDES[not access.is_write]
        for access in accesses
        if not is_surely_inside(scope, access.pointer, access.size_bytes)
    ]
    return needed[0] if len(needed) == 1 < len(accesses) else ""


def _accesses(call: Call, word: str) -> list[Access]:
    """What the intrinsic touches; sizes are right only when the length is a constant."""
    length = call.operands[3]
    size = length.unsigned if isinstance(length, ConstantInt) else 0
    written = Access(call.operands[1], size, 1, True)
    return [written] if word == "memset" else [Access(call.operands[2], size, 1, False), written]


def _is_harmless(scope: FunctionScope, access: Access) -> bool:
    if scope.checks_address and not is_surely_inside(scope, access.pointer, access.size_bytes):
        return False
    return not (scope.checks_thread and needs_race_check(scope, access))


def _replace(scope: FunctionScope, call: Call, word: str, out: Out) -> Call:
    """The hook does the work, so nothing of the intrinsic remains."""
    at = Builder(scope.module, out, call.debug_location)  # type: ignore[arg-type]
    target, second, length = call.operands[1:4]
    if word == "memset":
        second = at.cast("zext", second, at.types.i32)
    stem = "__asan_" if scope.checks_address else "__tsan_"
    arguments = [target, second, to_width(at, length, 64)]
    hook = scope.hooks.call(stem + word, arguments, call.debug_location)
    out.append(hook)
    return hook
