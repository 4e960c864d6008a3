"""Memory operands of assembly: where there are more than registers, it works on copies.

In the program an operand `m` is mostly a place in the frame or a global variable and takes no
register.  A helper has its address in a register, and LLVM ends the process when none is left.  So
when many registers are wanted, the helper copies such operands to its own frame and outputs back.

An operand that the assembly does not name only says to the compiler what else is accessed: its
address is of no use, and copying it back would undo what was written through another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from irsan.ir.attributes import AttributeList
from irsan.ir.types import Type
from irsan.ir.values import Argument, InlineAsm, Value

_MAX_REGISTERS: Final = 10  # of 16: the stack's, the frame's, the operand list's, some to spare
_GENERAL: Final = re.compile(r"~\{[er]?([abcd][xlh]|[sd]il?|bpl?|(8|9|1[0-5])[dwb]?)\}")


@dataclass(frozen=True, slots=True)
class MemoryOperand:
    """An indirect operand: its place among the arguments, and whether the assembly writes it."""

    index: int
    is_output: bool
    is_named: bool


def memory_operands(asm: InlineAsm) -> list[MemoryOperand]:
    """The indirect operands, when not all operands surely find registers; else none."""
    found: list[MemoryOperand] = []
    n_registers = n_arguments = 0
    text = asm.assembly.replace("$$", "")
    for number, constraint in enumerate(asm.constraints.split(",")):
        if constraint.startswith(("~", "!")):
            n_registers += bool(_GENERAL.fullmatch(constraint))
            continue
        n_registers += 1
        is_output, is_indirect = constraint.startswith("="), "*" in constraint
        if is_indirect:
            is_named = re.search(rf"\$\{{?{number}(?!\d)", text) is not None
            found.append(MemoryOperand(n_arguments, is_output, is_named))
        n_arguments += is_indirect or not is_output
    return found if n_registers > _MAX_REGISTERS else []


def with_copies(
    asm: InlineAsm, attributes: AttributeList, arguments: Sequence[Value]
) -> tuple[list[Value], list[str], list[str]]:
    """The arguments with copies among them, and lines before and behind the assembly."""
    made, before, behind = list(arguments), list[str](), list[str]()
    for operand in memory_operands(asm):
        kind = next(
            one.value for one in attributes.parameter(operand.index) if one.kind == "elementtype"
        )
        assert isinstance(kind, Type)
        place, copied = arguments[operand.index].ref, f"%m{operand.index}"
        made[operand.index] = Argument(
            arguments[operand.index].type, operand.index, f"m{operand.index}"
        )
        before.append(f"  {copied} = alloca {kind.text}, align 64")
        if operand.is_named:
            before.append(_copy(copied, place, kind))
            behind += [_copy(place, copied, kind)] if operand.is_output else []
    return made, before, behind


def _copy(target: str, source: str, kind: Type) -> str:
    size = f"ptrtoint (ptr getelementptr ({kind.text}, ptr null, i64 1) to i64)"
    return f"  call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)"
