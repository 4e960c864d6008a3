"""Intrinsics that are frequent enough to be operations: minimum and maximum, fmuladd, fabs.

`llvm.fmuladd` is a multiplication and an addition, as plain x86-64 has it.  In a function for
processors with FMA it rounds once, as native code does there: like `llvm.fma` it is a helper then.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.interp.function_lowering import FunctionLowering
from irsan.engine.interp.lower_integers import sign_extended
from irsan.engine.interp.registers import float_bits, word_bits
from irsan.ir.attributes import AttributeList
from irsan.ir.calls import Call

_COMPARED: Final = {"umin": "ult", "umax": "ule", "smin": "slt", "smax": "sle"}


def lower_frequent(lowering: FunctionLowering, op: Call, name: str) -> bool:
    """Whether a call of intrinsic `name` is done with."""
    word = name.split(".")[1]
    if word in _COMPARED and word_bits(op.type):
        _lower_extreme(lowering, op, word)
    elif word == "fmuladd" and float_bits(op.type) and not _fuses(lowering.function.attributes):
        bits = float_bits(op.type)
        left, right, added = [lowering.of(value) for value in op.arguments]
        lowering.emit(f"fmuladd{bits}", lowering.of(op), left, right, words=(added,))
    elif word == "fabs" and float_bits(op.type):
        mask = lowering.registers.number((1 << (float_bits(op.type) - 1)) - 1)
        lowering.emit("and64", lowering.of(op), lowering.of(op.arguments[0]), mask)
    else:
        return False
    return True


def _fuses(attributes: AttributeList) -> bool:
    """Whether code for a function multiplies and adds in one instruction."""
    return any(
        one.kind == "target-features" and "+fma" in str(one.value).split(",")
        for one in attributes.function
    )


def _lower_extreme(lowering: FunctionLowering, op: Call, word: str) -> None:
    """min: x < y ? x : y; max: x <= y ? y : x."""
    left, right = op.arguments
    first, second, bits = lowering.of(left), lowering.of(right), word_bits(op.type)
    name, compared = f"i{_COMPARED[word]}", (first, second)
    if word[0] == "s" and bits == 32:
        name += "32"
    elif word[0] == "s":
        name += "64"
        compared = (sign_extended(lowering, op, left), sign_extended(lowering, op, right))
    holds = lowering.scratch(op)
    lowering.emit(name, holds, *compared)
    chosen = (first, second) if word.endswith("min") else (second, first)
    lowering.emit("sel", holds, *chosen, words=(lowering.of(op),))
