"""When memory, control and values are undefined: conditions in IR, and the handlers that say so.

    load, store                     through null, or not aligned as it says    type_mismatch_v1
    load with !range                another value                              load_invalid_value
    getelementptr inbounds          wraps, or leaves or reaches null           pointer_overflow
    call with nonnull noundef       null                                       nonnull_arg
    ret of nonnull noundef          null                                       nonnull_return_v1
    unreachable                     is reached                                 builtin_unreachable

Addresses of variables are neither null nor badly aligned, and are not looked at. What stands behind
a call that never returns is that call's business.

Source: the LLVM Language Reference, for when each result is poison or behaviour undefined.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.instrument.undefined.undefined_arithmetic import Condition, UndefinedRule
from irsan.instrument.undefined.undefined_records import UndefinedRecords
from irsan.ir.attributes import AttributeSet, find_attribute
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.control import Ret, Unreachable
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr, Load, Store
from irsan.ir.metadata import MetadataTuple, ValueAsMetadata
from irsan.ir.types import IntegerType, PointerType
from irsan.ir.values import Function, GlobalObject, GlobalValue, Value

_MOST_BITS = 64  # of a value with a range
_LOAD_OF, _STORE_TO = 0, 1  # clang's numbers of uses
_NULL_IS_VALID = "null_pointer_is_valid"


def access_rules(
    records: UndefinedRecords, function: Function, instruction: Instruction
) -> Iterator[UndefinedRule]:
    """What may be wrong with an instruction that reads, writes, calls or returns."""
    has_null = not function.attributes.has_function(_NULL_IS_VALID)
    if isinstance(instruction, (Load, Store)):
        yield from _accesses(records, instruction, has_null)
        if isinstance(instruction, Load):
            yield from _reads(records, instruction)
    elif isinstance(instruction, GetElementPtr) and has_null:
        yield from _moves(instruction)
    elif isinstance(instruction, (Call, CallTerminator)) and has_null:
        yield from _passes(records, instruction)
    elif isinstance(instruction, Ret) and has_null:
        yield from _returns(function, instruction)


def unreachable_rule(before: Instruction | None, end: Instruction) -> UndefinedRule | None:
    """The check of a block's end that promises not to be reached."""
    if not isinstance(end, Unreachable) or _never_returns(before):
        return None
    return UndefinedRule("builtin_unreachable", lambda at: at.integer(1, 1), (), ())


def _never_returns(instruction: Instruction | None) -> bool:
    if not isinstance(instruction, Call):
        return False
    callee = instruction.called_function
    return instruction.attributes.has_function("noreturn") or (
        callee is not None and callee.attributes.has_function("noreturn")
    )


def _accesses(
    records: UndefinedRecords, access: Load | Store, has_null: bool
) -> Iterator[UndefinedRule]:
    pointer, is_write = access.pointer, isinstance(access, Store)
    accessed = access.value.type if isinstance(access, Store) else access.type
    if not _is_plain(pointer.type) or _is_aligned_variable(records, pointer, access.alignment):
        return
    mask = access.alignment - 1
    if not has_null and not mask:
        return

    def fails(at: Builder) -> Value:
        address = at.cast("ptrtoint", pointer, at.types.i64)
        zero = at.integer(64, 0)
        is_null = at.icmp("eq", address, zero)
        if not mask:
            return is_null
        low = at.binary("and", address, at.integer(64, mask))
        is_badly_aligned = at.icmp("ne", low, zero)
        return at.binary("or", is_null, is_badly_aligned) if has_null else is_badly_aligned

    sorts = (mask.bit_length(), _STORE_TO if is_write else _LOAD_OF)
    fields = (records.type_of(accessed), *(records.integer(8, sort) for sort in sorts))
    yield UndefinedRule("type_mismatch_v1", fails, fields, (pointer,))


def _is_plain(kind: object) -> bool:
    return isinstance(kind, PointerType) and kind.address_space == 0


def _is_variable(pointer: Value) -> bool:
    return isinstance(pointer, (Alloca, GlobalValue))


def _is_aligned_variable(records: UndefinedRecords, pointer: Value, alignment: int) -> bool:
    """Whether a pointer is surely aligned: a constant place in a variable."""
    offset, at = 0, pointer
    while isinstance(at, GetElementPtr):
        step = records.sizes.gep_offset(at.source_type, at.indices)
        if step is None:
            return False
        offset, at = offset + step, at.pointer
    if isinstance(at, (Alloca, GlobalObject)):
        return offset % alignment == 0 and at.alignment % alignment == 0
    return False


def _reads(records: UndefinedRecords, load: Load) -> Iterator[UndefinedRule]:
    bounds = load.get_metadata("range")
    if not isinstance(bounds, MetadataTuple) or not isinstance(load.type, IntegerType):
        return
    numbers = [each.value for each in bounds.operands if isinstance(each, ValueAsMetadata)]
    pairs = [number for number in numbers if isinstance(number, ConstantInt)]
    if len(pairs) != len(bounds.operands) or not 8 <= load.type.width <= _MOST_BITS:
        return

    def fails(at: Builder) -> Value:
        is_wrong: Value = at.integer(1, 1)
        for low, high in zip(pairs[::2], pairs[1::2], strict=True):
            length = ConstantInt(low.type, high.value - low.value)
            distance = at.binary("sub", load, low)
            is_outside = at.icmp("uge", distance, length)
            is_wrong = at.binary("and", is_wrong, is_outside)
        return is_wrong

    is_bool = load.type.width == 8 and [each.value for each in pairs] == [0, 2]
    fields = (records.type_of(load.type, name="bool" if is_bool else ""),)
    is_poison = load.get_metadata("noundef") is None
    yield UndefinedRule("load_invalid_value", fails, fields, (load,), is_poison, is_behind=True)


def _moves(address: GetElementPtr) -> Iterator[UndefinedRule]:
    if "inbounds" not in address.flags or not _is_plain(address.type):
        return
    if _is_variable(address.pointer) or _is_zero(address):
        return

    def fails(at: Builder) -> Value:
        base = at.cast("ptrtoint", address.pointer, at.types.i64)
        result = at.cast("ptrtoint", address, at.types.i64)
        zero = at.integer(64, 0)
        moved_back = at.icmp("slt", at.binary("sub", result, base), zero)
        wraps = at.icmp("ne", at.icmp("ult", result, base), moved_back)
        base_is_null, result_is_null = at.icmp("eq", base, zero), at.icmp("eq", result, zero)
        reaches_null = at.icmp("ne", base_is_null, result_is_null)
        return at.binary("or", wraps, reaches_null)

    values = (address.pointer, address)
    yield UndefinedRule("pointer_overflow", fails, (), values, is_poison=True, is_behind=True)


def _is_zero(address: GetElementPtr) -> bool:
    return all(isinstance(index, ConstantInt) and not index.value for index in address.indices)


def _passes(records: UndefinedRecords, call: Call | CallTerminator) -> Iterator[UndefinedRule]:
    callee = call.called_function
    if callee is not None and callee.is_intrinsic:
        return
    for number, argument in enumerate(call.arguments):
        attributes = call.attributes.parameter(number)
        if callee is not None:
            attributes += callee.attributes.parameter(number)
        if _is_plain(argument.type) and _forbids_null(attributes) and not _is_variable(argument):
            fields = (records.unknown_place(), records.integer(32, number + 1))
            yield UndefinedRule("nonnull_arg", _null_test(argument), fields, ())


def _returns(function: Function, ret: Ret) -> Iterator[UndefinedRule]:
    value = ret.value
    if value is None or not _is_plain(value.type) or _is_variable(value):
        return
    if _forbids_null(function.attributes.returns):
        yield UndefinedRule("nonnull_return_v1", _null_test(value), (), ())


def _forbids_null(attributes: AttributeSet) -> bool:
    """Whether null is undefined at once: without noundef it would only be poison."""
    if find_attribute(attributes, "dereferenceable") is not None:
        return True
    kinds = {attribute.kind for attribute in attributes}
    return {"nonnull", "noundef"} <= kinds


def _null_test(pointer: Value) -> Condition:
    return lambda at: at.icmp("eq", pointer, at.null())
