"""Variable arguments: the ids of pointers go to where the callee's va_list will find them.

    call f(%n, ..., %p)    pass_variadic(0, place << 1, %p, id); call_variadic(f, 1, bytes)
    f's entry              va_start(%own); take_variadic(%own, f, bytes of named arguments)
    musttail g(%n, ...)    forward_variadic(%own, g, bytes of named arguments, bytes of all)
    va_arg %list, ptr      load(gp_offset < 48 ? register area + gp_offset : overflow area, ..)

A place is one of the six registers for integers, or 8 bytes of the stack behind them.  Where they
lie in memory va_start alone knows, so a list of our own is made before any call can write the area
of arguments again: the program's own lists lead to the same memory.  There clang's code, which
loads from it by itself, finds the ids as in any other memory, also by a copy of the list.

Source: the System V ABI for x86-64, section 3.5.7; places are those of argument_places.py.
May miss: what comes behind an argument whose place is not known.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.analysis.calls.argument_places import (
    INTEGER_BYTES,
    N_INTEGERS,
    WORD_BYTES,
    ArgumentPlace,
    argument_places,
    first_va_start,
    has_forward,
    is_forward,
    is_like_c,
)
from irsan.instrument.analysis.calls.vector_registers import possible_vector_bytes
from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.words import is_address_number
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.memory import Alloca
from irsan.ir.operations import VAArg
from irsan.ir.values import Value

MAX_VARIADIC: Final = 4096
_IS_COPY = 1
_LIST_BYTES = 24
_OVERFLOW_AREA, _REGISTER_AREA = 8, 16  # offsets in a va_list


def _number_of(place: ArgumentPlace) -> int:
    """The number of a place: six registers, then each 8 bytes of the stack."""
    (part,) = place.parts
    return part.offset // WORD_BYTES + (N_INTEGERS if part.is_on_stack else 0)


def pass_variadic(ids: FunctionIds, call: Call | CallTerminator) -> None:
    """In front of a call with variable arguments: the ids of those, if any is known."""
    if not call.function_type.is_vararg or not is_like_c(call.calling_convention):
        return
    if is_forward(call):
        if ids.variadic is not None:
            own, named, n_bytes = ids.variadic
            ids.ask("forward_variadic", own, call.operands[0], named, n_bytes)
        return
    arguments, widths = call.arguments, possible_vector_bytes(ids.function.attributes.function)
    kinds = [one.type for one in arguments]
    places = list(argument_places(kinds, call.attributes, ids.sizes, widths))
    told = [
        (one, _told_of(ids, arguments[one.number], one.copied_bytes))
        for one in places[len(call.function_type.parameters) :]
        if one.copied_bytes or is_plain_pointer(arguments[one.number].type)
    ][:MAX_VARIADIC]
    if all(is_unknown(number) for _, number in told):
        return
    for row, (one, number) in enumerate(told):
        place = _number_of(one) << 1 | (_IS_COPY if one.copied_bytes else 0)
        numbers = ids.hooks.int64(row), ids.hooks.int64(place)
        ids.ask("pass_variadic", *numbers, arguments[one.number], number)
    n_bytes = ids.hooks.int64(places[-1].stack_bytes)
    ids.ask("call_variadic", call.operands[0], ids.hooks.int64(len(told)), n_bytes)


def _told_of(ids: FunctionIds, argument: Value, copied_bytes: int) -> Value:
    """The id of a pointer, or the size of the structure that is copied."""
    return ids.hooks.int64(copied_bytes) if copied_bytes else ids.of(argument)


def receive_variadic(ids: FunctionIds) -> None:
    """At the entry of a function that reads its variable arguments, or hands them on."""
    function = ids.function
    if not function.function_type.is_vararg or not is_like_c(function.calling_convention):
        return
    if first_va_start(function) is None and not has_forward(function):
        return
    kinds = function.function_type.parameters
    widths = possible_vector_bytes(function.attributes.function)
    named = list(argument_places(kinds, function.attributes, ids.sizes, widths))
    if len(named) < len(kinds):
        return
    n_bytes = ids.hooks.int64(named[-1].stack_bytes if named else 0)
    types = ids.module.types
    own = Alloca(
        types.ptr_default, types.array(types.i8, _LIST_BYTES), ConstantInt(types.i32, 1), 16
    )
    ids.out.insert(0, own)
    start = ids.module.declare_function(
        "llvm.va_start.p0", types.function(types.void, [types.ptr_default])
    )
    ids.at().call(start, [own])
    ids.variadic = own, n_bytes, ids.ask("take_variadic", own, function, n_bytes)


def place_of_next(ids: FunctionIds, instruction: VAArg) -> Value | None:
    """In front of va_arg: where it will read a pointer or a number, None for other types."""
    kind, va_list = instruction.type, instruction.operands[0]
    is_known = is_plain_pointer(kind) or is_address_number(kind)
    if not is_known or not is_plain_pointer(va_list.type):
        return None
    at, types = ids.at(), ids.module.types
    offset = at.cast("zext", at.load(types.i32, va_list, 4), types.i64)
    areas = [
        at.load(types.ptr_default, at.byte_gep(va_list, ids.hooks.int64(field)), 8)
        for field in (_REGISTER_AREA, _OVERFLOW_AREA)
    ]
    is_register = at.icmp("ult", offset, ids.hooks.int64(INTEGER_BYTES))
    return at.select(is_register, at.byte_gep(areas[0], offset), areas[1])
