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
from irsan.instrument.pointer_ids.numbers import (
    MOVING,
    expose_words,
    is_address_number,
    note_number,
)
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.ir.memory import AtomicRMW, CmpXchg
from irsan.ir.operations import ExtractValue
from irsan.ir.types import Type
from irsan.ir.values import Value


def after_atomic(ids: FunctionIds, operation: AtomicRMW | CmpXchg) -> None:
    """The id of the old value, and what memory holds now."""
    target, value = operation.operands[0], operation.operands[-1]
    if not is_plain_pointer(target.type):
        return
    if not _is_address(value.type):
        is_pair = isinstance(operation, CmpXchg)
        old = ids.at().extract_value(operation, [0]) if is_pair else operation
        expose_words(ids, target, old)
        ids.ask("wipe_range", target, ids.hooks.int64(ids.sizes.store_size(value.type)))
    elif isinstance(operation, CmpXchg):
        _after_cmpxchg(ids, operation)
    else:
        _after_rmw(ids, operation)


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
    if is_address_number(extraction.type):
        old = ids.parts.get(extraction.operands[0], {})
        note_number(ids, extraction, old.get(extraction.indices, ids.unknown))


def _is_address(kind: Type) -> bool:
    return is_plain_pointer(kind) or is_address_number(kind)


def as_pointer(ids: FunctionIds, value: Value) -> Value:
    """A pointer, or a number as one."""
    if is_plain_pointer(value.type):
        return value
    return ids.at().cast("inttoptr", value, ids.module.types.ptr_default)
