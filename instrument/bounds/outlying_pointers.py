"""Pointers that go where nobody follows them: they are noted when they are outside of their object.

    %q = gep i8, ptr %src, i64 %n      %lo, %length = extent of %src's object
    store ptr %q, ptr %place           __irsan_pointer_kept(%q, %lo, %length, %src)
                                       store ptr %q, ptr %place

A pointer that went through memory begins anew where it points. One that was outside of its object
there would be held to the object of others (runtime/kernels/heap/outside_pointers.py).

    kept = kept_pointer(instruction, provenance)     (pointer, what its object is asked of), or None

Looked at are stores and returns, of pointers that may be far from where they come from: moved by a
variable offset or a long one, or by the difference of pointers into two objects, which provenance
does not follow. One that goes on in short steps passes the redzones of its object. Local variables
of pointer type keep the object beside the pointer, so that stores into those say nothing new. Not
looked at: arguments of calls, vectors of pointers, exchanges.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.instrument.analysis.objects.underlying_object import Provenance
from irsan.ir.control import Ret
from irsan.ir.instruction import Instruction
from irsan.ir.memory import GetElementPtr, Store
from irsan.ir.types import PointerType, VectorType
from irsan.ir.values import Value


class Kept(NamedTuple):
    """`pointer` is kept; its object is that of `source`."""

    pointer: Value
    source: Value


def kept_pointer(instruction: Instruction, provenance: Provenance) -> Kept | None:
    """The pointer that an instruction stores or returns, if it may be far from its object."""
    pointer = _leaving(instruction, provenance)
    if pointer is None or not isinstance(pointer.type, PointerType) or pointer.type.address_space:
        return None
    base = provenance.strip(pointer).base
    if isinstance(base, GetElementPtr) and not isinstance(base.operands[0].type, VectorType):
        return Kept(pointer, base.operands[0])  # moved from one object to another
    return Kept(pointer, pointer) if provenance.jumps(pointer) else None


def _leaving(instruction: Instruction, provenance: Provenance) -> Value | None:
    if isinstance(instruction, Ret):
        return instruction.value
    if not isinstance(instruction, Store) or instruction.operands[1] in provenance.slots:
        return None
    return instruction.operands[0]
