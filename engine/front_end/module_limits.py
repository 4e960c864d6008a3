"""What neither engine runs, refused before anything is done to a module.

Passes move stack variables, put code in front of returns, and call hooks.  They would make an
invalid module of what depends on where a variable is (`llvm.localescape`) or on standing right in
front of a return (`llvm.experimental.deoptimize`); pads of Windows' exceptions leave no room.
`llvm.get.fpmode` and similar call the C library with a place of their own type's size, whatever the
library writes there: a shorter type would overwrite the stack.
What only LLVM's code generator cannot do is refused there (`engine/program_image/unselectable.py`),
what only the interpreter cannot do in `engine/interp/`.
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

# Bits of glibc's femode_t and fenv_t.
_STATE_BITS: Final = {
    "llvm.get.fpmode": 64, "llvm.set.fpmode": 64, "llvm.get.fpenv": 256, "llvm.set.fpenv": 256,
}  # fmt: skip
_PADS: Final = frozenset(("catchpad", "catchret", "catchswitch", "cleanuppad", "cleanupret"))


def check_module(module: Module) -> None:
    """Raises UnsupportedError (status 69) that names instruction, function and line."""
    refused = frozenset(one.name for one in module.functions if _is_refused(one.name))
    for function in module.functions:
        if function.personality is not None or refused:
            _check_function(function, refused | _PADS)


def _is_refused(name: str) -> bool:
    base, _, bits = name.rpartition(".i")
    return name.startswith(_REFUSED) or str(_STATE_BITS.get(base, bits)) != bits


def _check_function(function: Function, refused: frozenset[str]) -> None:
    for block in function.blocks:
        for op in block.instructions:
            name = op.opcode if op.opcode in _PADS else _callee(op)
            if name in refused:
                raise UnsupportedError(f"irsan cannot run `{name}` (in {where(function, op)})")


def _callee(op: Instruction) -> str:
    callee = op.operands[0] if isinstance(op, Call) else None
    return callee.name if isinstance(callee, Function) else ""


def where(function: Function, op: Instruction) -> str:
    """`name, line 7`, or the name where no line is known."""
    return f"{function.name}, line {op.location.line}" if op.location else function.name
