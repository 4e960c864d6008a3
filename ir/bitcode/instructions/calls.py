"""Records of call, invoke, callbr. Operand bundles stand in records of their own just before.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents"; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.ir.bitcode.scope import FunctionScope
from irsan.ir.bitcode.tables import FAST_MATH
from irsan.ir.calls import Call, CallBr, Invoke
from irsan.ir.instruction import Instruction
from irsan.ir.types import FunctionType, Type
from irsan.ir.values import Value

_TAIL, _MUST_TAIL, _EXPLICIT_TYPE, _NO_TAIL, _FAST_MATH = 1, 1 << 14, 1 << 15, 1 << 16, 1 << 17
_INVOKE_EXPLICIT_TYPE = 1 << 13
_CALLING_CONVENTION = 0x3FF


def _function_type(found: Type) -> FunctionType:
    if not isinstance(found, FunctionType):
        raise ValueError(f"a call of type {found.text}")
    return found


def _arguments(
    scope: FunctionScope, ops: list[int], index: int, function_type: FunctionType
) -> list[Value]:
    """Fixed arguments by number, variable ones with their types when they come later."""
    values, found = scope.values, []
    count, metadata = len(values), scope.metadata_type
    for parameter in function_type.parameters:
        relative = ops[index]
        if 0 < relative <= count and parameter is not metadata:
            found.append(values[-relative])
        else:
            found.append(scope.argument(relative, parameter))
        index += 1
    if index < len(ops) and not function_type.is_vararg:
        raise ValueError("more arguments than parameters")
    while index < len(ops):
        value, index = scope.pair(ops, index)
        found.append(value)
    return found


def _tail_word(flags: int) -> str:
    if flags & _MUST_TAIL:
        return "musttail"
    if flags & _NO_TAIL:
        return "notail"
    return "tail" if flags & _TAIL else ""


def _call(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[attributes, convention and flags, fast-math?, type, callee, argument...]."""
    flags, index = ops[1], 2
    if not flags & _EXPLICIT_TYPE:
        raise ValueError("a call of a typed pointer")
    if flags & _FAST_MATH:
        index = 3
    function_type = _function_type(scope.types[ops[index]])
    callee, start = scope.pair(ops, index + 1)
    arguments = _arguments(scope, ops, start, function_type)
    attributes = scope.attribute_lists[ops[0]]
    made = Call(function_type, callee, arguments, attributes, flags >> 1 & _CALLING_CONVENTION)
    made.tail = _tail_word(flags)
    if flags & _FAST_MATH:
        made.flags = FAST_MATH[ops[2]]
    if scope.bundles:
        made.bundles = scope.take_bundles()
    return made


def _invoke(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[attributes, convention, normal block, unwind block, type, callee, argument...]."""
    if not ops[1] & _INVOKE_EXPLICIT_TYPE:
        raise ValueError("an invoke of a typed pointer")
    blocks = scope.blocks
    function_type = _function_type(scope.types[ops[4]])
    callee, start = scope.pair(ops, 5)
    made = Invoke(
        function_type,
        callee,
        _arguments(scope, ops, start, function_type),
        [blocks[ops[2]], blocks[ops[3]]],
        scope.attribute_lists[ops[0]],
        ops[1] & _CALLING_CONVENTION,
    )
    made.bundles = scope.take_bundles()
    return made


def _callbr(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[attributes, convention and flags, block, count, block..., type, callee, argument...]."""
    if not ops[1] & _EXPLICIT_TYPE:
        raise ValueError("a callbr of a typed pointer")
    end = 4 + ops[3]
    blocks = [scope.blocks[number] for number in (ops[2], *ops[4:end])]
    function_type = _function_type(scope.types[ops[end]])
    callee, start = scope.pair(ops, end + 1)
    made = CallBr(
        function_type,
        callee,
        _arguments(scope, ops, start, function_type),
        blocks,
        scope.attribute_lists[ops[0]],
        ops[1] >> 1 & _CALLING_CONVENTION,
    )
    made.bundles = scope.take_bundles()
    return made


CALL_READERS: dict[int, Callable[[FunctionScope, list[int]], Instruction]] = {
    13: _invoke,
    34: _call,
    57: _callbr,
}
