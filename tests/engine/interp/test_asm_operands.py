"""Which operands of assembly a helper copies."""

from __future__ import annotations

import pytest

from irsan.engine.interp.asm_operands import MemoryOperand, memory_operands
from irsan.ir.types import FunctionType, PointerType
from irsan.ir.values import InlineAsm

_MANY = ",".join(["*m"] * 11)


def _asm(text: str, constraints: str) -> InlineAsm:
    made = InlineAsm(PointerType(0), FunctionType(PointerType(0), (), False))
    made.assembly, made.constraints = text, constraints
    return made


def test_few_operands_are_not_copied() -> None:
    assert memory_operands(_asm("addl $1, $0", "=*m,r,~{cc},~{memory}")) == []


def test_clobbers_of_general_registers_count() -> None:
    clobbers = ",".join([f"~{{r{number}}}" for number in range(8, 16)])
    few = "=*m," + clobbers
    assert memory_operands(_asm("$0", few)) == []
    assert memory_operands(_asm("$0", few + ",~{xmm1},~{cc},~{zmm31}")) == []
    [only] = memory_operands(_asm("$0", few + ",~{eax},~{esi}"))
    assert only == MemoryOperand(0, is_output=True, is_named=True)


@pytest.mark.parametrize(
    ("text", "named"),
    [("$1", [0]), ("${10:x} $$5", [9]), ("$10", [9]), ("", []), ("$1 $2", [0, 1])],
)
def test_named_operands(text: str, named: list[int]) -> None:
    """Operand 0 is a register and no argument; `$10` does not name operand 1."""
    found = memory_operands(_asm(text, "=r," + _MANY))
    assert [one.index for one in found] == list(range(11))
    assert [one.index for one in found if one.is_named] == named
    assert not any(one.is_output for one in found)
