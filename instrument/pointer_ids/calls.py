"""Calls and returns: ids of arguments and results in one area for all calls.

    call f(%p, %q)     pass(0, %p, id); pass(1, %q, id); call(f)
    f's entry          id of %p = take(0, %p, f); ...; taken()
    ret %r in f        return(f, %r, id)
    behind the call    id = result(f, %r)

The area has a place for each pointer in the arguments, also in structures and vectors.  A result
with several pointers in it comes back as arguments go: in the last places of the area, which is
then meant for the byte behind the function's first.

An argument that is a copy of what its pointer leads to (byval) is read by the caller and an object
of the callee, with the ids of what was copied.  Variable arguments: variadic.py.

The pointers lie beside their ids, and are compared: whoever wrote the area in between, another
thread or native code, cannot give a pointer the id of another one.  A function that says nothing
of its result may have allocated it: then it is the block that begins there.

Source: SoftBound's shadow stack (Nagarakatte et al., 2009); the comparison is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from irsan.instrument.pointer_ids.format_arguments import touched_arguments
from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.library_calls import (
    COPIES,
    FILLS,
    NEW_BLOCKS,
    RANGES,
    READING_TEXT,
    SORTED,
    VECTORS,
    Range,
    Vectors,
    exposes,
)
from irsan.instrument.pointer_ids.masked import after_masked, before_masked, masked_call
from irsan.instrument.pointer_ids.memory import around_copy
from irsan.instrument.pointer_ids.parts import Path, extracted, part, pointer_paths
from irsan.instrument.pointer_ids.shown import expose, tell_called
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.variadic import pass_variadic, receive_variadic
from irsan.instrument.policy import is_touched
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.control import Ret
from irsan.ir.types import Type
from irsan.ir.values import Function, Value

MAX_PASSED: Final = 4096
_SORT_ARGUMENTS = 3
_FIRST_OF_RESULT = MAX_PASSED


def receive_arguments(ids: FunctionIds) -> None:
    """At the entry of a function, behind the births of its variables."""
    function, copies = ids.function, ids.copies
    places = list(enumerate(_pointers(function.arguments)))
    for index, (argument, path) in places:
        if argument not in copies:
            place, pointer = ids.hooks.int64(index), extracted(ids, argument, path)
            _note(ids, argument, path, ids.ask("take", place, pointer, function))
    named = {argument: ids.hooks.int64(index) for index, (argument, _) in places}
    for argument, n_bytes in copies.items():
        size = ids.hooks.int64(n_bytes)
        if argument in named:
            ids.ask("take_copy", named[argument], argument, function, size)
        else:
            ids.ask("wipe_range", argument, size)
    if places:
        ids.ask("taken")
    receive_variadic(ids)


def _note(ids: FunctionIds, value: Value, path: Path, number: Value) -> None:
    if path:
        ids.parts.setdefault(value, {})[path] = number
    else:
        ids.values[value] = number


def _pointers(values: Sequence[Value]) -> list[tuple[Value, Path]]:
    """The pointers in arguments, each with its path in one; as many as have a place."""
    found: list[tuple[Value, Path]] = []
    for value in values:
        is_one = is_plain_pointer(value.type)
        found += [(value, path) for path in ([()] if is_one else pointer_paths(value.type))]
    return found[:MAX_PASSED]


def before_call(ids: FunctionIds, call: Call | CallTerminator) -> None:
    """What libraries are passed and what is copied is checked; arguments' ids are passed on."""
    callee = call.operands[0]
    name = callee.name if isinstance(callee, Function) and callee.is_declaration else ""
    arguments = call.arguments
    for one in RANGES.get(name, ()):
        if max(one.pointer, one.size, one.times) < len(arguments):
            size = _size(ids, one, arguments)
            ids.check_range(arguments[one.pointer], size, is_write=one.is_write)
            if one.is_shown:
                ids.ask("show_range", arguments[one.pointer], size)
    for touched in touched_arguments(name, arguments):
        if is_plain_pointer(arguments[touched.place].type):
            size = ids.hooks.int64(touched.n_bytes)
            ids.check_range(arguments[touched.place], size, is_write=touched.is_write)
    copied = COPIES.get(name)
    if copied is not None and len(arguments) == 3:
        size = _times(ids, ids.as_int64(arguments[copied.size]), copied.unit)
        ids.ask("copy", arguments[copied.target], arguments[copied.source], size)
    elif name in FILLS:
        ids.ask("wipe_range", arguments[0], ids.as_int64(arguments[FILLS[name]]))
    if name in SORTED and len(arguments) > _SORT_ARGUMENTS:
        size = _size(ids, SORTED[name][0], arguments)
        ids.sorting[call] = ids.ask("sorting", arguments[0], size), size
    if name in RANGES:
        return
    for argument, kind in _copied(call):
        ids.check(argument, ids.sizes.store_size(kind), is_write=False)
    if name in VECTORS and len(arguments) > VECTORS[name].n_pairs:
        _send(ids, VECTORS[name], arguments)
    if _may_show(callee):
        for argument, path in _pointers(arguments):
            if name in READING_TEXT:
                expose(ids, argument, path)
            else:
                tell_called(ids, callee, argument, path)
    _pass(ids, call, arguments)
    pass_variadic(ids, call)


def _size(ids: FunctionIds, one: Range, arguments: list[Value]) -> Value:
    """Bytes of a range."""
    if one.size < 0:
        return ids.hooks.int64(1)
    size = _times(ids, ids.as_int64(arguments[one.size]), one.unit)
    if one.times < 0:
        return size
    return ids.at().binary("mul", size, ids.as_int64(arguments[one.times]))


def _times(ids: FunctionIds, size: Value, unit: int) -> Value:
    return size if unit == 1 else ids.at().binary("mul", size, ids.hooks.int64(unit))


def _send(ids: FunctionIds, vectors: Vectors, arguments: list[Value]) -> None:
    """A table of addresses and sizes, or headers with such tables, are passed to a function."""
    is_one = vectors.n_pairs < 0
    count = ids.hooks.int64(1) if is_one else ids.as_int64(arguments[vectors.n_pairs])
    if vectors.stride:
        ids.ask("messages", arguments[vectors.table], count, ids.hooks.int64(vectors.stride))
    else:
        ids.ask("vectors", arguments[vectors.table], count)


def _may_show(callee: Value) -> bool:
    """Whether a function that we do not see, or leave as it is, may make numbers of pointers."""
    if not isinstance(callee, Function):
        return True
    return exposes(callee.name) if callee.is_declaration else not is_touched(callee)


def _pass(ids: FunctionIds, call: Call | CallTerminator, arguments: list[Value]) -> None:
    pointers = _pointers(arguments)
    numbers = [part(ids, argument, path) for argument, path in pointers]
    if all(is_unknown(number) for number in numbers) and not _copied(call):
        return
    for index, ((argument, path), number) in enumerate(zip(pointers, numbers, strict=True)):
        ids.ask("pass", ids.hooks.int64(index), extracted(ids, argument, path), number)
    ids.ask("call", call.operands[0])


def _copied(call: Call | CallTerminator) -> list[tuple[Value, Type]]:
    """Arguments that are passed as copies, and of which type."""
    found = []
    for argument, attributes in zip(call.arguments, call.attributes.parameters, strict=False):
        copied = find_attribute(attributes, "byval") if attributes else None
        if copied is not None and isinstance(copied.value, Type):
            found.append((argument, copied.value))
    return found


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
    if call in ids.sorting:
        note, size = ids.sorting[call]
        ids.ask("sorted", note, call.arguments[0], size)
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
    """In front of an intrinsic: copies, fills, lanes; and pointers that one hands on."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    word = callee.name.split(".")[1]
    if word in ("memcpy", "memmove", "memset"):
        places = call.arguments[: 1 if word == "memset" else 2]
        if all(is_plain_pointer(one.type) for one in places):
            around_copy(ids, call, word)
    elif word == "masked":
        masked = masked_call(call)
        if masked is not None:
            before_masked(ids, masked)
    elif word in ("ptrmask", "launder", "strip", "expect") and is_plain_pointer(call.type):
        ids.values[call] = ids.of(call.arguments[0])


def after_intrinsic(ids: FunctionIds, call: Call) -> None:
    """Behind va_start and va_copy nothing is known of the pointers in the list itself (what they
    lead to has its ids: variadic.py); masked accesses.
    """
    callee = call.operands[0]
    assert isinstance(callee, Function)
    if callee.name.startswith(("llvm.va_start", "llvm.va_copy")):
        ids.ask("wipe_range", call.arguments[0], ids.hooks.int64(24))
    elif callee.name.startswith("llvm.masked."):
        masked = masked_call(call)
        if masked is not None:
            after_masked(ids, masked)
