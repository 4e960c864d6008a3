"""What neither engine runs, refused before anything is done to a module.

Passes move stack variables, put code in front of returns, and call hooks.  They would make an
invalid module of what depends on where a variable is (`llvm.localescape`) or on standing right in
front of a return (`llvm.experimental.deoptimize`); pads of Windows' exceptions leave no room.
What only LLVM's code generator cannot do is refused there (`engine/jit/unselectable.py`), what only
the interpreter cannot do in `engine/interp/`.
"""

from __future__ import annotations

from typing import Final

from irsan.errors import UnsupportedError
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import Function

_REFUSED: Final = (
    "llvm.experimental.deoptimize", "llvm.experimental.guard", "llvm.gcroot", "llvm.localescape",
    "llvm.localrecover", "llvm.stackprotector",
)  # fmt: skip


_PADS: Final = frozenset(("catchpad", "catchret", "catchswitch", "cleanuppad", "cleanupret"))


def check_module(module: Module) -> None:
    """Raises UnsupportedError (status 69) that names instruction, function and line."""
    has_refused = any(function.name.startswith(_REFUSED) for function in module.functions)
    for function in module.functions:
        if function.personality is not None or has_refused:
            _check_function(function)


def _check_function(function: Function) -> None:
    for block in function.blocks:
        for op in block.instructions:
            name = op.opcode if op.opcode in _PADS else _callee(op)
            if name in _PADS or name.startswith(_REFUSED):
                raise UnsupportedError(f"irsan cannot run `{name}` (in {where(function, op)})")


def _callee(op: Instruction) -> str:
    callee = op.operands[0] if isinstance(op, Call) else None
    return callee.name if isinstance(callee, Function) else ""


def where(function: Function, op: Instruction) -> str:
    """`name, line 7`, or the name where no line is known."""
    return f"{function.name}, line {op.location.line}" if op.location else function.name
