"""Instructions that compute: arithmetic, casts, comparisons, vectors, aggregates, select, freeze,
va_arg.

Flags are tuples of the words LLVM prints, in LLVM's order: ("nuw", "nsw"), ("exact",),
("disjoint",), ("nneg",), ("samesign",), ("fast",) or ("nnan", "ninf", ...).

Source: the LLVM Language Reference, "Instruction Reference".
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.constants import Constant
from irsan.ir.instruction import Instruction
from irsan.ir.types import ArrayType, StructType, Type, VectorType
from irsan.ir.values import Value

INTEGER_BINARY = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and",
                  "or", "xor")  # fmt: skip
FLOAT_BINARY = ("fadd", "fsub", "fmul", "fdiv", "frem")
CAST_OPCODES = ("trunc", "zext", "sext", "fptoui", "fptosi", "uitofp", "sitofp", "fptrunc", "fpext",
                "ptrtoint", "inttoptr", "bitcast", "addrspacecast", "ptrtoaddr")  # fmt: skip
INTEGER_PREDICATES = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
FLOAT_PREDICATES = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt",
                    "uge", "ult", "ule", "une", "true")  # fmt: skip


class BinaryOp(Instruction):
    """`opcode left, right`: the integer and floating-point binary operations."""

    __slots__ = ("flags", "opcode")
    flags: tuple[str, ...]

    def __init__(
        self,
        opcode: str,
        left: Value,
        right: Value,
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, left.type, [left, right], name)
        self.opcode = opcode
        self.flags = flags


class UnaryOp(Instruction):
    """fneg."""

    __slots__ = ("flags", "opcode")
    flags: tuple[str, ...]

    def __init__(
        self, opcode: str, operand: Value, flags: tuple[str, ...] = (), name: str | None = None
    ) -> None:
        Instruction.__init__(self, operand.type, [operand], name)
        self.opcode = opcode
        self.flags = flags


class Cast(Instruction):
    """`opcode operand to type`."""

    __slots__ = ("flags", "opcode")
    flags: tuple[str, ...]

    def __init__(
        self,
        opcode: str,
        operand: Value,
        target: Type,
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, target, [operand], name)
        self.opcode = opcode
        self.flags = flags


class Compare(Instruction):
    """Base of icmp and fcmp; the result type (i1 or a vector of i1) is the maker's business."""

    __slots__ = ("flags", "predicate")
    flags: tuple[str, ...]

    def __init__(
        self,
        result: Type,
        predicate: str,
        left: Value,
        right: Value,
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, [left, right], name)
        self.predicate = predicate
        self.flags = flags


class ICmp(Compare):
    """Integer or pointer comparison."""

    __slots__ = ()
    opcode = "icmp"


class FCmp(Compare):
    """Floating-point comparison."""

    __slots__ = ()
    opcode = "fcmp"


class Select(Instruction):
    """`select condition, if_true, if_false`."""

    __slots__ = ("flags",)
    opcode = "select"

    def __init__(
        self,
        condition: Value,
        if_true: Value,
        if_false: Value,
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, if_true.type, [condition, if_true, if_false], name)
        self.flags = flags


class Freeze(Instruction):
    """`freeze operand`."""

    __slots__ = ()
    opcode = "freeze"

    def __init__(self, operand: Value, name: str | None = None) -> None:
        Instruction.__init__(self, operand.type, [operand], name)


class VAArg(Instruction):
    """`va_arg list, type`."""

    __slots__ = ()
    opcode = "va_arg"

    def __init__(self, va_list: Value, result: Type, name: str | None = None) -> None:
        Instruction.__init__(self, result, [va_list], name)


class ExtractElement(Instruction):
    """`extractelement vector, index`."""

    __slots__ = ()
    opcode = "extractelement"

    def __init__(self, vector: Value, index: Value, name: str | None = None) -> None:
        if not isinstance(vector.type, VectorType):
            raise ValueError(f"extractelement of {vector.type.text}")
        Instruction.__init__(self, vector.type.element, [vector, index], name)


class InsertElement(Instruction):
    """`insertelement vector, element, index`."""

    __slots__ = ()
    opcode = "insertelement"

    def __init__(
        self, vector: Value, element: Value, index: Value, name: str | None = None
    ) -> None:
        Instruction.__init__(self, vector.type, [vector, element, index], name)


class ShuffleVector(Instruction):
    """`shufflevector left, right, mask`; the mask is a constant vector of i32."""

    __slots__ = ("mask",)
    opcode = "shufflevector"

    def __init__(
        self, result: Type, left: Value, right: Value, mask: Constant, name: str | None = None
    ) -> None:
        Instruction.__init__(self, result, [left, right], name)
        self.mask = mask


class ExtractValue(Instruction):
    """`extractvalue aggregate, indices...`."""

    __slots__ = ("indices",)
    opcode = "extractvalue"

    def __init__(self, aggregate: Value, indices: Sequence[int], name: str | None = None) -> None:
        member = member_type(aggregate.type, indices)
        Instruction.__init__(self, member, [aggregate], name)
        self.indices = tuple(indices)


class InsertValue(Instruction):
    """`insertvalue aggregate, element, indices...`."""

    __slots__ = ("indices",)
    opcode = "insertvalue"

    def __init__(
        self, aggregate: Value, element: Value, indices: Sequence[int], name: str | None = None
    ) -> None:
        member_type(aggregate.type, indices)
        Instruction.__init__(self, aggregate.type, [aggregate, element], name)
        self.indices = tuple(indices)


def member_type(aggregate: Type, indices: Sequence[int]) -> Type:
    """The type at `indices` inside structs and arrays; ValueError when there is no such member."""
    found = aggregate
    for index in indices:
        if isinstance(found, StructType) and index < len(found.elements):
            found = found.elements[index]
        elif isinstance(found, ArrayType) and index < found.count:
            found = found.element
        else:
            raise ValueError(f"{found.text} has no member {index}")
    return found
