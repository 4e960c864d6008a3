"""Registers of one function: where values and constants live.

A value that is used in its own block only gives its slots back behind its last use; all others keep
theirs.  Nothing is given back in a function that a longjmp may return to: what was defined before
the setjmp is still wanted.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from irsan.engine.interp.code import Frame, Register
from irsan.engine.interp.liveness import used_values
from irsan.ir.constants import (
    ConstantAggregate,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantNull,
    Poison,
    Undef,
)
from irsan.ir.datalayout import DataLayout
from irsan.ir.instruction import Instruction
from irsan.ir.types import IntegerType, PointerType, Type, TypeID
from irsan.ir.values import Constant, Function, Value

_SCALAR_FLOATS = (TypeID.HALF, TypeID.BFLOAT, TypeID.FLOAT, TypeID.DOUBLE)
_WORD_BITS = 64


def word_bits(kind: Type) -> int:
    """Bits of an integer or pointer that lies in one slot; 0 for every other type."""
    if isinstance(kind, IntegerType):
        return kind.width if kind.width <= _WORD_BITS else 0
    return _WORD_BITS if isinstance(kind, PointerType) else 0


def float_bits(kind: Type) -> int:
    """32 of float, 64 of double, else 0."""
    return {TypeID.FLOAT: 32, TypeID.DOUBLE: 64}.get(kind.type_id, 0)


def is_one_slot(kind: Type) -> bool:
    """Whether a value is a number that one slot holds."""
    return word_bits(kind) > 0 or kind.type_id in _SCALAR_FLOATS


@dataclass(frozen=True, slots=True)
class PoolConstant:
    """One constant in the pool: its LLVM value and slots; a zero has no value."""

    value: Constant | None
    number: int
    n_slots: int

    @property
    def is_computed(self) -> bool:
        """Whether no relocation can express it: the stub computes it at each entry."""
        return self.value is not None and not _is_relocatable(self.value)


def _is_relocatable(value: Constant) -> bool:
    """Whether a linker can write a constant down: a number, or an address plus a number."""
    if isinstance(value, ConstantAggregate):
        return all(_is_relocatable(element) for element in value.elements)
    if not isinstance(value, ConstantExpr):
        return True
    is_address = value.opcode == "getelementptr" and isinstance(value.type, PointerType)
    is_cast = value.opcode in ("ptrtoint", "inttoptr") and word_bits(value.type) == _WORD_BITS
    return (is_address or is_cast) and _is_relocatable(value.operands[0])


@dataclass(slots=True)
class Registers:
    """The allocation; `last_uses` comes from `find_last_uses`, leaders from `liveness`."""

    layout: DataLayout
    last_uses: dict[Value, Instruction]
    leaders: dict[Value, Value] = field(default_factory=dict)
    constants: list[PoolConstant] = field(default_factory=list)
    n_values: int = 0
    stale: set[int] = field(default_factory=set)
    """Free slots in which an address is left: a search for leaks would take it for a pointer."""
    _values: dict[Value, Register] = field(default_factory=dict)
    _pointers: set[int] = field(default_factory=set)
    _known: dict[tuple[str, str], Register] = field(default_factory=dict)
    _free: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    _ending: dict[Instruction, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def n_slots(self, kind: Type) -> int:
        return max(1, -(-self.layout.alloc_size(kind) // 8))

    def of(self, value: Value) -> Register:
        """Where a value is; a constant goes to the pool."""
        if isinstance(value, Constant):
            return self.constant(value)
        found = self._values.get(value)
        return found if found is not None else self.define(value)

    def define(self, value: Value) -> Register:
        """Give a value its place, until its last use when that is known."""
        leader = self.leaders.get(value, value)
        if leader is not value:
            made = self._values[value] = self.of(leader)
            return made
        n_slots = self.n_slots(value.type)
        end = self.last_uses.get(value)
        if end is None:  # blocks that stand before may run while it lives
            made = self.permanent(n_slots)
        else:
            made = Register(self._take(n_slots))
            self._ending[end].append((made.index, n_slots))
            if isinstance(value.type, PointerType):
                self._pointers.add(made.index)
        self._values[value] = made
        return made

    def scratch(self, until: Instruction, n_slots: int = 1) -> Register:
        """A register for the lowering's own use, free again behind `until`."""
        index = self._take(n_slots)
        self._ending[until].append((index, n_slots))
        return Register(index)

    def permanent(self, n_slots: int = 1) -> Register:
        """A register that is never given back."""
        self.n_values += n_slots
        return Register(self.n_values - n_slots)

    def end(self, instruction: Instruction) -> None:
        """What was last used by `instruction` is free."""
        for index, n_slots in self._ending.pop(instruction, ()):
            self._free[n_slots].append(index)
            if index in self._pointers:
                self._pointers.discard(index)
                self.stale.add(index)

    def constant(self, value: Constant) -> Register:
        """The register of a constant; numbers that are alike share it."""
        kind = value.type
        if isinstance(value, (Undef, Poison, ConstantNull)) and self.n_slots(kind) == 1:
            return self.number(0)
        if isinstance(value, ConstantInt) and word_bits(kind):
            return self.number(value.value & ((1 << word_bits(kind)) - 1))
        if isinstance(value, ConstantFP) and is_one_slot(kind):
            return self.number(value.bits)
        return self._pooled((kind.text, value.ref), PoolConstant(value, 0, self.n_slots(kind)))

    def number(self, number: int) -> Register:
        """The register of a 64-bit number."""
        return self._pooled(("i64", str(number)), PoolConstant(None, number, 1))

    def frame(self, function: str) -> Frame:
        """The frame, when no register will be added any more."""
        slots, total = [], 0
        for one in self.constants:
            slots.append(total)
            total += one.n_slots
        return Frame(function, slots, total, self.n_values)

    def _pooled(self, key: tuple[str, str], made: PoolConstant) -> Register:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Register(len(self.constants), is_constant=True)
            self.constants.append(made)
        return found

    def _take(self, n_slots: int) -> int:
        free = self._free.get(n_slots)
        index = free.pop() if free else self.permanent(n_slots).index
        self.stale.discard(index)
        return index


def find_last_uses(function: Function) -> dict[Value, Instruction]:
    """For each value that only its own block uses, and no phi: who uses it last."""
    home: dict[Value, object] = {}
    last: dict[Value, Instruction] = {}
    shared: set[Value] = set(function.arguments)
    for block in function.blocks:
        for op in block.instructions:
            for operand in used_values(op):
                if op.opcode == "phi" or home.get(operand) is not block:
                    shared.add(operand)
                else:
                    last[operand] = op
            home[op] = block
            if op.opcode in ("phi", "landingpad", "alloca", "invoke", "callbr"):
                shared.add(op)
            else:
                last[op] = op
    return {value: end for value, end in last.items() if value not in shared}
