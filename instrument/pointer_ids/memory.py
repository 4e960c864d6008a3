"""Loads, stores, copies and fills, and casts between pointers and numbers.

    %q = load ptr, ptr %p        %q.id = prov_load(%p, %q)
    store ptr %q, ptr %p         prov_store(%p, %q, %q.id)
    store i64 %n, ptr %p         prov_wipe(%p), of fewer bytes prov_wipe_part(%p): a pointer that
                                 begins behind them in the same 8 bytes stays
    %n = load i64, ptr %p        handed on only (numbers.py)?  it has an id; else it shows an
                                 address, as all other types do: shown.py
    %q = va_arg %list, ptr       the same as a load from where the list is
    ptrtoint %q                  prov_expose_pointer(%q, %q.id), unless it is only compared or
                                 subtracted
    inttoptr %n                  prov_from_int(%n)

Source: Memarian et al., POPL 2019, for what exposes an object: a cast to an integer, and reading a
pointer's bytes.
"""

from __future__ import annotations

from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.numbers import Users
from irsan.instrument.pointer_ids.parts import pointer_paths, store_parts
from irsan.instrument.pointer_ids.shown import expose, show, show_old
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.variadic import place_of_next
from irsan.instrument.pointer_ids.words import (
    as_pointer,
    known_word,
    load_words,
    note_words,
)
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.memory import AtomicRMW, CmpXchg, Load, Store
from irsan.ir.operations import VAArg
from irsan.ir.values import Value

_SLOT_BYTES = 8
_COMPARING = frozenset(("icmp", "sub"))


def before_access(ids: FunctionIds, instruction: Instruction) -> None:
    """The check of a load, a store or an atomic operation."""
    if isinstance(instruction, Load):
        ids.check(instruction.pointer, ids.sizes.store_size(instruction.type), is_write=False)
    elif isinstance(instruction, Store):
        size = ids.sizes.store_size(instruction.value.type)
        ids.check(instruction.pointer, size, is_write=True)
    elif isinstance(instruction, (AtomicRMW, CmpXchg)):
        size = ids.sizes.store_size(instruction.operands[1].type)
        ids.check(instruction.operands[0], size, is_write=True)
        show_old(ids, instruction)


def after_load(ids: FunctionIds, load: Load) -> None:
    """The id of a loaded pointer, or of a number that may be one."""
    if not is_plain_pointer(load.pointer.type):
        return
    if load.pointer in ids.slots:
        kind = ids.module.types.i64
        ids.values[load] = ids.at().load(kind, ids.slots[load.pointer], 8)
    else:
        _take(ids, load, load.pointer, load.alignment)


def _take(ids: FunctionIds, value: Instruction, place: Value, alignment: int) -> None:
    """`value` was read from `place`, which `alignment` bytes divide."""
    if is_plain_pointer(value.type) or value in ids.carried:
        note_words(ids, value, load_words(ids, place, value))
    else:
        show(ids, value.type, place, alignment)


def around_va_arg(ids: FunctionIds, instruction: VAArg) -> None:
    """Append `va_arg`, and what says which object the pointer belongs to that it reads."""
    place = place_of_next(ids, instruction)
    ids.out.append(instruction)
    if place is not None:
        _take(ids, instruction, place, _SLOT_BYTES)


def keep_store(ids: FunctionIds, store: Store) -> None:
    """What memory holds behind a store.  An atomic one is announced before: the hook that it
    becomes may let other threads run.
    """
    if store.pointer in ids.slots:
        ids.at().store(ids.of(store.value), ids.slots[store.pointer], 8)
    elif is_plain_pointer(store.pointer.type):
        _keep(ids, store.pointer, store.value, store.alignment)
        store_parts(ids, store)


def _keep(ids: FunctionIds, target: Value, value: Value, alignment: int) -> None:
    number = ids.of(value)
    if is_plain_pointer(value.type):
        ids.ask("store", target, value, number)
        return
    if not is_unknown(number):
        ids.ask("store", target, as_pointer(ids, value), number)
        return
    size = ids.sizes.store_size(value.type)
    if size <= min(alignment, _SLOT_BYTES):
        ids.ask("wipe" if size == _SLOT_BYTES else "wipe_part", target)
    else:
        ids.ask("wipe_range", target, ids.hooks.int64(size))


def cast_to_int(ids: FunctionIds, cast: Instruction, users: Users) -> None:
    """ptrtoint: whoever knows the number may make a pointer of it."""
    is_harmless = all(user.opcode in _COMPARING for user in users.get(cast, ()))
    if is_harmless:
        return
    pointer = cast.operands[0]
    if is_plain_pointer(pointer.type):
        expose(ids, pointer, ())
        if cast in ids.carried:
            ids.values[cast] = ids.of(pointer)
    for path in pointer_paths(pointer.type):
        expose(ids, pointer, path)


def cast_to_pointer(ids: FunctionIds, cast: Instruction) -> None:
    """Behind inttoptr: the id the number was loaded with, or whether it may be an address."""
    number = cast.operands[0]
    if number in ids.carried and is_plain_pointer(cast.type):
        ids.values[cast] = known_word(ids, number, 0)
    elif is_plain_pointer(cast.type) and not _is_constant(number):
        ids.values[cast] = ids.ask("from_int", ids.as_int64(number))


def _is_constant(value: Value) -> bool:
    return not hasattr(value, "name")


def around_copy(ids: FunctionIds, call: Call, word: str) -> None:
    """llvm.memcpy, memmove, memset: both ranges are checked, pointers are copied."""
    target, second, length = call.arguments[:3]
    size = ids.as_int64(length)
    ids.check_range(target, size, is_write=True)
    if word == "memset":
        ids.ask("wipe_range", target, size)
        return
    ids.check_range(second, size, is_write=False)
    ids.ask("copy", target, second, size)
