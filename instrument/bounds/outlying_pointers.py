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
    pointer = leaving_pointer(instruction)
    if pointer is None:
        return None
    if isinstance(instruction, Store) and instruction.operands[1] in provenance.slots:
        return None
    base = provenance.strip(pointer).base
    if isinstance(base, GetElementPtr) and not isinstance(base.operands[0].type, VectorType):
        return Kept(pointer, base.operands[0])  # moved from one object to another
    return Kept(pointer, pointer) if provenance.jumps(pointer) else None


def leaving_pointer(instruction: Instruction) -> Value | None:
    """The pointer that an instruction stores or returns, or None."""
    if not (isinstance(instruction, (Store, Ret)) and instruction.operands):
        return None
    first = instruction.operands[0]
    is_pointer = isinstance(first.type, PointerType) and not first.type.address_space
    return first if is_pointer else None
