"""Instructions that touch memory: alloca, load, store, getelementptr, fence, cmpxchg, atomicrmw.

Alignments are bytes. `ordering` is None for a plain access, else unordered, monotonic, acquire,
release, acq_rel or seq_cst. `sync_scope` is "" for the whole system, else its name ("singlethread",
...).

Source: the LLVM Language Reference, "Memory Access and Addressing Operations", "Atomic Memory
Ordering Constraints".
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.instruction import Instruction
from irsan.ir.types import Type, VectorType
from irsan.ir.values import Value

ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
RMW_OPERATIONS = ("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin",
                  "fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
                  "fmaximum", "fminimum")  # fmt: skip


class Alloca(Instruction):
    """Stack memory for `operands[0]` elements of `allocated_type`; the result is a pointer."""

    __slots__ = ("alignment", "allocated_type", "inalloca", "swifterror")
    opcode = "alloca"

    def __init__(
        self,
        pointer: Type,
        allocated_type: Type,
        count: Value,
        alignment: int,
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, pointer, [count], name)
        self.allocated_type = allocated_type
        self.alignment = alignment
        self.inalloca = False
        self.swifterror = False

    @property
    def count(self) -> Value:
        return self.operands[0]


class Load(Instruction):
    """Reads `type` at `pointer`."""

    __slots__ = ("alignment", "ordering", "sync_scope", "volatile")
    opcode = "load"

    def __init__(
        self,
        result: Type,
        pointer: Value,
        alignment: int,
        volatile: bool = False,
        ordering: str | None = None,
        sync_scope: str = "",
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, [pointer], name)
        self.alignment = alignment
        self.volatile = volatile
        self.ordering = ordering
        self.sync_scope = sync_scope

    @property
    def pointer(self) -> Value:
        return self.operands[0]


class Store(Instruction):
    """Writes `value` to `pointer`; operands are [value, pointer]. The type is void."""

    __slots__ = ("alignment", "ordering", "sync_scope", "volatile")
    opcode = "store"

    def __init__(
        self,
        void: Type,
        value: Value,
        pointer: Value,
        alignment: int,
        volatile: bool = False,
        ordering: str | None = None,
        sync_scope: str = "",
    ) -> None:
        Instruction.__init__(self, void, [value, pointer])
        self.alignment = alignment
        self.volatile = volatile
        self.ordering = ordering
        self.sync_scope = sync_scope

    @property
    def value(self) -> Value:
        return self.operands[0]

    @property
    def pointer(self) -> Value:
        return self.operands[1]


class GetElementPtr(Instruction):
    """Address of a member: operands are [pointer, index...], counted in `source_type`.

    `flags` from inbounds, nusw, nuw. The result type is the maker's business (a vector of
    pointers when an operand
    is a vector).
    """

    __slots__ = ("flags", "source_type")
    opcode = "getelementptr"

    def __init__(
        self,
        result: Type,
        source_type: Type,
        pointer: Value,
        indices: Sequence[Value],
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, [pointer, *indices], name)
        self.source_type = source_type
        self.flags = flags

    @property
    def pointer(self) -> Value:
        return self.operands[0]

    @property
    def indices(self) -> list[Value]:
        return self.operands[1:]


class Fence(Instruction):
    """Orders the accesses around it. The type is void."""

    __slots__ = ("ordering", "sync_scope")
    opcode = "fence"

    def __init__(self, void: Type, ordering: str, sync_scope: str = "") -> None:
        Instruction.__init__(self, void, [])
        self.ordering = ordering
        self.sync_scope = sync_scope


class CmpXchg(Instruction):
    """Compare and exchange: operands [pointer, expected, new]; the result is { old value, i1
    success }.
    """

    __slots__ = (
        "alignment",
        "failure_ordering",
        "ordering",
        "sync_scope",
        "volatile",
        "weak",
    )
    opcode = "cmpxchg"

    def __init__(
        self,
        result: Type,
        pointer: Value,
        expected: Value,
        new: Value,
        ordering: str,
        failure_ordering: str,
        alignment: int,
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, [pointer, expected, new], name)
        self.ordering = ordering
        self.failure_ordering = failure_ordering
        self.alignment = alignment
        self.volatile = False
        self.weak = False
        self.sync_scope = ""

    @property
    def pointer(self) -> Value:
        return self.operands[0]


class AtomicRMW(Instruction):
    """Atomic read-modify-write: operands [pointer, value]; the result is the old value."""

    __slots__ = ("alignment", "operation", "ordering", "sync_scope", "volatile")
    opcode = "atomicrmw"

    def __init__(
        self,
        operation: str,
        pointer: Value,
        value: Value,
        ordering: str,
        alignment: int,
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, value.type, [pointer, value], name)
        self.operation = operation
        self.ordering = ordering
        self.alignment = alignment
        self.volatile = False
        self.sync_scope = ""

    @property
    def pointer(self) -> Value:
        return self.operands[0]

    @property
    def value(self) -> Value:
        return self.operands[1]


def gep_vector_shape(operands: Sequence[Value]) -> tuple[int, bool] | None:
    """(count, scalable) of the first vector operand of a getelementptr, None when all are
    scalars.
    """
    for operand in operands:
        if isinstance(operand.type, VectorType):
            return operand.type.count, operand.type.scalable
    return None
