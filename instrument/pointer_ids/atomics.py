"""Atomic operations on pointers, as pointers or as i64: what is exchanged keeps its id.

    %old = atomicrmw xchg ptr %p, ptr %q       id = prov_load(%p, %old); prov_store(%p, %q, %q.id)
    %old = atomicrmw add ptr %p, i64 %n        the same with %old + %n, which has the id of %old
    %r = cmpxchg ptr %p, ptr %e, ptr %q        id = prov_load(%p, %r.0)
                                               %r.1 ? prov_store(%p, %q, %q.id) : (%p, %r.0, id)

Other threads run at safepoints only, and none is between an operation and what stands behind it,
but the hook of an atomic store has one in itself: memory.py writes the slot in front of those.
Operations that do not move a pointer leave a number behind, of which nothing is known.
"""

from __future__ import annotations

from irsan.instrument.pointer_ids.function_ids import FunctionIds
from irsan.instrument.pointer_ids.numbers import MOVING
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.words import (
    as_pointer,
    is_address_number,
    load_words,
    n_words,
    note_number,
    note_words,
    store_words,
    words_of,
)
from irsan.ir.memory import AtomicRMW, CmpXchg
from irsan.ir.operations import ExtractValue
from irsan.ir.types import Type


def after_atomic(ids: FunctionIds, operation: AtomicRMW | CmpXchg) -> None:
    """The id of the old value, and what memory holds now."""
    target, value = operation.operands[0], operation.operands[-1]
    if not is_plain_pointer(target.type):
        return
    if n_words(value.type):
        _after_wide(ids, operation)
    elif not _is_address(value.type):
        ids.ask("wipe_range", target, ids.hooks.int64(ids.sizes.store_size(value.type)))
    elif isinstance(operation, CmpXchg):
        _after_cmpxchg(ids, operation)
    else:
        _after_rmw(ids, operation)


def _after_wide(ids: FunctionIds, operation: AtomicRMW | CmpXchg) -> None:
    """Numbers of several words are exchanged word by word."""
    target, value = operation.operands[0], operation.operands[-1]
    size = ids.hooks.int64(ids.sizes.store_size(value.type))
    new = words_of(ids, value)
    if isinstance(operation, CmpXchg):
        at = ids.at()
        old, is_done = at.extract_value(operation, [0]), at.extract_value(operation, [1])
        known = load_words(ids, target, old)
        ids.parts[operation] = {(0, word): one for word, one in enumerate(known)}
        value = at.select(is_done, value, old)
        new = [at.select(is_done, *pair) for pair in zip(new, known, strict=True)]
    else:
        note_words(ids, operation, load_words(ids, target, operation))
    ids.ask("wipe_range", target, size)
    if isinstance(operation, CmpXchg) or operation.operation == "xchg":
        store_words(ids, target, value, new)


def _after_rmw(ids: FunctionIds, operation: AtomicRMW) -> None:
    target, value = operation.operands
    number = ids.ask("load", target, as_pointer(ids, operation))
    if operation.operation == "xchg":
        ids.ask("store", target, as_pointer(ids, value), ids.of(value))
    elif operation.operation in MOVING:
        held = ids.at().binary(operation.operation, operation, value)
        ids.ask("store", target, as_pointer(ids, held), number)
    else:
        ids.ask("wipe", target)
    if is_plain_pointer(operation.type):
        ids.values[operation] = number
    else:
        note_number(ids, operation, number)


def _after_cmpxchg(ids: FunctionIds, operation: CmpXchg) -> None:
    target, _, value = operation.operands
    at = ids.at()
    old, is_done = at.extract_value(operation, [0]), at.extract_value(operation, [1])
    number = ids.ask("load", target, as_pointer(ids, old))
    held = as_pointer(ids, at.select(is_done, value, old))
    ids.ask("store", target, held, at.select(is_done, ids.of(value), number))
    ids.parts[operation] = {(0,): number}


def after_extraction(ids: FunctionIds, extraction: ExtractValue) -> None:
    """The old value, taken out of what cmpxchg has returned as a number."""
    old = ids.parts.get(extraction.operands[0], {})
    if is_address_number(extraction.type):
        note_number(ids, extraction, old.get(extraction.indices, ids.unknown))
    elif n_words(extraction.type):
        note_words(ids, extraction, [old[0, word] for word in range(n_words(extraction.type))])


def _is_address(kind: Type) -> bool:
    return is_plain_pointer(kind) or is_address_number(kind)
