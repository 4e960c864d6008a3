"""Calls and returns: ids of arguments and results in one area for all calls.

    call f(%p, %q)     pass(0, %p, id); pass(1, %q, id); call(f)
    f's entry          id of %p = take(0, %p, f); ...; taken()
    ret %r in f        return(f, %r, id)
    behind the call    id = result(f, %r)

A result with several pointers in it comes back as arguments go: in the last places of the area,
which is then meant for the byte behind the function's first.

The pointers lie beside their ids, and are compared: whoever wrote the area in between, another
thread or native code, cannot give a pointer the id of another one.  A function that says nothing
of its result may have allocated it: then it is the block that begins there.

Source: SoftBound's shadow stack (Nagarakatte et al., 2009); the comparison is ours.
"""

from __future__ import annotations

from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.library_calls import (
    COPIES,
    FILLS,
    NEW_BLOCKS,
    RANGES,
    exposes,
)
from irsan.instrument.pointer_ids.memory import around_copy
from irsan.instrument.pointer_ids.parts import extracted, part, pointer_paths
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.control import Ret
from irsan.ir.types import Type
from irsan.ir.values import Function, Value

_MAX_PASSED = 48
_FIRST_OF_RESULT = _MAX_PASSED


def receive_arguments(ids: FunctionIds) -> None:
    """At the entry of a function."""
    function, any_taken = ids.function, False
    for argument in function.arguments:
        if not is_plain_pointer(argument.type) or argument.index >= _MAX_PASSED:
            continue
        copied = find_attribute(function.attributes.parameter(argument.index), "byval")
        if copied is None:
            index = ids.hooks.int64(argument.index)
            ids.values[argument] = ids.ask("take", index, argument, function)
            any_taken = True
        elif isinstance(copied.value, Type):
            size = ids.hooks.int64(ids.sizes.store_size(copied.value))
            ids.ask("wipe_range", argument, size)
    if any_taken:
        ids.ask("taken")


def before_call(ids: FunctionIds, call: Call | CallTerminator) -> None:
    """What a library function is passed is checked; ids of arguments are passed on."""
    callee = call.operands[0]
    name = callee.name if isinstance(callee, Function) and callee.is_declaration else ""
    arguments = call.arguments
    for one in RANGES.get(name, ()):
        if one.size < len(arguments) and one.pointer < len(arguments):
            size = ids.hooks.int64(1) if one.size < 0 else ids.as_int64(arguments[one.size])
            ids.check_range(arguments[one.pointer], size, is_write=one.is_write)
    if name in COPIES and len(arguments) == 3:
        ids.ask("copy", arguments[0], arguments[1], ids.as_int64(arguments[2]))
    elif name in FILLS:
        ids.ask("wipe_range", arguments[0], ids.as_int64(arguments[FILLS[name]]))
    if name in RANGES:
        return
    _pass(ids, call, arguments, is_exposed=bool(name) and exposes(name))


def _pass(
    ids: FunctionIds, call: Call | CallTerminator, arguments: list[Value], *, is_exposed: bool
) -> None:
    pointers = [
        (index, argument)
        for index, argument in enumerate(arguments[:_MAX_PASSED])
        if is_plain_pointer(argument.type)
    ]
    numbers = [ids.of(argument) for _, argument in pointers]
    if all(is_unknown(number) for number in numbers):
        return
    for (index, argument), number in zip(pointers, numbers, strict=True):
        ids.ask("pass", ids.hooks.int64(index), argument, number)
        if is_exposed:
            ids.tell("expose", number)
    ids.ask("call", call.operands[0])


def after_call(ids: FunctionIds, call: Call | CallTerminator) -> None:
    """Behind a call: the id of its result, and blocks that it has stored."""
    callee = call.operands[0]
    name = callee.name if isinstance(callee, Function) else ""
    if is_plain_pointer(call.type):
        if name in ("memcpy", "memmove", "memset"):
            ids.values[call] = ids.of(call.arguments[0])
        else:
            ids.values[call] = ids.ask("result", callee, call)
    _take_parts(ids, call)
    if name in NEW_BLOCKS and call.arguments:
        ids.ask("refresh", call.arguments[NEW_BLOCKS[name]])


def before_return(ids: FunctionIds, ret: Ret) -> None:
    """The id of a result."""
    if ret.value is None:
        return
    if is_plain_pointer(ret.value.type):
        ids.ask("return", ids.function, ret.value, ids.of(ret.value))
    paths = pointer_paths(ret.value.type)
    for index, path in enumerate(paths, _FIRST_OF_RESULT):
        number = part(ids, ret.value, path)
        ids.ask("pass", ids.hooks.int64(index), extracted(ids, ret.value, path), number)
    if paths:
        ids.ask("call", _of_result(ids, ids.function))


def _take_parts(ids: FunctionIds, call: Call | CallTerminator) -> None:
    paths = pointer_paths(call.type)
    if not paths:
        return
    meant = _of_result(ids, call.operands[0])
    ids.parts[call] = {
        path: ids.ask("take", ids.hooks.int64(index), extracted(ids, call, path), meant)
        for index, path in enumerate(paths, _FIRST_OF_RESULT)
    }
    ids.ask("taken")


def _of_result(ids: FunctionIds, function: Value) -> Value:
    return ids.at().byte_gep(function, ids.hooks.int64(1))


def around_intrinsic(ids: FunctionIds, call: Call) -> None:
    """In front of an intrinsic: copies, fills; and pointers that one hands on."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    word = callee.name.split(".")[1]
    if word in ("memcpy", "memmove", "memset"):
        places = call.arguments[: 1 if word == "memset" else 2]
        if all(is_plain_pointer(one.type) for one in places):
            around_copy(ids, call, word)
    elif word in ("ptrmask", "launder", "strip", "expect") and is_plain_pointer(call.type):
        ids.values[call] = ids.of(call.arguments[0])


def after_intrinsic(ids: FunctionIds, call: Call) -> None:
    """Behind va_start and va_copy nothing is known of what the list leads to."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    if callee.name.startswith("llvm.va_start"):
        ids.ask("va_start", call.arguments[0])
    elif callee.name.startswith("llvm.va_copy"):
        ids.ask("wipe_range", call.arguments[0], ids.hooks.int64(24))
