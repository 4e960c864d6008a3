"""When arithmetic is undefined: conditions in IR, and the handlers that say so.

    add, sub, mul nsw / nuw      the result wraps                              add_overflow ...
    sdiv, srem, udiv, urem       the divisor is 0; the lowest by -1            divrem_overflow
    shl, lshr, ashr              by the width or more                          shift_out_of_bounds
    shl nsw / nuw                bits are lost                                 shift_out_of_bounds
    fptosi, fptoui               the value does not fit (float, double)        float_cast_overflow

Divisions are undefined at once; the others make poison (undefined_uses.py says when that counts).
Integers of up to 64 bits only, no vectors.

Source: the LLVM Language Reference, for when each result is poison or behaviour undefined.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from irsan.instrument.undefined_records import UndefinedRecords
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantFP, ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.operations import BinaryOp, Cast, FCmp
from irsan.ir.types import IntegerType, PrimitiveType, Type
from irsan.ir.values import Constant, Function, Value

Condition = Callable[[Builder], Value]
WORD_BITS = 64
_WRAPPING = {"add": "add_overflow", "sub": "sub_overflow", "mul": "mul_overflow"}
_SHIFTS = ("shl", "lshr", "ashr")
_SIGNED_DIVISIONS, _DIVISIONS = ("sdiv", "srem"), ("sdiv", "srem", "udiv", "urem")
_FRACTION_BITS = {32: 23, 64: 52}


@dataclass(frozen=True, slots=True)
class UndefinedRule:
    """One thing that may be wrong with an instruction.

    handler    what is called when it is, without its prefix
    fails      makes the condition that it is, in front of the instruction (or behind it)
    fields     of the handler's record, behind the place
    values     the handler's words: of up to 64 bits each
    is_poison  undefined only when the result is used
    """

    handler: str
    fails: Condition
    fields: tuple[Constant, ...]
    values: tuple[Value, ...]
    is_poison: bool = False
    is_behind: bool = False


def arithmetic_rules(
    records: UndefinedRecords, _function: Function, instruction: Instruction
) -> Iterator[UndefinedRule]:
    """What may be wrong with an instruction that computes."""
    kind = instruction.operands[0].type if instruction.operands else None
    if isinstance(instruction, BinaryOp) and _is_word(kind):
        if instruction.opcode in _WRAPPING:
            yield from _wraps(records, instruction)
        elif instruction.opcode in _DIVISIONS:
            yield from _divides(records, instruction)
        elif instruction.opcode in _SHIFTS:
            yield from _shifts(records, instruction)
    elif isinstance(instruction, Cast) and instruction.opcode in ("fptosi", "fptoui"):
        yield from _converts(records, instruction)


def _is_word(kind: Type | None) -> bool:
    return isinstance(kind, IntegerType) and 8 <= kind.width <= WORD_BITS


def _wraps(records: UndefinedRecords, operation: BinaryOp) -> Iterator[UndefinedRule]:
    left, right = operation.operands
    for flag, is_signed in (("nsw", True), ("nuw", False)):
        if flag in operation.flags:
            fails = _overflow_of(operation, "s" if is_signed else "u")
            fields = (records.type_of(operation.type, is_signed=is_signed),)
            handler = _WRAPPING[operation.opcode]
            yield UndefinedRule(handler, fails, fields, (left, right), is_poison=True)


def _overflow_of(operation: BinaryOp, sign: str) -> Condition:
    def fails(at: Builder) -> Value:
        kind, types = operation.type, at.types
        name = f"llvm.{sign}{operation.opcode}.with.overflow.{kind.text}"
        result = types.struct([kind, types.i1])
        function = at.module.declare_function(name, types.function(result, [kind, kind]))
        return at.extract_value(at.call(function, operation.operands), [1])

    return fails


def _divides(records: UndefinedRecords, operation: BinaryOp) -> Iterator[UndefinedRule]:
    left, right = operation.operands
    is_signed = operation.opcode in _SIGNED_DIVISIONS
    if isinstance(right, ConstantInt) and right.value not in ((0, -1) if is_signed else (0,)):
        return

    def fails(at: Builder) -> Value:
        kind = operation.type
        assert isinstance(kind, IntegerType)
        is_zero = at.icmp("eq", right, ConstantInt(kind, 0))
        if not is_signed:
            return is_zero
        lowest = ConstantInt(kind, -(1 << (kind.width - 1)))
        is_lowest = at.icmp("eq", left, lowest)
        overflows = at.binary("and", is_lowest, at.icmp("eq", right, ConstantInt(kind, -1)))
        return at.binary("or", is_zero, overflows)

    fields = (records.type_of(operation.type, is_signed=is_signed),)
    yield UndefinedRule("divrem_overflow", fails, fields, (left, right))


def _shifts(records: UndefinedRecords, operation: BinaryOp) -> Iterator[UndefinedRule]:
    left, amount = operation.operands
    kind = operation.type
    assert isinstance(kind, IntegerType)
    is_signed = operation.opcode == "ashr" or "nsw" in operation.flags
    unsigned = records.type_of(kind)
    fields = (records.type_of(kind, is_signed=is_signed), unsigned)
    width = ConstantInt(kind, kind.width)
    if not isinstance(amount, ConstantInt) or amount.unsigned >= kind.width:
        yield UndefinedRule(
            "shift_out_of_bounds", lambda at: at.icmp("uge", amount, width), fields, (left, amount),
            is_poison=True,
        )  # fmt: skip
    back = {"nsw": "ashr", "nuw": "lshr"}
    for flag in operation.flags:
        if operation.opcode == "shl" and flag in back:
            yield UndefinedRule(
                "shift_out_of_bounds", _lost_by(operation, back[flag], width), fields,
                (left, amount), is_poison=True,
            )  # fmt: skip


def _lost_by(operation: BinaryOp, back: str, width: ConstantInt) -> Condition:
    """Whether shifting back gives something else, for an amount within the width."""

    def fails(at: Builder) -> Value:
        left, amount = operation.operands
        is_within = at.icmp("ult", amount, width)
        within = at.select(is_within, amount, ConstantInt(width.type, 0))
        there = at.binary("shl", left, within)
        is_lost = at.icmp("ne", at.binary(back, there, within), left)
        return at.binary("and", is_within, is_lost)

    return fails


def _converts(records: UndefinedRecords, cast: Cast) -> Iterator[UndefinedRule]:
    source, target = cast.operands[0].type, cast.type
    if not isinstance(source, PrimitiveType) or source.float_bits not in _FRACTION_BITS:
        return
    if not isinstance(target, IntegerType) or target.width > WORD_BITS:
        return
    fraction_bits = _FRACTION_BITS[source.float_bits]
    is_signed = cast.opcode == "fptosi"
    magnitude = target.width - is_signed
    lowest = -(1 << magnitude) if is_signed else 0
    # One below the lowest is what may be cut off, if the type has that number.
    has_next = not is_signed or magnitude <= fraction_bits
    above = _number(source, lowest - 1 if has_next else lowest)
    below = _number(source, 1 << magnitude)

    def fails(at: Builder) -> Value:
        value = cast.operands[0]
        too_low = FCmp(at.types.i1, "ule" if has_next else "ult", value, above)
        too_high = FCmp(at.types.i1, "uge", value, below)
        for made in (too_low, too_high):
            made.debug_location = at.debug_location
            at.instructions.append(made)
        return at.binary("or", too_low, too_high)

    fields = (records.type_of(source), records.type_of(target, is_signed=is_signed))
    yield UndefinedRule("float_cast_overflow", fails, fields, (cast.operands[0],), is_poison=True)


def _number(float_type: PrimitiveType, value: int) -> ConstantFP:
    """A number that the type has, as a constant of it."""
    is_single = float_type.float_bits == 32
    raw = struct.pack("<f" if is_single else "<d", float(value))
    return ConstantFP(float_type, int.from_bytes(raw, "little"))
