"""Where the C rules of x86-64 put variadic arguments.

    bytes 0..48 of the area     rdi, rsi, rdx, rcx, r8, r9           integers, pointers
    bytes 48..176               xmm0 ... xmm7, 16 bytes each         floating point, vectors
    bytes 176...                the stack behind the named arguments

Those of the register area of a va_list are the same.  A call with an argument whose place is not
known for sure has no layout: odd vectors, half of an i128 in a register, other conventions.

Source: System V Application Binary Interface, AMD64 supplement, sections 3.2.3 and 3.5.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.instrument.uninitialised.shadow_types import ShadowTypes
from irsan.ir.attributes import AttributeSet, find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.types import IntegerType, PointerType, Type, TypeID, VectorType
from irsan.ir.values import Value

_WORD = 8
_VECTOR_WORD = 16
_N_INTEGERS, _N_VECTORS = 6, 8
STACK_AT: Final = _WORD * _N_INTEGERS + _VECTOR_WORD * _N_VECTORS
_ELSEWHERE = ("inalloca", "inreg", "nest", "preallocated", "swiftself", "swiftasync", "swifterror")
_IN_VECTORS = frozenset((TypeID.HALF, TypeID.BFLOAT, TypeID.FLOAT, TypeID.DOUBLE, TypeID.FP128))


@dataclass(frozen=True, slots=True)
class VariadicArgument:
    """An argument behind the dots; its shadow begins at byte `offset` of the area.

    size_bytes: of the structure that `value` points to, when that is copied to the stack, else 0.
    """

    value: Value
    offset: int
    size_bytes: int


class _Places:
    """The next free register of both kinds, and the next free byte of the stack."""

    __slots__ = ("_types", "n_integers", "n_vectors", "stack")

    def __init__(self, types: ShadowTypes) -> None:
        self._types = types
        self.n_integers = self.n_vectors = self.stack = 0

    def next(self, kind: Type, attributes: AttributeSet) -> tuple[bool, int] | None:
        """(whether on the stack, byte there or among the registers); None: not known."""
        if any(find_attribute(attributes, one) for one in _ELSEWHERE):
            return None
        copied = find_attribute(attributes, "byval")
        if copied is not None:
            return self._copied(copied.value, attributes)
        if isinstance(kind, PointerType):
            return self._integer(1)
        if isinstance(kind, IntegerType):
            if kind.width > 64:
                return self._integer(2) if kind.width == 128 and self.n_integers < 5 else None
            return self._integer(1)
        if kind.type_id is TypeID.X86_FP80:
            return True, self._on_stack(_VECTOR_WORD, _VECTOR_WORD)
        is_vector = isinstance(kind, VectorType) and not kind.scalable and kind.count > 1
        if kind.type_id in _IN_VECTORS or (is_vector and self._types.size_bytes(kind) in (8, 16)):
            return self._vector(kind)
        return None

    def _integer(self, n_words: int) -> tuple[bool, int]:
        if self.n_integers + n_words > _N_INTEGERS:
            return True, self._on_stack(_WORD, _WORD)
        self.n_integers += n_words
        return False, _WORD * (self.n_integers - n_words)

    def _vector(self, kind: Type) -> tuple[bool, int]:
        if self.n_vectors == _N_VECTORS:
            size = _VECTOR_WORD if self._types.size_bytes(kind) > _WORD else _WORD
            return True, self._on_stack(size, size)
        self.n_vectors += 1
        return False, _WORD * _N_INTEGERS + _VECTOR_WORD * (self.n_vectors - 1)

    def _copied(self, kind: object, attributes: AttributeSet) -> tuple[bool, int] | None:
        size = self._types.alloc_bytes(kind) if isinstance(kind, Type) else None
        if size is None:
            return None
        told = find_attribute(attributes, "align")
        align = told.value if told is not None and isinstance(told.value, int) else _WORD
        return True, self._on_stack(size, align)

    def _on_stack(self, size: int, align: int) -> int:
        start = -(-self.stack // max(align, _WORD)) * max(align, _WORD)
        self.stack = start + -(-size // _WORD) * _WORD
        return start


def variadic_arguments(
    call: Call | CallTerminator, types: ShadowTypes
) -> tuple[list[VariadicArgument], int] | None:
    """The arguments behind the dots and their bytes on the stack; None: not known, or no dots."""
    is_plain = call.function_type.is_vararg and not call.calling_convention
    if not is_plain or getattr(call, "tail", "") == "musttail":
        return None
    places, found = _Places(types), []
    n_named, named = len(call.function_type.parameters), 0
    for index, argument in enumerate(call.arguments):
        attributes = call.attributes.parameter(index)
        if index == n_named:
            named = places.stack
        place = places.next(argument.type, attributes)
        if place is None:
            return None
        if index < n_named:
            continue
        offset = place[1] + (STACK_AT - named if place[0] else 0)
        found.append(VariadicArgument(argument, offset, _copied_bytes(types, attributes)))
    if len(call.arguments) <= n_named:
        named = places.stack
    return found, places.stack - named


def _copied_bytes(types: ShadowTypes, attributes: AttributeSet) -> int:
    copied = find_attribute(attributes, "byval")
    kind = None if copied is None else copied.value
    return (types.alloc_bytes(kind) or 0) if isinstance(kind, Type) else 0
