"""Masked accesses: every enabled lane is checked like an access of its own.

    llvm.masked.load / store        lane i at p + i * size, with the id of p
    llvm.masked.gather / scatter    lane i at pointers[i], with the id of that lane
    llvm.masked.expandload / compressstore    as many bytes in a row as lanes are enabled;
                                    enabled lane i at p + size * (enabled lanes in front of it)

Nothing is known of a lane that is not enabled: its check gets the id 0, its slot is that of null.
Pointers that are loaded or stored bring their ids along lane by lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from irsan.instrument.access.masked_access import (
    MaskedCall,
    constant_lanes,
    is_masked,
    read_masked,
    row_size,
)
from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.parts import extracted, part, pointer_paths
from irsan.instrument.pointer_ids.shown import show
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.ir.instruction import Instruction
from irsan.ir.types import VectorType
from irsan.ir.values import Value


class _Lane(NamedTuple):
    """`enabled` is an i1, None when it surely is; `place` is null when it is not."""

    number: int
    place: Value
    enabled: Value | None


def masked_call(call: Instruction) -> MaskedCall | None:
    """What a call of such an intrinsic accesses; None for others, and where nothing is known."""
    masked = read_masked(call) if is_masked(call) else None
    if masked is None:
        return None
    kind = masked.pointers.type
    element = kind.element if isinstance(kind, VectorType) else kind
    return masked if is_plain_pointer(element) else None


def before_masked(ids: FunctionIds, masked: MaskedCall) -> None:
    """The checks."""
    if masked.is_row:
        size = row_size(ids.at(), masked, ids.sizes)
        ids.check_range(masked.pointers, size, is_write=masked.is_write)
        return
    numbers = _address_ids(ids, masked)
    if all(is_unknown(number) for number in numbers):
        return
    size_bytes = ids.sizes.store_size(masked.vector.element)
    for lane in _lanes(ids, masked):
        known = _if_enabled(ids, lane, numbers[lane.number], ids.unknown)
        ids.check_id(lane.place, known, size_bytes, is_write=masked.is_write)


def after_masked(ids: FunctionIds, masked: MaskedCall) -> None:
    """The ids of what was loaded, and what memory holds behind a store."""
    if masked.is_write:
        _keep(ids, masked)
    elif not is_plain_pointer(masked.vector.element):
        for lane in _lanes(ids, masked):
            show(ids, masked.vector.element, lane.place, 1)
    elif pointer_paths(masked.vector):
        call = masked.call
        rest = call.arguments[-1]
        found = {path: part(ids, rest, path) for path in pointer_paths(masked.vector)}
        for lane in _lanes(ids, masked):
            path = (lane.number,)
            number = ids.ask("load", lane.place, extracted(ids, call, path))
            found[path] = _if_enabled(ids, lane, number, found[path])
        ids.parts[call] = found


def _keep(ids: FunctionIds, masked: MaskedCall) -> None:
    stored = masked.call.arguments[0]
    are_pointers = is_plain_pointer(masked.vector.element)
    if masked.is_row and not are_pointers:
        ids.ask("wipe_range", masked.pointers, row_size(ids.at(), masked, ids.sizes))
        return
    size = ids.hooks.int64(ids.sizes.store_size(masked.vector.element))
    for lane in _lanes(ids, masked):
        if are_pointers:
            path = (lane.number,)
            value = extracted(ids, stored, path)
            ids.ask("store", lane.place, value, part(ids, stored, path))
        else:
            ids.ask("wipe_range", lane.place, size)


def _address_ids(ids: FunctionIds, masked: MaskedCall) -> list[Value]:
    """The id of each lane's address."""
    n_lanes = masked.vector.count
    if not masked.is_scattered:
        return [ids.of(masked.pointers)] * n_lanes
    return [part(ids, masked.pointers, (index,)) for index in range(n_lanes)]


def _lanes(ids: FunctionIds, masked: MaskedCall) -> Iterator[_Lane]:
    """Lanes that are or may be enabled."""
    surely = constant_lanes(masked.mask)
    n_before: Value = ids.hooks.int64(0)
    for index in range(masked.vector.count) if surely is None else surely:
        place = _address(ids, masked, index, n_before)
        enabled = None
        if surely is None:
            enabled = ids.at().extract_element(masked.mask, ids.hooks.int32(index))
            place = ids.at().select(enabled, place, ids.at().null())
        if masked.is_row:
            one = ids.hooks.int64(1) if enabled is None else ids.as_int64(enabled)
            n_before = ids.at().binary("add", n_before, one)
        yield _Lane(index, place, enabled)


def _address(ids: FunctionIds, masked: MaskedCall, index: int, n_before: Value) -> Value:
    """n_before: how many lanes in front of it are enabled, an i64; for those of a row."""
    if masked.is_scattered:
        return extracted(ids, masked.pointers, (index,))
    number = n_before if masked.is_row else ids.hooks.int64(index)
    return ids.at().gep(masked.vector.element, masked.pointers, [number])


def _if_enabled(ids: FunctionIds, lane: _Lane, number: Value, other: Value) -> Value:
    if lane.enabled is None or number is other:
        return number
    return ids.at().select(lane.enabled, number, other)
