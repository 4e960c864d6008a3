"""Constants: plain objects, not uniqued; compare their fields, not their identity.

    ConstantInt  ConstantFP  ConstantNull (null, zeroinitializer, none)  Undef  Poison
    ConstantBytes (c"...")  ConstantData (numbers)  ConstantAggregate (constants)  ConstantSplat
    ConstantExpr  BlockAddress  DSOLocalEquivalent  NoCFI  PtrAuth

Integers are kept signed in their width (i1: 0 or 1), floating point as its bits, so nothing is
rounded.

Source: the LLVM Language Reference, "Constants", "Constant Expressions".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from irsan.ir.text import escape_bytes
from irsan.ir.types import (
    FLOAT_BITS,
    ArrayType,
    IntegerType,
    PrimitiveType,
    StructType,
    Type,
    TypeID,
    VectorType,
)
from irsan.ir.values import BasicBlock, Constant, Function, GlobalValue, Value

__all__ = [
    "BlockAddress",
    "Constant",
    "ConstantAggregate",
    "ConstantBytes",
    "ConstantData",
    "ConstantExpr",
    "ConstantFP",
    "ConstantInt",
    "ConstantNull",
    "ConstantSplat",
    "DSOLocalEquivalent",
    "NoCFI",
    "Poison",
    "PtrAuth",
    "Undef",
    "float_text",
]


class SimpleConstant(Constant):
    """A constant that names no global, so its spelling is fixed when it is made."""

    __slots__ = ("ref", "type")
    ref: str


class ConstantInt(SimpleConstant):
    """An integer; any Python int is wrapped to the type's width, then kept signed (i1: 0 or 1)."""

    __slots__ = ("value",)
    type: IntegerType

    def __init__(self, integer: IntegerType, value: int) -> None:
        width = integer.width
        value &= (1 << width) - 1
        if width > 1 and value >> (width - 1):
            value -= 1 << width
        self.type = integer
        self.value = value
        self.ref = str(value) if width > 1 else ("true" if value else "false")

    @property
    def unsigned(self) -> int:
        """The value read as unsigned."""
        return self.value & ((1 << self.type.width) - 1)

    def __repr__(self) -> str:
        return f"<ConstantInt {self.type.text} {self.ref}>"


class ConstantFP(SimpleConstant):
    """A floating-point number by its bits."""

    __slots__ = ("bits",)
    type: PrimitiveType

    def __init__(self, float_type: PrimitiveType, bits: int) -> None:
        self.type = float_type
        self.bits = bits
        self.ref = float_text(float_type.type_id, bits)


class ConstantNull(SimpleConstant):
    """All bits zero: `null` of a pointer, `none` of a token, `zeroinitializer` of the rest."""

    __slots__ = ()

    def __init__(self, of_type: Type) -> None:
        self.type = of_type
        self.ref = {TypeID.POINTER: "null", TypeID.TOKEN: "none"}.get(
            of_type.type_id, "zeroinitializer"
        )


class Undef(SimpleConstant):
    """undef."""

    __slots__ = ()

    def __init__(self, of_type: Type) -> None:
        self.type = of_type
        self.ref = "undef"


class Poison(SimpleConstant):
    """poison."""

    __slots__ = ()

    def __init__(self, of_type: Type) -> None:
        self.type = of_type
        self.ref = "poison"


class ConstantBytes(SimpleConstant):
    """An array of i8, printed `c"..."`."""

    __slots__ = ("contents",)

    def __init__(self, array: Type, contents: bytes) -> None:
        self.type = array
        self.contents = contents
        self.ref = f'c"{escape_bytes(contents)}"'


class ConstantData(SimpleConstant):
    """An array or vector of numbers; `values` are signed integers, or the bits of floating-point
    ones.
    """

    __slots__ = ("values",)

    def __init__(self, sequence: ArrayType | VectorType, values: Sequence[int]) -> None:
        self.type = sequence
        self.values = tuple(values)
        element = sequence.element
        if isinstance(element, IntegerType):
            signed = [ConstantInt(element, value) for value in values]
            self.values = tuple([item.value for item in signed])
            inside = [f"{element.text} {item.ref}" for item in signed]
        else:
            mask = (1 << FLOAT_BITS[element.type_id]) - 1
            self.values = tuple([bits & mask for bits in values])
            inside = [f"{element.text} {float_text(element.type_id, b)}" for b in self.values]
        self.ref = _bracketed(sequence, inside)


class ConstantAggregate(Constant):
    """A struct, array or vector of constants."""

    __slots__ = ("elements", "type")

    def __init__(self, aggregate: Type, elements: Sequence[Constant]) -> None:
        self.type = aggregate
        self.elements = list(elements)

    @property
    def ref(self) -> str:
        return _bracketed(self.type, [element.typed_ref for element in self.elements])


class ConstantSplat(Constant):
    """A vector whose elements are all `element`."""

    __slots__ = ("element", "type")

    def __init__(self, vector: Type, element: Constant) -> None:
        self.type = vector
        self.element = element

    @property
    def ref(self) -> str:
        return f"splat ({self.element.typed_ref})"


class ConstantExpr(Constant):
    """`opcode flags (operands...)`: casts, add, sub, mul, xor, getelementptr, and the vector
    element operations.

    `source_type` and `in_range` (low, high; bytes, or None) belong to getelementptr only.
    """

    __slots__ = ("flags", "in_range", "opcode", "operands", "source_type", "type")

    def __init__(
        self,
        opcode: str,
        result: Type,
        operands: Sequence[Constant],
        flags: tuple[str, ...] = (),
        source_type: Type | None = None,
        in_range: tuple[int, int] | None = None,
    ) -> None:
        self.opcode = opcode
        self.type = result
        self.operands: list[Constant] = list(operands)
        self.flags = flags
        self.source_type = source_type
        self.in_range = in_range

    @property
    def is_cast(self) -> bool:
        return len(self.operands) == 1 and self.source_type is None

    @property
    def ref(self) -> str:
        words = [self.opcode, *self.flags]
        if self.in_range is not None:
            words.append(f"inrange({self.in_range[0]}, {self.in_range[1]})")
        inside = ", ".join([operand.typed_ref for operand in self.operands])
        if self.source_type is not None:
            inside = f"{self.source_type.text}, {inside}"
        elif self.is_cast:
            inside = f"{inside} to {self.type.text}"
        return f"{' '.join(words)} ({inside})"


class BlockAddress(Constant):
    """The address of a basic block."""

    __slots__ = ("block", "function", "type")

    def __init__(self, pointer: Type, function: Function, block: BasicBlock) -> None:
        self.type = pointer
        self.function = function
        self.block = block

    @property
    def ref(self) -> str:
        return f"blockaddress({self.function.ref}, {self.block.ref})"


class DSOLocalEquivalent(Constant):
    """A function that is equivalent to `target` and surely in this library."""

    __slots__ = ("target", "type")

    def __init__(self, target: GlobalValue) -> None:
        self.type = target.type
        self.target = target

    @property
    def ref(self) -> str:
        return f"dso_local_equivalent {self.target.ref}"


class NoCFI(Constant):
    """The function itself, not its control-flow-integrity jump table entry."""

    __slots__ = ("target", "type")

    def __init__(self, target: GlobalValue) -> None:
        self.type = target.type
        self.target = target

    @property
    def ref(self) -> str:
        return f"no_cfi {self.target.ref}"


class PtrAuth(Constant):
    """A signed pointer; the operands beyond pointer and key are printed only as far as they are
    not zero.
    """

    __slots__ = ("operands", "type")

    def __init__(self, operands: Sequence[Constant]) -> None:
        self.operands: list[Constant] = list(operands)
        self.type = self.operands[0].type

    @property
    def ref(self) -> str:
        shown = list(self.operands)
        while len(shown) > 2 and is_zero(shown[-1]):
            shown.pop()
        return f"ptrauth ({', '.join([operand.typed_ref for operand in shown])})"


def is_zero(constant: Value) -> bool:
    """Whether a constant integer, pointer or aggregate has no set bit."""
    if isinstance(constant, ConstantInt):
        return constant.value == 0
    return isinstance(constant, ConstantNull)


def _bracketed(of_type: Type, inside: list[str]) -> str:
    joined = ", ".join(inside)
    if isinstance(of_type, VectorType):
        return f"<{joined}>"
    if isinstance(of_type, ArrayType):
        return f"[{joined}]"
    body = f"{{ {joined} }}" if joined else "{}"
    packed = isinstance(of_type, StructType) and of_type.is_packed
    return f"<{body}>" if packed else body


_HEX_PREFIX: dict[TypeID, tuple[str, int]] = {
    TypeID.HALF: ("0xH", 4),
    TypeID.BFLOAT: ("0xR", 4),
    TypeID.X86_FP80: ("0xK", 20),
    TypeID.FP128: ("0xL", 32),
    TypeID.PPC_FP128: ("0xM", 32),
}


def float_text(type_id: TypeID, bits: int) -> str:
    """The exact spelling of floating-point bits: hexadecimal, as LLVM writes what decimals cannot
    hold.

    fp128 and ppc_fp128 are spelt low half first, as LLVM does.
    """
    if type_id is TypeID.FLOAT:
        return _single_text(bits)
    if type_id is TypeID.DOUBLE:
        return f"0x{bits:016X}"
    prefix, digits = _HEX_PREFIX[type_id]
    if digits == 32:
        bits = (bits & ((1 << 64) - 1)) << 64 | bits >> 64
    return f"{prefix}{bits:0{digits}X}"


def _single_text(bits: int) -> str:
    """A float is spelt as the double of the same value; a NaN keeps its payload bit by bit."""
    if bits & 0x7F800000 == 0x7F800000:
        double = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return f"0x{double:016X}"
    value = struct.unpack("<f", struct.pack("<I", bits))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
