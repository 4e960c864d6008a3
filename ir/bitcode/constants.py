"""CONSTANTS_BLOCK: the constants of a module or of a function.

A constant may refer to a later one, so the block is read twice: first every record becomes an
object without operands, and gets its value number; then the operands are filled in.

Source: the LLVM bitcode file format, "CONSTANTS_BLOCK Contents".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from irsan.ir import constants as k
from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.attributes import read_range, wide_integer
from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.bitcode.tables import BINARY_FLAGS, CAST_WORDS, GEP_FLAGS, binary_word
from irsan.ir.bitstream.model import Block
from irsan.ir.text import decode_name
from irsan.ir.types import (
    ArrayType,
    FunctionType,
    IntegerType,
    PrimitiveType,
    Type,
    TypeID,
    VectorType,
)
from irsan.ir.values import Constant, Function, GlobalValue, InlineAsm, Value

if TYPE_CHECKING:
    from irsan.ir.bitcode.state import ModuleState

Fill = Callable[["ModuleState", list[int], Value], None]
Shell = Callable[["ModuleState", list[int], Type], Value]
_WORD = (1 << 64) - 1


def read_constants(state: ModuleState, block: Block) -> None:
    """Appends the block's constants to `state.values`."""
    state.position.enter(c.CONSTANTS)
    current: Type = state.context.i32
    waiting: list[tuple[Fill, list[int], Value]] = []
    records = list(block.records())
    for record in records:
        state.position.record = record
        code, ops = record.code, record.operands
        if code == c.CST_SETTYPE:
            current = state.types[ops[0]]
            continue
        shell = _SHELLS.get(code)
        if shell is None:
            raise BitcodeError(f"constant code {code} is older or newer than LLVM 22's")
        value = shell(state, ops, current)
        state.values.append(value)
        fill = _FILLS.get(code)
        if fill is not None:
            waiting.append((fill, ops, value))
    for fill, ops, value in waiting:
        fill(state, ops, value)


def constant_at(state: ModuleState, index: int) -> Constant:
    """The constant numbered `index`; ValueError when that is no constant."""
    value = state.values[index]
    if not isinstance(value, Constant):
        raise ValueError(f"value {index} is no constant")
    return value


def zero_of(of_type: Type) -> Constant:
    """The all-zero constant of any type."""
    if isinstance(of_type, IntegerType):
        return k.ConstantInt(of_type, 0)
    if of_type.is_float:
        assert isinstance(of_type, PrimitiveType)
        return k.ConstantFP(of_type, 0)
    return k.ConstantNull(of_type)


def _null(_: ModuleState, _ops: list[int], current: Type) -> Value:
    return zero_of(current)


def _undef(_: ModuleState, _ops: list[int], current: Type) -> Value:
    return k.Undef(current)


def _poison(_: ModuleState, _ops: list[int], current: Type) -> Value:
    return k.Poison(current)


def _scalar_or_splat(current: Type, make: Callable[[Type], Constant]) -> Constant:
    """A vector type with a scalar's record is a vector of equal elements."""
    if isinstance(current, VectorType):
        return k.ConstantSplat(current, make(current.element))
    return make(current)


def _integer_of(of_type: Type, value: int) -> Constant:
    if not isinstance(of_type, IntegerType):
        raise ValueError(f"an integer constant of type {of_type.text}")
    return k.ConstantInt(of_type, value)


def _integer(_: ModuleState, ops: list[int], current: Type) -> Value:
    value = c.signed_vbr(ops[0])
    return _scalar_or_splat(current, lambda scalar: _integer_of(scalar, value))


def _wide_integer(_: ModuleState, ops: list[int], current: Type) -> Value:
    def make(scalar: Type) -> Constant:
        assert isinstance(scalar, IntegerType)
        return _integer_of(scalar, wide_integer(ops, scalar.width))

    return _scalar_or_splat(current, make)


def _float_bits(of_type: Type, ops: list[int]) -> int:
    if of_type.type_id is TypeID.X86_FP80:
        return (ops[0] << 16 | ops[1] & 0xFFFF) & (1 << 80) - 1
    if of_type.type_id in (TypeID.FP128, TypeID.PPC_FP128):
        return ops[1] << 64 | ops[0]
    assert isinstance(of_type, PrimitiveType)
    return ops[0] & (1 << of_type.float_bits) - 1


def _float(_: ModuleState, ops: list[int], current: Type) -> Value:
    def make(scalar: Type) -> Constant:
        if not scalar.is_float:
            raise ValueError(f"a floating-point constant of type {scalar.text}")
        assert isinstance(scalar, PrimitiveType)
        return k.ConstantFP(scalar, _float_bits(scalar, ops))

    return _scalar_or_splat(current, make)


def _string(_: ModuleState, ops: list[int], current: Type) -> Value:
    return k.ConstantBytes(_checked_array(current, len(ops)), c.characters(ops))


def _c_string(_: ModuleState, ops: list[int], current: Type) -> Value:
    array = _checked_array(current, len(ops) + 1)
    return k.ConstantBytes(array, c.characters(ops) + b"\0")


def _checked_array(current: Type, count: int) -> Type:
    if not isinstance(current, ArrayType) or current.count != count:
        raise ValueError(f"a string of {count} bytes of type {current.text}")
    return current


def _data(_: ModuleState, ops: list[int], current: Type) -> Value:
    if not isinstance(current, (ArrayType, VectorType)) or current.count != len(ops):
        raise ValueError(f"{len(ops)} elements of type {current.text}")
    return k.ConstantData(current, ops)


def _aggregate(_: ModuleState, _ops: list[int], current: Type) -> Value:
    return k.ConstantAggregate(current, [])


def _fill_aggregate(state: ModuleState, ops: list[int], value: Value) -> None:
    assert isinstance(value, k.ConstantAggregate)
    value.elements = [constant_at(state, index) for index in ops]


def _expression(_: ModuleState, _ops: list[int], current: Type) -> Value:
    return k.ConstantExpr("", current, [])


def _fill_binary(state: ModuleState, ops: list[int], value: Value) -> None:
    assert isinstance(value, k.ConstantExpr)
    value.opcode = binary_word(ops[0], value.type)
    value.operands = [constant_at(state, index) for index in ops[1:3]]
    if len(ops) > 3:
        value.flags = BINARY_FLAGS[value.opcode][ops[3]]


def _fill_cast(state: ModuleState, ops: list[int], value: Value) -> None:
    assert isinstance(value, k.ConstantExpr)
    value.opcode = CAST_WORDS[ops[0]]
    value.operands = [constant_at(state, ops[2])]


def _fill_gep(state: ModuleState, ops: list[int], value: Value) -> None:
    assert isinstance(value, k.ConstantExpr)
    value.opcode = "getelementptr"
    value.source_type = state.types[ops[0]]
    value.flags = GEP_FLAGS[ops[1]]
    value.operands = [constant_at(state, index) for index in ops[3::2]]


def _fill_gep_in_range(state: ModuleState, ops: list[int], value: Value) -> None:
    in_range, index = read_range(ops, 3, ops[2])
    _fill_gep(state, [*ops[:2], *ops[index:]], value)
    assert isinstance(value, k.ConstantExpr)
    value.in_range = (in_range.low, in_range.high)


def _fill_listed(opcode: str, places: tuple[int, ...]) -> Fill:
    """A constant expression whose operands stand at `places` of the record."""

    def fill(state: ModuleState, ops: list[int], value: Value) -> None:
        assert isinstance(value, k.ConstantExpr)
        value.opcode = opcode
        value.operands = [constant_at(state, ops[place]) for place in places]

    return fill


def _block_address(_: ModuleState, _ops: list[int], current: Type) -> Value:
    value = k.BlockAddress.__new__(k.BlockAddress)
    value.type = current
    return value


def _fill_block_address(state: ModuleState, ops: list[int], value: Value) -> None:
    function = state.values[ops[1]]
    if not isinstance(value, k.BlockAddress) or not isinstance(function, Function):
        raise ValueError("a block address of what is no function")
    value.function = function
    value.block = state.block_of(function, ops[2])


def _global_wrapper(wrapper: type[k.DSOLocalEquivalent] | type[k.NoCFI]) -> Shell:
    def make(state: ModuleState, ops: list[int], _: Type) -> Value:
        target = state.values[ops[1]]
        if not isinstance(target, GlobalValue):
            raise ValueError(f"value {ops[1]} is no global")
        return wrapper(target)

    return make


def _pointer_authentication(_: ModuleState, _ops: list[int], current: Type) -> Value:
    value = k.PtrAuth.__new__(k.PtrAuth)
    value.type = current
    return value


def _fill_pointer_authentication(state: ModuleState, ops: list[int], value: Value) -> None:
    assert isinstance(value, k.PtrAuth)
    value.operands = [constant_at(state, index) for index in ops[:5]]


def _inline_asm(state: ModuleState, ops: list[int], current: Type) -> Value:
    function_type, flags, length = state.types[ops[0]], ops[1], ops[2]
    assert isinstance(function_type, FunctionType)
    pointer = state.context.ptr_default
    value = InlineAsm(pointer, function_type)
    value.type = current
    start = 3 + length
    value.assembly = decode_name(c.characters(ops[3:start]))
    value.constraints = decode_name(c.characters(ops[start + 1 : start + 1 + ops[start]]))
    value.side_effects = bool(flags & 1)
    value.align_stack = bool(flags & 2)
    value.intel_dialect = bool(flags & 4)
    value.can_throw = bool(flags & 8)
    return value


_SHELLS: dict[int, Shell] = {
    c.CST_NULL: _null,
    c.CST_UNDEF: _undef,
    c.CST_POISON: _poison,
    c.CST_INTEGER: _integer,
    c.CST_WIDE_INTEGER: _wide_integer,
    c.CST_FLOAT: _float,
    c.CST_STRING: _string,
    c.CST_CSTRING: _c_string,
    c.CST_DATA: _data,
    c.CST_AGGREGATE: _aggregate,
    c.CST_CE_BINOP: _expression,
    c.CST_CE_CAST: _expression,
    c.CST_CE_GEP: _expression,
    c.CST_CE_GEP_WITH_INRANGE: _expression,
    c.CST_CE_EXTRACTELT: _expression,
    c.CST_CE_INSERTELT: _expression,
    c.CST_CE_SHUFFLEVEC: _expression,
    c.CST_CE_SHUFVEC_EX: _expression,
    c.CST_BLOCKADDRESS: _block_address,
    c.CST_DSO_LOCAL_EQUIVALENT: _global_wrapper(k.DSOLocalEquivalent),
    c.CST_NO_CFI: _global_wrapper(k.NoCFI),
    c.CST_PTRAUTH: _pointer_authentication,
    c.CST_PTRAUTH2: _pointer_authentication,
    c.CST_INLINEASM: _inline_asm,
}
_FILLS: dict[int, Fill] = {
    c.CST_AGGREGATE: _fill_aggregate,
    c.CST_CE_BINOP: _fill_binary,
    c.CST_CE_CAST: _fill_cast,
    c.CST_CE_GEP: _fill_gep,
    c.CST_CE_GEP_WITH_INRANGE: _fill_gep_in_range,
    c.CST_CE_EXTRACTELT: _fill_listed("extractelement", (1, 3)),
    c.CST_CE_INSERTELT: _fill_listed("insertelement", (0, 1, 3)),
    c.CST_CE_SHUFFLEVEC: _fill_listed("shufflevector", (0, 1, 2)),
    c.CST_CE_SHUFVEC_EX: _fill_listed("shufflevector", (1, 2, 3)),
    c.CST_BLOCKADDRESS: _fill_block_address,
    c.CST_PTRAUTH: _fill_pointer_authentication,
    c.CST_PTRAUTH2: _fill_pointer_authentication,
}
