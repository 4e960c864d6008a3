"""Where the C rules of x86-64 put the arguments of a call, and so where a va_list finds them.

    bytes 0..48 of a register area      rdi, rsi, rdx, rcx, r8, r9       integers, pointers
    bytes 48..176                       xmm0 ... xmm7, 16 bytes each     floating point, vectors
    bytes of the stack, from 0          what is left, and copied structures

    for place in argument_places(types, attributes, sizes): ...

ends at the first argument whose place is not known for sure: odd vectors, half of an i128 in a
register, attributes of other conventions.

Source: System V Application Binary Interface, AMD64 supplement, sections 3.2.3 and 3.5.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from irsan.instrument.type_sizes import TypeSizes
from irsan.ir.attributes import AttributeList, AttributeSet, find_attribute
from irsan.ir.calls import Call
from irsan.ir.types import IntegerType, PointerType, Type, TypeID, VectorType
from irsan.ir.values import Function

WORD_BYTES: Final = 8
N_INTEGERS: Final = 6
INTEGER_BYTES: Final = N_INTEGERS * WORD_BYTES
_VECTOR_BYTES, _N_VECTORS = 16, 8
REGISTER_BYTES: Final = INTEGER_BYTES + _N_VECTORS * _VECTOR_BYTES
_ELSEWHERE = ("inalloca", "inreg", "nest", "preallocated", "swiftself", "swiftasync", "swifterror")
_IN_VECTORS = frozenset((TypeID.HALF, TypeID.BFLOAT, TypeID.FLOAT, TypeID.DOUBLE, TypeID.FP128))


class ArgumentPlace(NamedTuple):
    """Argument `number`; its byte on the stack, or in a register area.

    copied_bytes: of the structure behind a pointer, when that is copied to the stack, else 0.
    stack_bytes: of all arguments up to this one.
    """

    number: int
    is_on_stack: bool
    offset: int
    copied_bytes: int
    stack_bytes: int


def argument_places(
    kinds: Sequence[Type], attributes: AttributeList, sizes: TypeSizes
) -> Iterator[ArgumentPlace]:
    """Where arguments of these types are passed, up to the first of which that is not known."""
    free = _FreePlaces(sizes)
    for index, kind in enumerate(kinds):
        own = attributes.parameter(index)
        place = free.take(kind, own)
        if place is None:
            return
        yield ArgumentPlace(index, *place, _copied_bytes(own, sizes) or 0, free.stack)


def first_va_start(function: Function) -> Call | None:
    """The first call of `llvm.va_start`; None in a function that reads no variable arguments."""
    for block in function.blocks:
        for one in block.instructions:
            callee = one.operands[0] if isinstance(one, Call) else None
            if isinstance(callee, Function) and callee.name.startswith("llvm.va_start"):
                return one  # type: ignore[return-value]
    return None


def _copied_bytes(attributes: AttributeSet, sizes: TypeSizes) -> int | None:
    copied = find_attribute(attributes, "byval")
    kind = None if copied is None else copied.value
    return sizes.alloc_size(kind) if isinstance(kind, Type) else None


class _FreePlaces:
    """The next free register of both kinds, and the next free byte of the stack."""

    __slots__ = ("_n_integers", "_n_vectors", "_sizes", "stack")

    def __init__(self, sizes: TypeSizes) -> None:
        self._sizes = sizes
        self._n_integers = self._n_vectors = self.stack = 0

    def take(self, kind: Type, attributes: AttributeSet) -> tuple[bool, int] | None:
        """(whether on the stack, byte there or among the registers); None: not known."""
        if any(find_attribute(attributes, one) for one in _ELSEWHERE):
            return None
        if find_attribute(attributes, "byval") is not None:
            return self._copied(attributes)
        if isinstance(kind, PointerType):
            return self._integer(1)
        if isinstance(kind, IntegerType):
            return self._wide(kind.width) if kind.width > 64 else self._integer(1)
        if kind.type_id is TypeID.X86_FP80:
            return True, self._on_stack(_VECTOR_BYTES, _VECTOR_BYTES)
        is_vector = isinstance(kind, VectorType) and not kind.scalable and kind.count > 1
        if kind.type_id in _IN_VECTORS or (is_vector and self._sizes.store_size(kind) in (8, 16)):
            return self._vector(kind)
        return None

    def _wide(self, width: int) -> tuple[bool, int] | None:
        return self._integer(2) if width == 128 and self._n_integers < N_INTEGERS - 1 else None

    def _integer(self, n_words: int) -> tuple[bool, int]:
        if self._n_integers + n_words > N_INTEGERS:
            return True, self._on_stack(WORD_BYTES, WORD_BYTES)
        self._n_integers += n_words
        return False, WORD_BYTES * (self._n_integers - n_words)

    def _vector(self, kind: Type) -> tuple[bool, int]:
        if self._n_vectors == _N_VECTORS:
            size = _VECTOR_BYTES if self._sizes.store_size(kind) > WORD_BYTES else WORD_BYTES
            return True, self._on_stack(size, size)
        self._n_vectors += 1
        return False, INTEGER_BYTES + _VECTOR_BYTES * (self._n_vectors - 1)

    def _copied(self, attributes: AttributeSet) -> tuple[bool, int] | None:
        size = _copied_bytes(attributes, self._sizes)
        if size is None:
            return None
        told = find_attribute(attributes, "align")
        align = told.value if told is not None and isinstance(told.value, int) else WORD_BYTES
        return True, self._on_stack(size, align)

    def _on_stack(self, size: int, align: int) -> int:
        start = _round_up(self.stack, max(align, WORD_BYTES))
        self.stack = start + _round_up(size, WORD_BYTES)
        return start


def _round_up(n_bytes: int, to: int) -> int:
    return -(-n_bytes // to) * to
