"""Order and difference of two pointers: the run-time is asked whether one object has both.

    icmp ult ptr %p, %q                          __sanitizer_ptr_cmp(%p, %q)
    sub i64 (ptrtoint %p), (ptrtoint %q)         __sanitizer_ptr_sub(%p, %q)

Equality of pointers is defined for all pointers, so it is not asked about. Pointers that have been
turned into integers right here count as pointers; vectors of them do not.

Source: LLVM's AddressSanitizer pass, `-asan-detect-invalid-pointer-pair`; C11 6.5.6 and 6.5.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.passes import Handler, Out
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantExpr
from irsan.ir.instruction import Instruction
from irsan.ir.operations import Cast, ICmp
from irsan.ir.types import IntegerType, PointerType
from irsan.ir.values import Value

_EQUALITIES = ("eq", "ne")
_TO_INTEGER = ("ptrtoint", "ptrtoaddr")
_ADDRESS_BITS = 64


@dataclass(frozen=True, slots=True)
class PointerPairs:
    """Asks before each comparison and each subtraction."""

    def handlers(self) -> Mapping[str, Handler]:
        return {"icmp": _before_comparison, "sub": _before_subtraction}


def _before_comparison(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction:
    assert isinstance(instruction, ICmp)
    if instruction.predicate not in _EQUALITIES:
        _ask(scope, instruction, "__sanitizer_ptr_cmp", out)
    return instruction


def _before_subtraction(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction:
    _ask(scope, instruction, "__sanitizer_ptr_sub", out)
    return instruction


def _ask(scope: FunctionScope, instruction: Instruction, hook: str, out: Out) -> None:
    if not scope.checks_address:
        return
    left, right = instruction.operands
    if not (_is_pointer(left) and _is_pointer(right)):
        return
    before: list[Instruction] = []
    at = Builder(scope.module, before, instruction.debug_location)
    addresses = [_as_integer(value, at) for value in (left, right)]
    out.extend(before)
    out.append(scope.hooks.call(hook, addresses, instruction.debug_location))


def _is_pointer(value: Value) -> bool:
    """Whether the value is an address of ordinary memory, as a pointer or as an integer."""
    if isinstance(value.type, PointerType):
        return value.type.address_space == 0
    if not isinstance(value.type, IntegerType) or value.type.width != _ADDRESS_BITS:
        return False
    if not isinstance(value, (Cast, ConstantExpr)) or value.opcode not in _TO_INTEGER:
        return False
    return _is_pointer(value.operands[0])


def _as_integer(value: Value, at: Builder) -> Value:
    if isinstance(value.type, PointerType):
        return at.cast("ptrtoint", value, at.types.i64)
    return value
