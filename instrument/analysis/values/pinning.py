"""Pins: a division is computed exactly where it stands, between two sites.

    %d = call i32 asm sideeffect "", "=r,0"(i32 %divisor)     not before the site was stored
    %q = sdiv i32 %x, %d
    call void asm sideeffect "", "r"(i32 %q)                  and before the next one is

A division has no effect that LLVM knows of, so the code generator moves it freely, past the stores
that say where the program is; when it traps, the report would name another line.

Deviations: only single instructions of the processor are pinned, on scalars of 8 to 64 bits.
"""

from __future__ import annotations

from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import InlineAsm

_WIDTHS = (8, 16, 32, 64)


def pinned(module: Module, division: Instruction) -> tuple[list[Instruction], list[Instruction]]:
    """What must stand before and behind `division`, whose divisor is replaced; maybe nothing."""
    kind = division.type
    if not isinstance(kind, IntegerType) or kind.width not in _WIDTHS:
        return [], []
    types = module.types
    before = _empty_asm(module, kind, [kind], "=r,0")
    behind = _empty_asm(module, types.void, [kind], "r")
    first = Call(before.function_type, before, [division.operands[1]])
    second = Call(behind.function_type, behind, [division])
    division.operands[1] = first
    first.debug_location = second.debug_location = division.debug_location
    return [first], [second]


def _empty_asm(module: Module, result: Type, arguments: list[Type], constraints: str) -> InlineAsm:
    signature = module.types.function(result, arguments)
    made = InlineAsm(module.types.ptr_default, signature)
    made.constraints = constraints
    made.side_effects = True
    return made
