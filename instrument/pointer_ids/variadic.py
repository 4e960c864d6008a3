"""Variable arguments: the ids of pointers go to where the callee's va_list will find them.

    call f(%n, ..., %p)    pass(192 + place, %p, id); call_variadic(f, places, copies, bytes)
    f's entry              va_start(%own); take_variadic(%own, f, bytes of named arguments)
    va_arg %list, ptr      load(gp_offset < 48 ? register area + gp_offset : overflow area, ..)

A place is one of the six registers for integers, or 8 bytes of the stack behind them.  Where they
lie in memory va_start alone knows, so a list of our own is made before any call can write the area
of arguments again: the program's own lists lead to the same memory.  There clang's code, which
loads from it by itself, finds the ids as in any other memory, also by a copy of the list.

Source: the System V ABI for x86-64, sections 3.2.3 (classes of arguments) and 3.5.7 (va_list).
May miss: what comes behind an argument of a type that C does not pass, or wider than 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.numbers import is_address_number
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.type_sizes import TypeSizes
from irsan.ir.attributes import AttributeList, find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.memory import Alloca
from irsan.ir.operations import VAArg
from irsan.ir.types import IntegerType, Type, TypeID, VectorType
from irsan.ir.values import Function, Value

FIRST_VARIADIC: Final = 192
N_VARIADIC: Final = 64
N_VARIADIC_REGISTERS: Final = 6
_WORD_BYTES = 8
_LIST_BYTES = 24
_OVERFLOW_AREA, _REGISTER_AREA = 8, 16  # offsets in a va_list
_REGISTER_BYTES = N_VARIADIC_REGISTERS * _WORD_BYTES
_N_VECTOR_REGISTERS = 8
_IN_VECTOR_REGISTERS = frozenset((TypeID.HALF, TypeID.BFLOAT, TypeID.FLOAT, TypeID.DOUBLE))


class Place(NamedTuple):
    """Argument `number`, its place in integer registers and on the stack (None: elsewhere), whether
    it is a copy of what its pointer leads to, and the bytes of the stack used up to its end.
    """

    number: int
    place: int | None
    copied_bytes: int
    stack_bytes: int


def argument_places(
    kinds: Sequence[Type], attributes: AttributeList, sizes: TypeSizes
) -> Iterator[Place]:
    """Where arguments of these types are passed, up to the first of which that is not known."""
    integers = vectors = stack = 0
    for index, kind in enumerate(kinds):
        place, copied_bytes = None, 0
        own = attributes.parameter(index)
        copied = find_attribute(own, "byval")
        if copied is not None and isinstance(copied.value, Type):
            copied_bytes = sizes.alloc_size(copied.value) or 0
            align = find_attribute(own, "align")
            known = align.value if align is not None and isinstance(align.value, int) else 8
            stack = _round_up(stack, max(known, _WORD_BYTES))
            place = N_VARIADIC_REGISTERS + stack // _WORD_BYTES
            stack += _round_up(copied_bytes, _WORD_BYTES)
        elif is_plain_pointer(kind) or (isinstance(kind, IntegerType) and kind.width <= 64):
            if integers < N_VARIADIC_REGISTERS:
                place = integers
            else:
                place = N_VARIADIC_REGISTERS + stack // _WORD_BYTES
                stack += _WORD_BYTES
            integers += 1
        elif kind.type_id in _IN_VECTOR_REGISTERS or _is_vector(kind, sizes):
            vectors += 1
            if vectors > _N_VECTOR_REGISTERS:
                n_bytes = max(sizes.store_size(kind), _WORD_BYTES)
                stack = _round_up(stack, n_bytes) + n_bytes
        elif kind.type_id is TypeID.X86_FP80:
            stack = _round_up(stack, 16) + 16
        else:
            return
        yield Place(index, place, copied_bytes, stack)


def _is_vector(kind: Type, sizes: TypeSizes) -> bool:
    return isinstance(kind, VectorType) and not kind.scalable and sizes.store_size(kind) <= 16


def _round_up(n_bytes: int, to: int) -> int:
    return (n_bytes + to - 1) // to * to


def pass_variadic(ids: FunctionIds, call: Call | CallTerminator) -> None:
    """In front of a call with variable arguments: the ids of those, if any is known."""
    if not call.function_type.is_vararg or call.calling_convention:
        return
    arguments = call.arguments
    places = list(argument_places([one.type for one in arguments], call.attributes, ids.sizes))
    first = len(call.function_type.parameters)
    kept = [one for one in places[first:] if one.place is not None and one.place < N_VARIADIC]
    numbers = {
        one: ids.of(arguments[one.number])
        for one in kept
        if not one.copied_bytes and is_plain_pointer(arguments[one.number].type)
    }
    copies = {one: ids.hooks.int64(one.copied_bytes) for one in kept if one.copied_bytes}
    if not copies and all(is_unknown(number) for number in numbers.values()):
        return
    for one, told in (numbers | copies).items():
        assert one.place is not None
        ids.ask("pass", ids.hooks.int64(FIRST_VARIADIC + one.place), arguments[one.number], told)
    masks = [sum(1 << (one.place or 0) for one in chosen) for chosen in (numbers, copies)]
    n_bytes = places[-1].stack_bytes
    ids.ask("call_variadic", call.operands[0], *map(ids.hooks.int64, [*masks, n_bytes]))


def receive_variadic(ids: FunctionIds) -> None:
    """At the entry of a function that reads its variable arguments."""
    function = ids.function
    if not function.function_type.is_vararg or function.calling_convention:
        return
    if not any(_starts_list(one) for block in function.blocks for one in block.instructions):
        return
    kinds = function.function_type.parameters
    named = list(argument_places(kinds, function.attributes, ids.sizes))
    n_bytes = named[-1].stack_bytes if named else 0
    types = ids.module.types
    own = Alloca(
        types.ptr_default, types.array(types.i8, _LIST_BYTES), ConstantInt(types.i32, 1), 16
    )
    ids.out.insert(0, own)
    start = ids.module.declare_function(
        "llvm.va_start.p0", types.function(types.void, [types.ptr_default])
    )
    ids.at().call(start, [own])
    ids.ask("take_variadic", own, function, ids.hooks.int64(_round_up(n_bytes, _WORD_BYTES)))


def _starts_list(instruction: object) -> bool:
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    return isinstance(callee, Function) and callee.name.startswith("llvm.va_start")


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
    is_register = at.icmp("ult", offset, ids.hooks.int64(_REGISTER_BYTES))
    return at.select(is_register, at.byte_gep(areas[0], offset), areas[1])
