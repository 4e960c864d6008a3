"""Code of one function while it is written: operations with registers that have no place yet.

    code = Code()
    code.emit("add64", x, y, z)        registers
    code.emit("jnz", x, label)         labels: code.new_label(), code.place(label)
    code.call(shape, operands)         a helper with its operand list

A register is a `Register`; its slot is known when the function is whole, because constants come
first in the frame and their number is known last.  `encode` then gives the words.

Frame, in slots of 8 bytes:    pool address | constants | values
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from irsan.engine.interp.opcodes import NUMBERS, OPCODES
from irsan.errors import UnsupportedError

MAX_SLOTS: Final = 1 << 16
_LOW32: Final = (1 << 32) - 1
_LOW64: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Register:
    """A place in the frame: slot `index` among the constants or among the values."""

    index: int
    is_constant: bool = False


@dataclass(slots=True, eq=False)
class Label:
    """A place in the code, in words from the function's first."""

    position: int = -1


@dataclass(frozen=True, slots=True)
class Immediate:
    """An operand of a helper that stands in the operand list itself: 32 bits, signed."""

    value: int


@dataclass(frozen=True, slots=True)
class Helper:
    """Native code that an operation calls: its number among the function's helpers."""

    index: int




@dataclass(frozen=True, slots=True)
class Place:
    """`offset` bytes behind the start of a register."""

    register: Register
    offset: int


Operand = Register | Immediate
Field = Register | Label | Helper | Place | int
Word = int | Register | tuple[Label, Label]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its fields as `opcodes` lays them out, and the words behind it."""

    name: str
    fields: tuple[Field, ...]
    operands: tuple[Operand, ...] = ()
    words: tuple[Word, ...] = ()
    jumps: tuple[tuple[int, Label], ...] = ()
    """Of a search: (case, target); the first is the default's."""

    @property
    def n_words(self) -> int:
        return 1 + (len(self.operands) + 1) // 2 + len(self.words) + self._jump_words()

    def _jump_words(self) -> int:
        if not self.jumps:
            return 0
        return len(self.jumps) + 1 if self.name == "table" else 2 * len(self.jumps) - 1


@dataclass(slots=True)
class Code:
    """Operations in order, with their positions."""

    operations: list[Operation] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    n_words: int = 0

    def emit(self, name: str, *fields: Field, words: Sequence[Word] = ()) -> None:
        """Append an operation."""
        self.append(Operation(name, fields, words=tuple(words)))

    def append(self, operation: Operation) -> None:
        self.starts.append(self.n_words)
        self.operations.append(operation)
        self.n_words += operation.n_words

    def place(self, label: Label) -> None:
        """The next operation is where `label` stands."""
        label.position = self.n_words

    def encode(self, frame: Frame) -> list[int]:
        """The words."""
        return _Encoder(frame).encode(self)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where registers are, once all are known: in slots, the pool's address first.

    constant_slots: of each constant register, its slot among the constants.
    n_constants, n_values: slots of both kinds.
    """

    function: str
    constant_slots: Sequence[int]
    n_constants: int
    n_values: int

    @property
    def n_slots(self) -> int:
        return 1 + self.n_constants + self.n_values

    def slot(self, register: Register) -> int:
        """A register's first slot."""
        if register.is_constant:
            return 1 + self.constant_slots[register.index]
        return 1 + self.n_constants + register.index

    def offset_bytes(self, register: Register) -> int:
        return 8 * self.slot(register)

    def check_size(self) -> None:
        """Raises UnsupportedError for a frame that 16-bit fields cannot speak of."""
        if self.n_slots > MAX_SLOTS:
            raise UnsupportedError(
                f"--engine interp: {self.function} needs {self.n_slots} registers, and there are "
                f"{MAX_SLOTS}; use --engine jit"
            )


@dataclass(frozen=True, slots=True)
class _Encoder:
    frame: Frame

    def encode(self, code: Code) -> list[int]:
        words: list[int] = []
        for start, operation in zip(code.starts, code.operations, strict=True):
            words.append(self._head(operation, start))
            words += self._operand_words(operation.operands)
            words += [self._extra(word, start + operation.n_words) for word in operation.words]
            words += _jump_table(operation, start + 1)
        return words

    def _head(self, operation: Operation, start: int) -> int:
        number = NUMBERS[operation.name]
        layout = OPCODES[number].layout
        word, shift = number, 16
        for letter, value in zip(layout.replace("-", ""), operation.fields, strict=True):
            if letter in "Jo" or (letter == "j" and shift != 48):
                shift = 32
            elif letter in "kjn":
                shift = 48
            word |= self._field(letter, value, start) << shift
            shift += 16
        return word & _LOW64

    def _field(self, letter: str, value: Field, start: int) -> int:
        if isinstance(value, Label):
            distance = value.position - (start + 1)
            return distance & (_LOW32 if letter == "J" else 0xFFFF)
        if isinstance(value, Place):
            return self.frame.slot(value.register) * 8 + value.offset
        if isinstance(value, Register):
            return self.frame.slot(value)
        if isinstance(value, Helper):
            return (self.frame.n_constants + value.index) * 8
        return value & (_LOW32 if letter == "o" else 0xFFFF)

    def _operand_words(self, operands: Sequence[Operand]) -> list[int]:
        halves = [
            operand.value if isinstance(operand, Immediate) else self.frame.slot(operand) * 8
            for operand in operands
        ]
        halves += [0] * (len(halves) % 2)
        return [
            (low & _LOW32) | (high & _LOW32) << 32
            for low, high in zip(halves[::2], halves[1::2], strict=True)
        ]

    def _extra(self, word: Word, end: int) -> int:
        if isinstance(word, Register):
            return self.frame.slot(word) * 8
        if isinstance(word, tuple):
            normal, unwind = [label.position - end for label in word]
            return (normal & _LOW32) | (unwind & _LOW32) << 32
        return word & _LOW64


def _jump_table(operation: Operation, start: int) -> list[int]:
    """The words of a switch that begin at `start`; distances are in bytes from there."""
    if not operation.jumps:
        return []
    _, *cases = operation.jumps
    distance = [(label.position - start) * 8 & _LOW64 for _, label in operation.jumps]
    if operation.name == "table":
        lowest = cases[0][0] if cases else 0
        return [lowest, *distance]
    pairs = [
        word for (case, _), target in zip(cases, distance[1:], strict=True)
        for word in (case, target)
    ]  # fmt: skip
    return [distance[0], *pairs]
