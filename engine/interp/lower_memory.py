"""Memory: loads, stores, addresses, stack variables, members of aggregates.

A register holds a value as memory would, so members of an aggregate are loads and stores in the
frame.  Atomic loads and stores of a word are plain ones: one operating system thread runs all guest
threads, and x86-64 stores words whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from irsan.engine.interp.code import Place, Register
from irsan.engine.interp.function_lowering import FunctionLowering, Lower, by_helper
from irsan.engine.interp.registers import is_one_slot, word_bits
from irsan.engine.interp.stub_requests import ask_stub
from irsan.ir.constants import ConstantInt, Poison, Undef
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr, Load, Store, gep_vector_shape
from irsan.ir.operations import ExtractValue, InsertValue
from irsan.ir.types import PointerType, StructType, Type
from irsan.ir.values import Value

_WORD_SIZES: Final = (1, 2, 4, 8)
_SHORT: Final = range(-(1 << 15), 1 << 15)
_MAX_BYTES: Final = (1 << 16) - 1
_FIRST_SPECIAL: Final = 256  # address spaces from here on: segments, pointers of 32 bits


@dataclass(frozen=True, slots=True)
class Folded:
    """base + constant, or base + index * step + constant."""

    base: Value
    constant: int
    index: Value | None = None
    step: int = 0


def access_bits(lowering: FunctionLowering, kind: Type) -> int:
    """Bits of a load or store that is one operation, else 0."""
    size = lowering.layout.store_size(kind)
    return 8 * size if is_one_slot(kind) and size in _WORD_SIZES else 0


def find_folded(lowering: FunctionLowering) -> None:
    """Addresses that only the access behind them uses: it computes its address itself."""
    for block in lowering.function.blocks:
        for gep, access in pairwise(block.instructions):
            if not isinstance(gep, GetElementPtr) or not isinstance(access, (Load, Store)):
                continue
            pointer, kind = pointer_and_kind(access)
            is_address = pointer is gep and list(access.operands).count(gep) == 1
            is_last = lowering.registers.last_uses.get(gep) is access
            folded = fold(lowering, gep)
            if not is_flat(pointer) or not access_bits(lowering, kind):
                continue
            if is_address and is_last and folded is not None:
                lowering.fused.add(gep)
                lowering.runs[access] = partial(_lower_folded, lowering, gep, access, folded)


def is_flat(pointer: Value) -> bool:
    """Whether a pointer's number is the address, as it is not in the processor's own spaces."""
    return isinstance(pointer.type, PointerType) and pointer.type.address_space < _FIRST_SPECIAL


def pointer_and_kind(access: Load | Store) -> tuple[Value, Type]:
    """Where an access is, and the type of what it moves."""
    if isinstance(access, Load):
        return access.operands[0], access.type
    return access.operands[1], access.operands[0].type


def fold(lowering: FunctionLowering, gep: GetElementPtr) -> Folded | None:
    """A short offset, or one index of 64 bits."""
    base, *indices = gep.operands
    if gep_vector_shape(gep.operands) is not None:
        return None
    constant, terms = lowering.layout.gep_terms(gep.source_type, indices)
    if not terms:
        return Folded(base, constant) if constant in _SHORT else None
    index, step = terms[0]
    is_indexed = len(terms) == 1 and word_bits(index.type) == 64
    return Folded(base, constant, index, step) if is_indexed else None


def _lower_folded(
    lowering: FunctionLowering, gep: GetElementPtr, access: Load | Store, folded: Folded
) -> None:
    """The access, at an address that it computes."""
    bits = access_bits(lowering, pointer_and_kind(access)[1])
    name, moved = ("ld", access) if isinstance(access, Load) else ("st", access.operands[0])
    value, base = lowering.of(moved), lowering.of(folded.base)
    if folded.index is None:
        lowering.emit(f"{name}{bits}", value, base, folded.constant)
    else:
        words = (folded.step, folded.constant)
        lowering.emit(f"{name}x{bits}", value, base, lowering.of(folded.index), words=words)
    lowering.registers.end(gep)
    if isinstance(access, Load):
        cut(lowering, access, bits)


def lower_load(lowering: FunctionLowering, op: Load) -> None:
    target, pointer = lowering.of(op), op.operands[0]
    bits = access_bits(lowering, op.type)
    size = lowering.layout.store_size(op.type)
    if not is_flat(pointer):
        return by_helper(lowering, op)
    if bits:
        lowering.emit(f"ld{bits}", target, lowering.of(pointer), 0)
    elif size > _MAX_BYTES:
        return by_helper(lowering, op)
    else:
        if is_one_slot(op.type):
            lowering.copy(target, lowering.registers.number(0))
        lowering.emit("ldn", target, lowering.of(pointer), size)
    return cut(lowering, op, bits)


def cut(lowering: FunctionLowering, op: Instruction, bits: int) -> None:
    """Make a number of `bits` from memory the narrower integer that it is."""
    width = word_bits(op.type)
    if width not in (0, bits):
        lowering.emit("trunc", lowering.of(op), lowering.of(op), width)


def lower_store(lowering: FunctionLowering, op: Store) -> None:
    value, pointer = op.operands
    bits = access_bits(lowering, value.type)
    size = lowering.layout.store_size(value.type)
    if bits and is_flat(pointer):
        lowering.emit(f"st{bits}", lowering.of(value), lowering.of(pointer), 0)
    elif size > _MAX_BYTES or not is_flat(pointer):
        by_helper(lowering, op)
    else:
        lowering.emit("stn", lowering.of(value), lowering.of(pointer), size)


def lower_gep(lowering: FunctionLowering, op: GetElementPtr) -> None:
    """Base + constant + sum of index times step."""
    base, *indices = op.operands
    if gep_vector_shape(op.operands) is not None:
        return by_helper(lowering, op)
    constant, terms = lowering.layout.gep_terms(op.source_type, indices)
    if any(not word_bits(index.type) for index, _ in terms):
        return by_helper(lowering, op)
    source, target = lowering.of(base), lowering.of(op)
    if not terms:
        _add_constant(lowering, target, source, constant)
    for index, step in terms:
        name, register = _index(lowering, op, index)
        lowering.emit(name, target, source, register, words=(step, constant))
        source, constant = target, 0
    return None


def _add_constant(
    lowering: FunctionLowering, target: Register, source: Register, constant: int
) -> None:
    if constant == 0:
        lowering.copy(target, source)
    elif constant in _SHORT:
        lowering.emit("add64k", target, source, constant)
    else:
        number = lowering.registers.number(constant & ((1 << 64) - 1))
        lowering.emit("add64", target, source, number)


def _index(lowering: FunctionLowering, op: GetElementPtr, index: Value) -> tuple[str, Register]:
    bits = word_bits(index.type)
    if bits in (32, 64):
        return f"gep{bits}", lowering.of(index)
    wide = lowering.scratch(op)
    lowering.emit("sext", wide, lowering.of(index), bits)
    return "gep64", wide


def lower_alloca(lowering: FunctionLowering, op: Alloca) -> None:
    """In the entry block and of fixed size: the stub's own; else asked for when it is reached."""
    if op.inalloca or op.swifterror:
        raise lowering.refuse(op, "`inalloca` and `swifterror` variables")
    is_fixed = isinstance(op.operands[0], ConstantInt)
    if is_fixed and lowering.block is lowering.function.entry:
        lowering.allocas.append((op, lowering.of(op)))
    else:
        ask_stub(lowering, op)


def _member_place(
    lowering: FunctionLowering, aggregate: Type, indices: tuple[int, ...], register: Register
) -> Place:
    offset, inside = 0, aggregate
    for index in indices:
        if isinstance(inside, StructType):
            offset += lowering.layout.struct_layout(inside).offsets[index]
            inside = inside.elements[index]
        else:
            offset += index * lowering.layout.alloc_size(inside.element)  # type: ignore[attr-defined]
            inside = inside.element  # type: ignore[attr-defined]
    return Place(register, offset)


def lower_extract(lowering: FunctionLowering, op: ExtractValue) -> None:
    aggregate = op.operands[0]
    bits = access_bits(lowering, op.type)
    if is_one_slot(op.type) and not bits:
        return by_helper(lowering, op)
    target = lowering.of(op)
    place = _member_place(lowering, aggregate.type, op.indices, lowering.of(aggregate))
    if not bits:
        size = lowering.layout.alloc_size(op.type)
        return lowering.emit("fcopy", target, place, words=(size,))
    lowering.emit(f"fld{bits}", target, place)
    return cut(lowering, op, bits)


def lower_insert(lowering: FunctionLowering, op: InsertValue) -> None:
    aggregate, element = op.operands
    bits = access_bits(lowering, element.type)
    if is_one_slot(element.type) and not bits:
        return by_helper(lowering, op)
    target = lowering.of(op)
    if not isinstance(aggregate, (Undef, Poison)):
        n_slots = lowering.registers.n_slots(op.type)
        lowering.copy(target, lowering.of(aggregate), n_slots)
    place = _member_place(lowering, op.type, op.indices, target)
    if bits:
        return lowering.emit(f"fst{bits}", lowering.of(element), place)
    size = lowering.layout.alloc_size(element.type)
    return lowering.emit("fput", lowering.of(element), place, words=(size,))


LOWERINGS: Final[dict[str, Lower]] = {
    "load": lower_load,
    "store": lower_store,
    "getelementptr": lower_gep,
    "alloca": lower_alloca,
    "extractvalue": lower_extract,
    "insertvalue": lower_insert,
}
