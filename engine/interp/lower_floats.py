"""float and double: arithmetic, comparison, conversion; all other kinds go to helpers."""

from __future__ import annotations

from typing import Final

from irsan.engine.interp.function_lowering import FunctionLowering, Lower, by_helper
from irsan.engine.interp.lower_integers import sign_extended
from irsan.engine.interp.registers import float_bits, word_bits
from irsan.ir.operations import BinaryOp, Cast, FCmp, UnaryOp

_SWAPPED: Final = {"ogt": "olt", "oge": "ole", "ugt": "ult", "uge": "ule"}
_CONSTANT: Final = {"false": 0, "true": 1}


def lower_arithmetic(lowering: FunctionLowering, op: BinaryOp) -> None:
    bits = float_bits(op.type)
    if not bits:
        return by_helper(lowering, op)
    left, right = op.operands
    target = lowering.of(op)
    return lowering.emit(f"{op.opcode}{bits}", target, lowering.of(left), lowering.of(right))


def lower_fneg(lowering: FunctionLowering, op: UnaryOp) -> None:
    bits = float_bits(op.type)
    if not bits:
        return by_helper(lowering, op)
    return lowering.emit(f"fneg{bits}", lowering.of(op), lowering.of(op.operands[0]))


def lower_fcmp(lowering: FunctionLowering, op: FCmp) -> None:
    left, right = op.operands
    bits = float_bits(left.type)
    if not bits:
        return by_helper(lowering, op)
    name = op.predicate
    if name in _CONSTANT:
        number = lowering.registers.number(_CONSTANT[name])
        return lowering.emit("mov", lowering.of(op), number)
    if name in _SWAPPED:
        name, left, right = _SWAPPED[name], right, left
    target = lowering.of(op)
    return lowering.emit(f"f{name}{bits}", target, lowering.of(left), lowering.of(right))


def lower_to_integer(lowering: FunctionLowering, op: Cast) -> None:
    """fptosi; what the result cannot hold is what the processor makes of it."""
    source_bits, bits = float_bits(op.operands[0].type), word_bits(op.type)
    if not source_bits or not bits:
        return by_helper(lowering, op)
    target = lowering.of(op)
    wide = "i64" if bits > 32 else "i32"
    lowering.emit(f"f{source_bits}_to_{wide}", target, lowering.of(op.operands[0]))
    if bits not in (32, 64):
        lowering.emit("trunc", target, target, bits)
    return None


def lower_from_integer(lowering: FunctionLowering, op: Cast) -> None:
    """sitofp and uitofp; an unsigned number of 64 bits goes to a helper."""
    source = op.operands[0]
    bits, target_bits = word_bits(source.type), float_bits(op.type)
    is_signed = op.opcode == "sitofp"
    if not bits or not target_bits or (bits == 64 and not is_signed):
        return by_helper(lowering, op)
    if is_signed and bits == 32:
        return lowering.emit(f"i32_to_f{target_bits}", lowering.of(op), lowering.of(source))
    number = sign_extended(lowering, op, source) if is_signed else lowering.of(source)
    return lowering.emit(f"i64_to_f{target_bits}", lowering.of(op), number)


def lower_resize(lowering: FunctionLowering, op: Cast) -> None:
    """fpext and fptrunc between float and double."""
    source_bits, bits = float_bits(op.operands[0].type), float_bits(op.type)
    if not source_bits or not bits:
        return by_helper(lowering, op)
    name = f"f{source_bits}_to_f{bits}"
    return lowering.emit(name, lowering.of(op), lowering.of(op.operands[0]))


LOWERINGS: Final[dict[str, Lower]] = {
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv"), lower_arithmetic),
    "fneg": lower_fneg,
    "fcmp": lower_fcmp,
    "fptosi": lower_to_integer,
    "sitofp": lower_from_integer,
    "uitofp": lower_from_integer,
    "fpext": lower_resize,
    "fptrunc": lower_resize,
}
