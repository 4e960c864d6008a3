"""Atomic operations on pointers, as such or as numbers of words: an exchanged pointer keeps its id.

    %old = atomicrmw xchg ptr %p, ptr %q       id = prov_load(%p, %old); prov_store(%p, %q, %q.id)
    %old = atomicrmw add ptr %p, i64 %n        the same with %old + %n, which has the id of %old
    %r = cmpxchg ptr %p, ptr %e, ptr %q        id = prov_load(%p, %r.0)
                                               %r.1 ? prov_store(%p, %q, %q.id) : (%p, %r.0, id)

Other threads run at safepoints only, and none is between an operation and what stands behind it,
but the hook of an atomic store has one in itself: memory.py writes the slot in front of those.
Of numbers of several words (words.py) this holds word by word; what is added leaves each its id.
Operations that do not move a pointer leave a number behind, of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.instrument.pointer_ids.function_ids import FunctionIds
from irsan.instrument.pointer_ids.numbers import MOVING
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.words import (
    as_pointer,
    has_words,
    load_words,
    n_words,
    note_words,
    store_words,
    words_of,
)
from irsan.ir.memory import AtomicRMW, CmpXchg
from irsan.ir.operations import ExtractValue
from irsan.ir.values import Value


def after_atomic(ids: FunctionIds, operation: AtomicRMW | CmpXchg) -> None:
    """The ids of the old value's words, and what memory holds now."""
    target, value = operation.operands[0], operation.operands[-1]
    if not is_plain_pointer(target.type):
        return
    if not has_words(value.type):
        ids.ask("wipe_range", target, ids.hooks.int64(ids.sizes.store_size(value.type)))
    elif isinstance(operation, CmpXchg):
        _after_cmpxchg(ids, operation)
    else:
        _after_rmw(ids, operation)


def _after_rmw(ids: FunctionIds, operation: AtomicRMW) -> None:
    target, value = operation.operands
    known = load_words(ids, target, operation)
    note_words(ids, operation, known)
    if operation.operation == "xchg":
        _write(ids, target, value, words_of(ids, value))
    elif operation.operation in MOVING:
        held = ids.at().binary(operation.operation, operation, value)
        _write(ids, target, held, known)
    else:
        _write(ids, target, value, [])


def _after_cmpxchg(ids: FunctionIds, operation: CmpXchg) -> None:
    target, _, value = operation.operands
    at = ids.at()
    old, is_done = at.extract_value(operation, [0]), at.extract_value(operation, [1])
    known = load_words(ids, target, old)
    is_one = not n_words(value.type)
    ids.parts[operation] = {
        (0,) if is_one else (0, word): number for word, number in enumerate(known)
    }
    pairs = zip(words_of(ids, value), known, strict=True)
    new = [at.select(is_done, *pair) for pair in pairs]
    _write(ids, target, at.select(is_done, value, old), new)


def _write(ids: FunctionIds, target: Value, held: Value, known: Sequence[Value]) -> None:
    """Memory at `target` holds `held` now, of whose words these ids are known."""
    if len(known) == 1:
        ids.ask("store", target, as_pointer(ids, held), known[0])
        return
    ids.ask("wipe_range", target, ids.hooks.int64(ids.sizes.store_size(held.type)))
    store_words(ids, target, held, known)


def after_extraction(ids: FunctionIds, extraction: ExtractValue) -> None:
    """The old value, taken out of what cmpxchg has returned as a number."""
    if has_words(extraction.type) and not is_plain_pointer(extraction.type):
        old = ids.parts.get(extraction.operands[0], {})
        note_words(ids, extraction, [known for _, known in sorted(old.items())])

