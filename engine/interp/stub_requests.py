"""What only the owner of a frame can do: the machine leaves, the stub does it and resumes.

A dynamic stack variable, the address of the frame, the arguments behind `...`, a call that may
return twice, a tail call that must be one, assembly that jumps.
"""

from __future__ import annotations

from irsan.engine.interp.code import Label
from irsan.engine.interp.function_lowering import FunctionLowering, Request, is_literal
from irsan.ir.instruction import Instruction


def ask_stub(
    lowering: FunctionLowering, op: Instruction, *, is_tail: bool = False,
    ways: tuple[Label, ...] = (),
) -> None:  # fmt: skip
    """Leave the machine; the stub executes `op` and goes on behind it, or at one of `ways`."""
    operands = [None if is_literal(value) else lowering.of(value) for value in op.operands]
    result = lowering.of(op) if op.type.text != "void" and not is_tail else None
    resume = Label()
    lowering.requests.append(Request(op, operands, result, resume, is_tail, ways))
    lowering.emit("request", len(lowering.requests))
    lowering.code.place(resume)
