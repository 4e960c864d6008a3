"""When arithmetic is undefined: conditions in IR, and the handlers that say so.

    add, sub, mul nsw / nuw      the result wraps                              add_overflow ...
    sdiv, srem, udiv, urem       the divisor is 0; the lowest by -1            divrem_overflow
    shl, lshr, ashr              by the width or more                          shift_out_of_bounds
    shl nsw / nuw                bits are lost                                 shift_out_of_bounds
    fptosi, fptoui               the value does not fit                        float_cast_overflow

Divisions are undefined at once; the others make poison (undefined_uses.py says when that counts).
Of a vector the first element that fails is reported; vectors that are put together from single
elements are left alone, some may be missing.

Source: the LLVM Language Reference, for when each result is poison or behaviour undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from irsan.instrument.undefined.undefined_numbers import (
    float_of,
    fraction_bits,
    integer_of,
    known_integer,
    scalar_of,
)
from irsan.instrument.undefined.undefined_records import UndefinedRecords
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantAggregate, Poison, Undef
from irsan.ir.instruction import Instruction
from irsan.ir.operations import BinaryOp, Cast, FCmp, InsertElement, ShuffleVector
from irsan.ir.types import IntegerType, Type, VectorType
from irsan.ir.values import Constant, Function, Value

Condition = Callable[[Builder], Value]
_LEAST_BITS, _MOST_BITS = 8, 1024
_MOST_CONVERTED_BITS = 128  # beyond that, conversions are not checked
_MOST_ELEMENTS = 64
_WRAPPING = {"add": "add_overflow", "sub": "sub_overflow", "mul": "mul_overflow"}
_SHIFTS = ("shl", "lshr", "ashr")
_SIGNED_DIVISIONS, _DIVISIONS = ("sdiv", "srem"), ("sdiv", "srem", "udiv", "urem")


@dataclass(frozen=True, slots=True)
class UndefinedRule:
    """One thing that may be wrong with an instruction.

    handler    the function called when it is, without its prefix
    fails      makes the condition that it is, in front of the instruction (or behind it): an i1,
               or a vector of them for the elements of a vector
    fields     of the handler's record, behind the place
    values     the handler's words
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
    if isinstance(instruction, BinaryOp) and _is_checked(instruction):
        if instruction.opcode in _WRAPPING:
            yield from _wraps(records, instruction)
        elif instruction.opcode in _DIVISIONS:
            yield from _divides(records, instruction)
        elif instruction.opcode in _SHIFTS:
            yield from _shifts(records, instruction)
    elif isinstance(instruction, Cast) and instruction.opcode in ("fptosi", "fptoui"):
        yield from _converts(records, instruction)


def _is_checked(operation: BinaryOp) -> bool:
    kind = scalar_of(operation.type)
    if not isinstance(kind, IntegerType) or not _LEAST_BITS <= kind.width <= _MOST_BITS:
        return False
    return _is_whole(operation.type, operation.operands)


def _is_whole(kind: Type, operands: list[Value]) -> bool:
    """Whether nothing may be missing from operands of the type: always so for single values."""
    if not isinstance(kind, VectorType):
        return True
    if kind.scalable or kind.count > _MOST_ELEMENTS:
        return False
    return not any(_may_lack_elements(operand) for operand in operands)


def _may_lack_elements(value: Value) -> bool:
    if isinstance(value, ShuffleVector):
        value = value.mask
    elif isinstance(value, InsertElement):
        return True
    elements = value.elements if isinstance(value, ConstantAggregate) else [value]
    return any(isinstance(element, (Undef, Poison)) for element in elements)


def _wraps(records: UndefinedRecords, operation: BinaryOp) -> Iterator[UndefinedRule]:
    left, right = operation.operands
    for flag, is_signed in (("nsw", True), ("nuw", False)):
        if flag in operation.flags:
            fails = _overflow_of(operation, "s" if is_signed else "u")
            fields = (records.type_of(scalar_of(operation.type), is_signed=is_signed),)
            handler = _WRAPPING[operation.opcode]
            yield UndefinedRule(handler, fails, fields, (left, right), is_poison=True)


def _overflow_of(operation: BinaryOp, sign: str) -> Condition:
    def fails(at: Builder) -> Value:
        kind, types = operation.type, at.types
        is_vector = isinstance(kind, VectorType)
        text = f"v{kind.count}{kind.element.text}" if is_vector else kind.text  # type: ignore[attr-defined]
        flag = types.vector(types.i1, kind.count) if is_vector else types.i1  # type: ignore[attr-defined]
        name = f"llvm.{sign}{operation.opcode}.with.overflow.{text}"
        result = types.struct([kind, flag])
        function = at.module.declare_function(name, types.function(result, [kind, kind]))
        return at.extract_value(at.call(function, operation.operands), [1])

    return fails


def _divides(records: UndefinedRecords, operation: BinaryOp) -> Iterator[UndefinedRule]:
    left, right = operation.operands
    is_signed = operation.opcode in _SIGNED_DIVISIONS
    known = known_integer(right)
    if known is not None and known.value not in ((0, -1) if is_signed else (0,)):
        return

    def fails(at: Builder) -> Value:
        kind = operation.type
        is_zero = at.icmp("eq", right, integer_of(kind, 0))
        if not is_signed:
            return is_zero
        lowest = integer_of(kind, -(1 << (_width(kind) - 1)))
        is_lowest = at.icmp("eq", left, lowest)
        overflows = at.binary("and", is_lowest, at.icmp("eq", right, integer_of(kind, -1)))
        return at.binary("or", is_zero, overflows)

    fields = (records.type_of(scalar_of(operation.type), is_signed=is_signed),)
    yield UndefinedRule("divrem_overflow", fails, fields, (left, right))


def _shifts(records: UndefinedRecords, operation: BinaryOp) -> Iterator[UndefinedRule]:
    left, amount = operation.operands
    kind = operation.type
    is_signed = operation.opcode == "ashr" or "nsw" in operation.flags
    unsigned = records.type_of(scalar_of(kind))
    fields = (records.type_of(scalar_of(kind), is_signed=is_signed), unsigned)
    width, known = integer_of(kind, _width(kind)), known_integer(amount)
    if known is None or known.unsigned >= _width(kind):
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


def _width(kind: Type) -> int:
    scalar = scalar_of(kind)
    assert isinstance(scalar, IntegerType)
    return scalar.width


def _lost_by(operation: BinaryOp, back: str, width: Constant) -> Condition:
    """Whether shifting back gives something else, for an amount within the width."""

    def fails(at: Builder) -> Value:
        left, amount = operation.operands
        is_within = at.icmp("ult", amount, width)
        within = at.select(is_within, amount, integer_of(width.type, 0))
        there = at.binary("shl", left, within)
        is_lost = at.icmp("ne", at.binary(back, there, within), left)
        return at.binary("and", is_within, is_lost)

    return fails


def _converts(records: UndefinedRecords, cast: Cast) -> Iterator[UndefinedRule]:
    source, target = cast.operands[0].type, cast.type
    n_fraction = fraction_bits(scalar_of(source))
    if not n_fraction or not _is_whole(source, cast.operands):
        return
    if _width(target) > _MOST_CONVERTED_BITS:
        return
    is_signed = cast.opcode == "fptosi"
    magnitude = _width(target) - is_signed
    lowest = -(1 << magnitude) if is_signed else 0
    # One below the lowest is what may be cut off, if the type has that number.
    has_next = not is_signed or magnitude <= n_fraction
    above = float_of(source, lowest - 1 if has_next else lowest)
    below = float_of(source, 1 << magnitude)

    def fails(at: Builder) -> Value:
        value, flag = cast.operands[0], at.types.i1
        if isinstance(source, VectorType):
            flag = at.types.vector(flag, source.count)  # type: ignore[assignment]
        too_low = FCmp(flag, "ule" if has_next else "ult", value, above)
        too_high = FCmp(flag, "uge", value, below)
        for made in (too_low, too_high):
            made.debug_location = at.debug_location
            at.instructions.append(made)
        return at.binary("or", too_low, too_high)

    scalars = scalar_of(source), scalar_of(target)
    fields = (records.type_of(scalars[0]), records.type_of(scalars[1], is_signed=is_signed))
    yield UndefinedRule("float_cast_overflow", fails, fields, (cast.operands[0],), is_poison=True)
