"""Sizes, alignments and offsets of types, from a module's data layout string.

    layout = DataLayout.of(module.data_layout)
    layout.size_bits(t)       exact width                          i20 -> 20
    layout.store_size(t)      bytes a store writes                 i20 -> 3
    layout.alloc_size(t)      bytes from one array element to the next   i20 -> 4
    layout.abi_alignment(t)   bytes
    layout.struct_layout(s)   StructLayout(offsets, size_bytes, alignment)
    layout.gep_offset(t, [0, 2])         bytes, all indices constant
    layout.gep_terms(gep)                (constant bytes, [(index value, bytes per step), ...])

Source: the LLVM Language Reference, "Data Layout". Deviations: sizes of scalable vectors (unknown
before the program runs) and of target extension types raise UnsupportedError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from irsan.errors import UnsupportedError, UsageError
from irsan.ir.constants import ConstantInt
from irsan.ir.types import (
    ArrayType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    Type,
    TypeID,
    VectorType,
)
from irsan.ir.values import Value

_AMX_BITS = 8192


@dataclass(frozen=True, slots=True)
class StructLayout:
    """Byte offsets of the elements, size with tail padding, alignment."""

    offsets: tuple[int, ...]
    size_bytes: int
    alignment: int


@dataclass(frozen=True, slots=True)
class PointerSpec:
    """A pointer's width in memory, ABI alignment in bytes, and width of its offsets."""

    size_bits: int
    alignment: int
    index_bits: int


@dataclass(slots=True)
class _Specs:
    """The parsed string: alignments in bytes by width in bits."""

    integers: dict[int, int] = field(default_factory=lambda: {1: 1, 8: 1, 16: 2, 32: 4, 64: 4})
    floats: dict[int, int] = field(default_factory=lambda: {16: 2, 32: 4, 64: 8, 128: 16})
    vectors: dict[int, int] = field(default_factory=lambda: {64: 8, 128: 16})
    pointers: dict[int, PointerSpec] = field(default_factory=lambda: {0: PointerSpec(64, 8, 64)})
    aggregate: int = 1
    big_endian: bool = False
    alloca_space: int = 0
    globals_space: int = 0


class DataLayout:
    """The answers for one data layout string."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._specs = _parse(text)
        self._structs: dict[StructType, StructLayout] = {}
        self._alloc_sizes: dict[Type, int] = {}

    @classmethod
    def of(cls, text: str) -> DataLayout:
        """The layout of `text` ("" is LLVM's default); UsageError when it is malformed."""
        return cls(text)

    @property
    def is_big_endian(self) -> bool:
        return self._specs.big_endian

    @property
    def alloca_address_space(self) -> int:
        return self._specs.alloca_space

    def pointer(self, address_space: int = 0) -> PointerSpec:
        """The pointers of an address space."""
        return self._specs.pointers.get(address_space, self._specs.pointers[0])

    def size_bits(self, of_type: Type) -> int:
        """The width of a value; UnsupportedError when it has none that is known here."""
        if isinstance(of_type, IntegerType):
            return of_type.width
        if isinstance(of_type, PointerType):
            return self.pointer(of_type.address_space).size_bits
        if isinstance(of_type, PrimitiveType) and of_type.is_float:
            return of_type.float_bits
        if isinstance(of_type, ArrayType):
            return of_type.count * self.alloc_size(of_type.element) * 8
        if isinstance(of_type, StructType):
            return self.struct_layout(of_type).size_bytes * 8
        if isinstance(of_type, VectorType) and not of_type.scalable:
            return of_type.count * self.size_bits(of_type.element)
        if of_type.type_id is TypeID.X86_AMX:
            return _AMX_BITS
        raise UnsupportedError(f"the size of {of_type.text} is not known before the program runs")

    def store_size(self, of_type: Type) -> int:
        """Bytes that a load or store touches."""
        return (self.size_bits(of_type) + 7) // 8

    def alloc_size(self, of_type: Type) -> int:
        """Bytes that an array element or a variable takes, padding included."""
        found = self._alloc_sizes.get(of_type)
        if found is None:
            found = _round_up(self.store_size(of_type), self.abi_alignment(of_type))
            self._alloc_sizes[of_type] = found
        return found

    def abi_alignment(self, of_type: Type) -> int:
        """The alignment in bytes that the ABI asks for."""
        if isinstance(of_type, IntegerType):
            return self._integer_alignment(of_type.width)
        if isinstance(of_type, PointerType):
            return self.pointer(of_type.address_space).alignment
        if isinstance(of_type, ArrayType):
            return self.abi_alignment(of_type.element)
        if isinstance(of_type, StructType):
            return self.struct_layout(of_type).alignment
        if isinstance(of_type, VectorType):
            return self._vector_alignment(of_type)
        if isinstance(of_type, PrimitiveType) and of_type.is_float:
            bits = of_type.float_bits
            return self._specs.floats.get(bits) or _power_of_two(self.store_size(of_type))
        if of_type.type_id is TypeID.X86_AMX:
            return 64
        raise UnsupportedError(f"the alignment of {of_type.text} is not known")

    def _integer_alignment(self, width: int) -> int:
        """That of the width itself, else of the next wider one given, else of the widest."""
        given = self._specs.integers
        wider = [bits for bits in given if bits >= width]
        return given[min(wider) if wider else max(given)]

    def _vector_alignment(self, vector: VectorType) -> int:
        bits = vector.count * self.size_bits(vector.element)
        found = self._specs.vectors.get(bits)
        return found or _power_of_two(self.store_size(vector))

    def struct_layout(self, struct: StructType) -> StructLayout:
        """Where the elements are; UnsupportedError for an opaque struct."""
        found = self._structs.get(struct)
        if found is not None:
            return found
        if struct.is_opaque:
            raise UnsupportedError(f"{struct.text} is opaque, so it has no size")
        offsets, end, alignment = [], 0, 1
        for element in struct.elements:
            step = 1 if struct.is_packed else self.abi_alignment(element)
            end = _round_up(end, step)
            alignment = max(alignment, step)
            offsets.append(end)
            end += self.alloc_size(element)
        if not struct.is_packed:
            alignment = max(alignment, self._specs.aggregate)
        made = StructLayout(tuple(offsets), _round_up(end, alignment), alignment)
        self._structs[struct] = made
        return made

    def gep_offset(self, source_type: Type, indices: Sequence[int]) -> int:
        """Bytes from the pointer to the member at constant `indices`."""
        total, current = 0, source_type
        for place, index in enumerate(indices):
            if place == 0:
                total += index * self.alloc_size(current)
                continue
            step, current = self._step(current, index)
            total += step
        return total

    def _step(self, inside: Type, index: int) -> tuple[int, Type]:
        """(bytes, member type) of one constant index into an aggregate."""
        if isinstance(inside, StructType):
            return self.struct_layout(inside).offsets[index], inside.elements[index]
        if isinstance(inside, (ArrayType, VectorType)):
            return index * self.element_stride(inside), inside.element
        raise UsageError(f"{inside.text} has no members")

    def element_stride(self, sequence: ArrayType | VectorType) -> int:
        """Bytes from one element of an array or vector to the next in memory."""
        packed = isinstance(sequence, VectorType)
        return self.store_size(sequence.element) if packed else self.alloc_size(sequence.element)

    def gep_terms(
        self, source_type: Type, indices: Sequence[Value]
    ) -> tuple[int, list[tuple[Value, int]]]:
        """(constant bytes, [(index, bytes per step)]) of a getelementptr's indices.

        The address is pointer + constant + sum of sign-extended index times step.
        """
        constant, terms = 0, list[tuple[Value, int]]()
        current = source_type
        for place, index in enumerate(indices):
            if isinstance(current, StructType) and place:
                assert isinstance(index, ConstantInt)
                step, current = self._step(current, index.value)
                constant += step
                continue
            stride = self.alloc_size(current)
            if place:
                stride, current = self._step(current, 1)
            if isinstance(index, ConstantInt):
                constant += index.value * stride
            else:
                terms.append((index, stride))
        return constant, terms


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _power_of_two(value: int) -> int:
    """The smallest power of two that is not below `value`."""
    return 1 << max(value - 1, 0).bit_length()


def _parse(text: str) -> _Specs:
    specs = _Specs()
    for part in text.split("-"):
        if not part:
            continue
        try:
            _parse_part(specs, part)
        except (ValueError, IndexError):
            raise UsageError(f"data layout {text!r}: {part!r} makes no sense") from None
    return specs


def _parse_part(specs: _Specs, part: str) -> None:
    letter, numbers = part[0], part[1:].split(":")
    if letter in "eE":
        specs.big_endian = letter == "E"
    elif letter == "p":
        _parse_pointer(specs, part)
    elif letter == "a":
        specs.aggregate = max(int(numbers[1]) // 8, 1)
    elif letter in "ifv":
        table = {"i": specs.integers, "f": specs.floats, "v": specs.vectors}[letter]
        table[int(numbers[0])] = max(int(numbers[1]) // 8, 1)
    elif letter == "A":
        specs.alloca_space = int(numbers[0])
    elif letter == "G":
        specs.globals_space = int(numbers[0])
    elif letter not in "mnSPF":
        raise ValueError(letter)


def _parse_pointer(specs: _Specs, part: str) -> None:
    """p[flags][space]:size:abi[:preferred[:index]]."""
    head, *numbers = part.split(":")
    digits = "".join([letter for letter in head if letter.isdigit()])
    size, abi = int(numbers[0]), int(numbers[1])
    index = int(numbers[3]) if len(numbers) > 3 else size
    specs.pointers[int(digits or 0)] = PointerSpec(size, abi // 8, index)
