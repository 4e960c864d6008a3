"""Addresses of thread-local variables, as `thread_locals.py` writes them.

    %own = call ptr @__irsan_tls_block()
    %mine = getelementptr i8, ptr %own, i64 (@x - start of the section)

Each thread's copy of a variable is an object, made when its address is first taken there.
"""

from __future__ import annotations

from irsan.instrument.frames.thread_locals import SECTION
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantExpr
from irsan.ir.memory import GetElementPtr
from irsan.ir.operations import BinaryOp, Cast
from irsan.ir.values import Function, GlobalVariable, Value

_BLOCK = "__irsan_tls_block"


def thread_variable(address: GetElementPtr) -> GlobalVariable | None:
    """The variable whose copy an address is that of, None for any other address."""
    base, *indices = address.operands
    callee = base.operands[0] if isinstance(base, Call) else None
    if not isinstance(callee, Function) or callee.name != _BLOCK or len(indices) != 1:
        return None
    offset = indices[0]
    if not isinstance(offset, (BinaryOp, ConstantExpr)) or offset.opcode != "sub":
        return None
    variable = _source(offset.operands[0])
    is_one = isinstance(variable, GlobalVariable) and variable.section == SECTION
    return variable if isinstance(variable, GlobalVariable) and is_one else None


def _source(number: Value) -> Value | None:
    """The pointer that a number is made of."""
    if isinstance(number, (Cast, ConstantExpr)) and number.opcode == "ptrtoint":
        return number.operands[0]
    return None
