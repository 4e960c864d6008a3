"""Who may know the address of an object as a number, and guess others from it: it is exposed.

    ptrtoint %q, asm of ptr %q         expose_pointer(%q, id), and what assembly reads in memory
    a library's f(%q), %f(%q)          called(f, %q, id): exposed unless f is a checked function;
                                       so is what the object holds behind %q
    %c = load i8, ptr %p               the slot of p says something?  show(%p, 1): the pointer of
                                       which this is a byte is a number now, its object exposed
    %v = load <16 x i8>, ptr %p        show_range(%p, 16), as for all that may cross 8 bytes
    %s = load { ptr, i64 }, ptr %p     the same for each element that is no pointer
    atomicrmw add ptr %p, i32 %n       show(%p, 4) in front of it

A program that puts a number together of a pointer's bytes has read them all.  Of a pointer of which
nothing is known the object at its address is exposed: it may well be that one.  Numbers that keep
ids (numbers.py) show nothing.

Source: Memarian et al., POPL 2019, section 4: reading a byte of a pointer exposes its object.
Deviations: bytes that are only copied show the pointer as well; it is not known to the copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from irsan.instrument.analysis.calls.assembly import memory_operands
from irsan.instrument.pointer_ids.function_ids import FunctionIds, variable_of
from irsan.instrument.pointer_ids.parts import Path, extracted, part, part_place, pointer_paths
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.words import has_words
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.memory import AtomicRMW, CmpXchg
from irsan.ir.types import ArrayType, StructType, Type
from irsan.ir.values import Constant, GlobalValue, GlobalVariable, Value

_SLOT_BYTES: Final = 8


def expose(ids: FunctionIds, value: Value, path: Path) -> None:
    """A pointer, or one of those in a value, becomes a number.  (Globals are exposed already.)"""
    if not isinstance(value, Constant):
        ids.ask("expose_pointer", extracted(ids, value, path), part(ids, value, path))


def tell_called(ids: FunctionIds, callee: Value, value: Value, path: Path) -> None:
    """A function that may not be checked gets a pointer.  (What constants hold is exposed.)"""
    base = variable_of(value) if isinstance(value, Constant) else None
    if not isinstance(value, Constant) or (base is not None and not _is_constant(base)):
        ids.ask("called", callee, extracted(ids, value, path), part(ids, value, path))


def _is_constant(base: GlobalValue) -> bool:
    return isinstance(base, GlobalVariable) and base.is_constant


def before_asm(ids: FunctionIds, call: Call | CallTerminator) -> None:
    """Assembly gives back what it likes: all pointers that it gets, or reads, are exposed."""
    for argument in call.arguments:
        if is_plain_pointer(argument.type):
            expose(ids, argument, ())
    for place, kind in memory_operands(call):
        if is_plain_pointer(place.type):
            ids.ask("show_range", place, ids.hooks.int64(ids.sizes.store_size(kind)))


def show(ids: FunctionIds, kind: Type, place: Value, alignment: int) -> None:
    """All that is no pointer in a value of this type was read at `place`."""
    size = ids.sizes.store_size(kind)
    if not size or is_plain_pointer(kind):
        return
    if not pointer_paths(kind):
        is_in_one_slot = size <= min(alignment, _SLOT_BYTES)
        ids.ask("show" if is_in_one_slot else "show_range", place, ids.hooks.int64(size))
    elif isinstance(kind, (StructType, ArrayType)):
        for index, element in enumerate(_elements(kind)):
            show(ids, element, part_place(ids, place, kind, (index,)), 1)


def show_old(ids: FunctionIds, operation: AtomicRMW | CmpXchg) -> None:
    """In front of an atomic operation, which gives back what memory held."""
    target, kind = operation.operands[0], operation.operands[-1].type
    if is_plain_pointer(target.type) and not has_words(kind):
        show(ids, kind, target, 1)


def _elements(kind: StructType | ArrayType) -> Sequence[Type]:
    return kind.elements if isinstance(kind, StructType) else [kind.element] * kind.count
