"""Where the code of calls puts arguments on x86-64, and so where a va_list finds them.

    bytes 0..48 of a register area      rdi, rsi, rdx, rcx, r8, r9       integers, pointers
    bytes 48..176                       xmm0 ... xmm7, 16 bytes each     floating point, vectors
    bytes of the stack, from 0          the rest, and copied structures

    for place in argument_places(types, attributes, sizes, widths): ...

A wide argument comes in parts.  Integers wider than 64 bits are words, each at the next place; one
of 128 bits is not split, and leaves a last register to what follows.  Vectors become as many
registers' worth as they fill (`possible_vector_bytes`): those of 32 and 64 bytes are on the stack
in every call with dots.  One whose number of lanes is no power of two is filled up when that makes
a register (few halves do, too), else each lane is an argument of its own.

The places end at the first argument whose own is not known for sure: vectors of lanes that are not
8 to 64 bits, structures in registers, attributes of other conventions (`inreg`, `nest`, Swift's).

Sources: System V Application Binary Interface, AMD64 supplement, sections 3.2.3 and 3.5.7.  What
that leaves open was found by compiling; tests/instrument/test_places_in_calls.py compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.attributes import AttributeList, AttributeSet, find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.types import IntegerType, PointerType, Type, TypeID, VectorType
from irsan.ir.values import Function

WORD_BYTES: Final = 8
N_INTEGERS: Final = 6
INTEGER_BYTES: Final = N_INTEGERS * WORD_BYTES
_VECTOR_BYTES, _N_VECTORS = 16, 8
REGISTER_BYTES: Final = INTEGER_BYTES + _N_VECTORS * _VECTOR_BYTES
_ELSEWHERE = (
    "alignstack", "inalloca", "inreg", "nest", "preallocated", "swiftself", "swiftasync",
    "swifterror",
)  # fmt: skip
_SCALAR_FLOATS = frozenset((TypeID.HALF, TypeID.BFLOAT, TypeID.FLOAT, TypeID.DOUBLE))
_LANE_BYTES = (1, 2, 4, 8)
_LIKE_C = frozenset((0, 14, 15, 16, 78))  # C, preserve_most, preserve_all, Swift, System V


class ArgumentPart(NamedTuple):
    """Bytes of an argument from `first` on: where on the stack, or in a register area, they are."""

    is_on_stack: bool
    offset: int
    first: int
    n_bytes: int


class ArgumentPlace(NamedTuple):
    """Argument `number`, and where its parts are.

    copied_bytes: of the structure behind a pointer, when that is copied to the stack, else 0.
    stack_bytes: of all arguments up to this one.
    """

    number: int
    parts: tuple[ArgumentPart, ...]
    copied_bytes: int
    stack_bytes: int


def argument_places(
    kinds: Sequence[Type], attributes: AttributeList, sizes: TypeSizes, widths: Sequence[int]
) -> Iterator[ArgumentPlace]:
    """Where arguments of these types are passed, up to the first of which that is not known.

    widths: what vector registers may be like (`possible_vector_bytes`).
    """
    free = _FreePlaces(sizes, widths)
    for index, kind in enumerate(kinds):
        own = attributes.parameter(index)
        parts = free.take(kind, own)
        if parts is None:
            return
        yield ArgumentPlace(index, tuple(parts), _copied_bytes(own, sizes) or 0, free.stack)


def is_like_c(calling_convention: int) -> bool:
    """Whether a convention puts arguments where C's does; of those that take variable ones."""
    return calling_convention in _LIKE_C


def first_va_start(function: Function) -> Call | None:
    """The first call of `llvm.va_start`; None in a function that reads no variable arguments."""
    for block in function.blocks:
        for one in block.instructions:
            callee = one.operands[0] if isinstance(one, Call) else None
            if isinstance(callee, Function) and callee.name.startswith("llvm.va_start"):
                return one  # type: ignore[return-value]
    return None


def is_forward(call: Call | CallTerminator) -> bool:
    """Whether a call with dots is given those of the function that it is in."""
    return call.function_type.is_vararg and getattr(call, "tail", "") == "musttail"


def has_forward(function: Function) -> bool:
    """Whether a function hands its variable arguments on as they are."""
    if not function.function_type.is_vararg:
        return False
    every = [one for block in function.blocks for one in block.instructions]
    return any(isinstance(one, Call) and is_forward(one) for one in every)


def _copied_bytes(attributes: AttributeSet, sizes: TypeSizes) -> int | None:
    copied = find_attribute(attributes, "byval")
    kind = None if copied is None else copied.value
    return sizes.alloc_size(kind) if isinstance(kind, Type) else None


class _FreePlaces:
    """The next free register of both kinds, and the next free byte of the stack."""

    __slots__ = ("_n_integers", "_n_vectors", "_sizes", "_widths", "stack")

    def __init__(self, sizes: TypeSizes, widths: Sequence[int]) -> None:
        self._sizes, self._widths = sizes, widths
        self._n_integers = self._n_vectors = self.stack = 0

    def take(self, kind: Type, attributes: AttributeSet) -> list[ArgumentPart] | None:
        """Parts of the next argument; None: not known."""
        if any(find_attribute(attributes, one) for one in _ELSEWHERE):
            return None
        if find_attribute(attributes, "byval") is not None:
            return self._copied(attributes)
        if isinstance(kind, VectorType):
            return self._lanes(kind)
        if isinstance(kind, IntegerType):
            return self._whole_number(kind.width)
        return self._scalar(kind, 0)

    def _scalar(self, kind: Type, first: int) -> list[ArgumentPart] | None:
        n_bytes = self._sizes.store_size(kind)
        if isinstance(kind, (PointerType, IntegerType)):
            return [self._integer(first, n_bytes)]
        if kind.type_id is TypeID.X86_FP80:
            return [self._on_stack(first, n_bytes, _VECTOR_BYTES, _VECTOR_BYTES)]
        if kind.type_id in _SCALAR_FLOATS and self._widths:
            return [self._vector(first, n_bytes, WORD_BYTES)]
        if kind.type_id is TypeID.FP128 and self._widths:
            return [self._vector(first, n_bytes, _VECTOR_BYTES)]
        return None

    def _whole_number(self, width: int) -> list[ArgumentPart]:
        n_words = -(-width // 64)
        n_left = N_INTEGERS - self._n_integers
        if width == 128 and n_left < n_words:
            return [self._on_stack(0, 2 * WORD_BYTES, 2 * WORD_BYTES)]
        parts = [self._integer(WORD_BYTES * one, WORD_BYTES) for one in range(n_words)]
        return [parts[0]._replace(n_bytes=2 * WORD_BYTES)] if width == 128 else parts

    def _lanes(self, kind: VectorType) -> list[ArgumentPart] | None:
        lane = self._sizes.store_size(kind.element)
        is_whole = not isinstance(kind.element, IntegerType) or kind.element.width == 8 * lane
        if kind.scalable or lane not in _LANE_BYTES or not is_whole:
            return None
        is_half = kind.element.type_id in (TypeID.HALF, TypeID.BFLOAT)
        ways = {_piece_bytes(kind.count, lane, width, is_half) for width in self._widths}
        if len(ways) != 1:
            return None
        (size,) = ways
        if not size:
            scalars = [self._scalar(kind.element, lane * one) for one in range(kind.count)]
            return [part for one in scalars for part in one or ()]
        n_bytes = lane * kind.count
        return [
            self._vector(first, min(size, n_bytes - first), size)
            for first in range(0, n_bytes, size)
        ]

    def _integer(self, first: int, n_bytes: int) -> ArgumentPart:
        if self._n_integers == N_INTEGERS:
            return self._on_stack(first, n_bytes, WORD_BYTES)
        self._n_integers += 1
        return ArgumentPart(False, WORD_BYTES * (self._n_integers - 1), first, n_bytes)

    def _vector(self, first: int, n_bytes: int, size: int) -> ArgumentPart:
        """size: of the register that the bytes are in, or of their place on the stack."""
        if size > _VECTOR_BYTES or self._n_vectors == _N_VECTORS:
            return self._on_stack(first, n_bytes, size, size)
        self._n_vectors += 1
        start = INTEGER_BYTES + _VECTOR_BYTES * (self._n_vectors - 1)
        return ArgumentPart(False, start, first, n_bytes)

    def _copied(self, attributes: AttributeSet) -> list[ArgumentPart] | None:
        size, copied = _copied_bytes(attributes, self._sizes), find_attribute(attributes, "byval")
        if size is None or copied is None or not isinstance(copied.value, Type):
            return None
        told = find_attribute(attributes, "align")
        if told is not None and isinstance(told.value, int):
            return [self._on_stack(0, size, told.value)]
        return [self._on_stack(0, size, self._sizes.abi_alignment(copied.value))]

    def _on_stack(self, first: int, n_bytes: int, align: int, size: int = 0) -> ArgumentPart:
        start = _round_up(self.stack, max(align, WORD_BYTES))
        self.stack = start + _round_up(size or n_bytes, WORD_BYTES)
        return ArgumentPart(True, start, first, n_bytes)


def _piece_bytes(n_lanes: int, lane: int, width: int, is_half: bool) -> int:
    """Bytes of the registers that a vector is passed in; 0: each lane by itself."""
    filled = lane * (1 << (n_lanes - 1).bit_length())
    is_power = n_lanes & (n_lanes - 1) == 0 and n_lanes > 1
    if is_half and filled < _VECTOR_BYTES:
        return _VECTOR_BYTES
    if not (is_power or (_VECTOR_BYTES <= filled <= width and n_lanes > 1)):
        return 0
    return min(max(filled, _VECTOR_BYTES), width)


def _round_up(n_bytes: int, to: int) -> int:
    return -(-n_bytes // to) * to
