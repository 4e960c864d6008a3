"""Records of arithmetic, casts, comparisons, vectors, aggregates, select, freeze, va_arg.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents"; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.ir.bitcode.scope import FunctionScope
from irsan.ir.bitcode.tables import (
    BINARY_FLAGS,
    CAST_FLAGS,
    CAST_WORDS,
    FAST_MATH,
    PREDICATES,
    SAME_SIGN,
    binary_word,
)
from irsan.ir.constants import Constant
from irsan.ir.instruction import Instruction
from irsan.ir.operations import (
    BinaryOp,
    Cast,
    ExtractElement,
    ExtractValue,
    FCmp,
    Freeze,
    ICmp,
    InsertElement,
    InsertValue,
    Select,
    ShuffleVector,
    UnaryOp,
    VAArg,
    member_type,
)
from irsan.ir.types import Type, VectorType

_FIRST_INTEGER_PREDICATE = 32


def _binary(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[left, right, opcode, flags?]."""
    left, i = scope.pair(ops, 0)
    right = scope.value(ops[i], left.type)
    opcode = binary_word(ops[i + 1], left.type)
    flags = BINARY_FLAGS[opcode][ops[i + 2]] if len(ops) > i + 2 else ()
    return BinaryOp(opcode, left, right, flags)


def _unary(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[operand, opcode, flags?]; the only opcode is fneg."""
    operand, i = scope.pair(ops, 0)
    if ops[i] != 0:
        raise ValueError(f"unary operation {ops[i]}")
    flags = FAST_MATH[ops[i + 1]] if len(ops) > i + 1 else ()
    return UnaryOp("fneg", operand, flags)


def _cast(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[operand, type, opcode, flags?]."""
    operand, i = scope.pair(ops, 0)
    opcode = CAST_WORDS[ops[i + 1]]
    flags = CAST_FLAGS[opcode][ops[i + 2]] if len(ops) > i + 2 else ()
    return Cast(opcode, operand, scope.types[ops[i]], flags)


def _compare(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[left, right, predicate, flags?]."""
    left, i = scope.pair(ops, 0)
    right = scope.value(ops[i], left.type)
    code = ops[i + 1]
    predicate = PREDICATES[code]
    result = _truth_type(scope, left.type)
    raw = ops[i + 2] if len(ops) > i + 2 else 0
    if code >= _FIRST_INTEGER_PREDICATE:
        return ICmp(result, predicate, left, right, SAME_SIGN[raw])
    return FCmp(result, predicate, left, right, FAST_MATH[raw])


def _truth_type(scope: FunctionScope, operand: Type) -> Type:
    if isinstance(operand, VectorType):
        return scope.state.context.vector(scope.i1, operand.count, operand.scalable)
    return scope.i1


def _select(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[if true, if false, condition, flags?]."""
    if_true, i = scope.pair(ops, 0)
    if_false = scope.value(ops[i], if_true.type)
    condition, i = scope.pair(ops, i + 1)
    flags = FAST_MATH[ops[i]] if len(ops) > i else ()
    return Select(condition, if_true, if_false, flags)


def _freeze(scope: FunctionScope, ops: list[int]) -> Instruction:
    return Freeze(scope.pair(ops, 0)[0])


def _va_arg(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[list's type, list, type]."""
    va_list = scope.value(ops[1], scope.types[ops[0]])
    return VAArg(va_list, scope.types[ops[2]])


def _extract_element(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[vector, index]."""
    vector, i = scope.pair(ops, 0)
    return ExtractElement(vector, scope.pair(ops, i)[0])


def _insert_element(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[vector, element, index]."""
    vector, i = scope.pair(ops, 0)
    assert isinstance(vector.type, VectorType)
    element = scope.value(ops[i], vector.type.element)
    return InsertElement(vector, element, scope.pair(ops, i + 1)[0])


def _shuffle(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[left, right, mask]."""
    left, i = scope.pair(ops, 0)
    right = scope.value(ops[i], left.type)
    mask = scope.pair(ops, i + 1)[0]
    assert isinstance(left.type, VectorType)
    if not isinstance(mask, Constant) or not isinstance(mask.type, VectorType):
        raise ValueError("a shuffle mask that is no constant vector")
    shape = mask.type
    result = scope.state.context.vector(left.type.element, shape.count, shape.scalable)
    return ShuffleVector(result, left, right, mask)


def _extract_value(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[aggregate, index...]."""
    aggregate, i = scope.pair(ops, 0)
    return ExtractValue(aggregate, ops[i:])


def _insert_value(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[aggregate, element, index...]."""
    aggregate, i = scope.pair(ops, 0)
    element, i = scope.pair(ops, i)
    if member_type(aggregate.type, ops[i:]) is not element.type:
        raise ValueError(f"a {element.type.text} where {aggregate.type.text} has another type")
    return InsertValue(aggregate, element, ops[i:])


OPERATION_READERS: dict[int, Callable[[FunctionScope, list[int]], Instruction]] = {
    2: _binary,
    3: _cast,
    6: _extract_element,
    7: _insert_element,
    8: _shuffle,
    23: _va_arg,
    26: _extract_value,
    27: _insert_value,
    28: _compare,
    29: _select,
    56: _unary,
    58: _freeze,
}
