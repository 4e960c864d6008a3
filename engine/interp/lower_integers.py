"""Integers and pointers of up to 64 bits: arithmetic, comparison, conversion.

Widths other than 32 and 64 are computed with 64 bits: what reads the sign is extended first, what
may leave bits above the width is cut behind.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.interp.code import Label, Register
from irsan.engine.interp.function_lowering import FunctionLowering, Lower, by_helper
from irsan.engine.interp.registers import float_bits, is_one_slot, word_bits
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.operations import BinaryOp, Cast, ICmp
from irsan.ir.types import IntegerType, PointerType, Type, TypeID, VectorType
from irsan.ir.values import Value

_OF_32_BITS: Final = frozenset(
    ("add", "sub", "mul", "shl", "ashr", "sdiv", "srem", "udiv", "urem")
)  # the others leave 32 bits as they are
_WITH_NUMBER: Final = frozenset(
    ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")
)  # have a form with a number in the word
_CUT: Final = frozenset(("add", "sub", "mul", "shl", "sdiv", "srem", "ashr"))
_SIGNED: Final = frozenset(("sdiv", "srem", "ashr"))
_BITWISE: Final = frozenset(("and", "or", "xor"))
_SWAPPED: Final = {"ugt": "ult", "uge": "ule", "sgt": "slt", "sge": "sle"}
_INVERSE: Final = {"eq": ("ne", False), "ne": ("eq", False), "ult": ("ule", True),
                   "ule": ("ult", True), "slt": ("sle", True), "sle": ("slt", True)}  # fmt: skip
_NUMBERS: Final = range(-(1 << 15), 1 << 15)


def lower_binary(lowering: FunctionLowering, op: BinaryOp) -> None:
    """add, sub, mul, and, or, xor, shl, lshr, ashr and the divisions."""
    bits = word_bits(op.type)
    if not bits:
        return by_helper(lowering, op)
    left, right = op.operands
    target = lowering.of(op)
    suffix = "32" if bits == 32 and op.opcode in _OF_32_BITS else "64"
    if suffix == "64" and bits < 64 and op.opcode in _SIGNED:
        first = sign_extended(lowering, op, left)
        second = sign_extended(lowering, op, right) if op.opcode != "ashr" else lowering.of(right)
        lowering.emit(f"{op.opcode}64", target, first, second)
    elif (number := _number(op.opcode, right, bits)) is not None:
        lowering.emit(f"{op.opcode}{suffix}k", target, lowering.of(left), number)
    else:
        lowering.emit(f"{op.opcode}{suffix}", target, lowering.of(left), lowering.of(right))
    if bits not in (32, 64) and op.opcode in _CUT:
        lowering.emit("trunc", target, target, bits)
    return None


def _number(opcode: str, value: Value, bits: int) -> int | None:
    """The right operand as a signed 16-bit number, when the operation has such a form."""
    if not isinstance(value, ConstantInt) or opcode not in _WITH_NUMBER:
        return None
    number = value.value
    if opcode in _BITWISE and bits < 64:
        number &= (1 << bits) - 1  # zero-extended, as registers are
    return number if number in _NUMBERS else None


def sign_extended(lowering: FunctionLowering, op: Instruction, value: Value) -> Register:
    """A narrow operand as a signed number of 64 bits; `op` is who uses it."""
    bits = word_bits(value.type)
    if bits == 64:
        return lowering.of(value)
    wide = lowering.scratch(op)
    lowering.emit("sext", wide, lowering.of(value), bits)
    return wide


def lower_icmp(lowering: FunctionLowering, op: ICmp) -> None:
    """icmp; the branch behind it may compare in its place (`branch_on`)."""
    bits = word_bits(op.operands[0].type)
    if not bits:
        by_helper(lowering, op)
    else:
        name, first, second = _comparison(lowering, op, bits)
        lowering.emit(f"i{name}", lowering.of(op), first, second)


def branch_on(lowering: FunctionLowering, op: ICmp, target: Label, is_inverted: bool) -> bool:
    """Compare and go to `target` (when it does not hold: is_inverted); False: it cannot."""
    bits = word_bits(op.operands[0].type)
    if not bits:
        return False
    name, first, second = _comparison(lowering, op, bits)
    if is_inverted:
        opposite, is_swapped = _INVERSE[name.removesuffix("64").removesuffix("32")]
        name = opposite + ("64" if name.endswith("64") else "32" if name.endswith("32") else "")
        first, second = (second, first) if is_swapped else (first, second)
    lowering.emit(f"j{name}", first, second, target)
    return True


def _comparison(
    lowering: FunctionLowering, op: ICmp, bits: int
) -> tuple[str, Register, Register]:
    """The operation's name without its first letter, and its two registers."""
    left, right = op.operands
    name = op.predicate
    if name in _SWAPPED:
        name, left, right = _SWAPPED[name], right, left
    if name[0] != "s":
        return name, lowering.of(left), lowering.of(right)
    if bits == 32:
        return f"{name}32", lowering.of(left), lowering.of(right)
    return f"{name}64", sign_extended(lowering, op, left), sign_extended(lowering, op, right)


def lower_zext(lowering: FunctionLowering, op: Cast) -> None:
    if not (word_bits(op.type) and word_bits(op.operands[0].type)):
        return by_helper(lowering, op)
    return lowering.emit("mov", lowering.of(op), lowering.of(op.operands[0]))


def lower_sext(lowering: FunctionLowering, op: Cast) -> None:
    to_bits, from_bits = word_bits(op.type), word_bits(op.operands[0].type)
    if not (to_bits and from_bits):
        return by_helper(lowering, op)
    target = lowering.of(op)
    lowering.emit("sext", target, lowering.of(op.operands[0]), from_bits)
    if to_bits < 64:
        lowering.emit("trunc", target, target, to_bits)
    return None


def lower_trunc(lowering: FunctionLowering, op: Cast) -> None:
    """Also of wider integers: their lowest word comes first."""
    bits = word_bits(op.type)
    if not bits or not isinstance(op.operands[0].type, (IntegerType, PointerType)):
        return by_helper(lowering, op)
    return move_bits(lowering, op, bits)


def move_bits(lowering: FunctionLowering, op: Instruction, bits: int) -> None:
    """The operand's lowest bits, zero-extended."""
    source = lowering.of(op.operands[0])
    if bits == 64:
        lowering.emit("mov", lowering.of(op), source)
    else:
        lowering.emit("trunc", lowering.of(op), source, bits)


def lower_bitcast(lowering: FunctionLowering, op: Cast) -> None:
    """The same bytes; a register holds a value as memory does."""
    source, target = op.operands[0].type, op.type
    if not (_has_bytes(source) and _has_bytes(target)):
        return by_helper(lowering, op)
    n_slots = lowering.registers.n_slots(target)
    if n_slots > 1:
        return lowering.copy(lowering.of(op), lowering.of(op.operands[0]), n_slots)
    return move_bits(lowering, op, lowering.layout.size_bits(target))


def _has_bytes(kind: Type) -> bool:
    """Whether a value's bits are the bytes of its register, in order and without padding."""
    if isinstance(kind, VectorType):
        return is_one_slot(kind.element) and (
            not isinstance(kind.element, IntegerType) or kind.element.width in (8, 16, 32, 64)
        )
    plain = kind.type_id in (TypeID.FP128,) or bool(float_bits(kind)) or is_one_slot(kind)
    return plain or (isinstance(kind, IntegerType) and kind.width % 64 == 0)


def lower_freeze(lowering: FunctionLowering, op: Instruction) -> None:
    """A register always holds the same bits: undef and poison are zero."""
    n_slots = lowering.registers.n_slots(op.type)
    lowering.copy(lowering.of(op), lowering.of(op.operands[0]), n_slots)


LOWERINGS: Final[dict[str, Lower]] = {
    **dict.fromkeys((*_WITH_NUMBER, *_OF_32_BITS), lower_binary),
    "icmp": lower_icmp,
    "zext": lower_zext,
    "sext": lower_sext,
    "trunc": lower_trunc,
    "ptrtoint": lower_trunc,
    "inttoptr": lower_zext,
    "bitcast": lower_bitcast,
    "freeze": lower_freeze,
}
