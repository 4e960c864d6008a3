"""Records of alloca, load, store, getelementptr, fence, cmpxchg, atomicrmw.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents"; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.ir.bitcode.codes import ORDERINGS, alignment_bytes
from irsan.ir.bitcode.scope import FunctionScope
from irsan.ir.bitcode.tables import GEP_FLAGS, RMW_WORDS
from irsan.ir.instruction import Instruction
from irsan.ir.memory import (
    Alloca,
    AtomicRMW,
    CmpXchg,
    Fence,
    GetElementPtr,
    Load,
    Store,
    gep_vector_shape,
)
from irsan.ir.types import PointerType, Type, VectorType
from irsan.ir.values import Value

_ALIGNMENTS = [alignment_bytes(encoded) for encoded in range(34)]


def _ordering(code: int) -> str:
    """The ordering of what must be atomic."""
    word = ORDERINGS[code]
    if word is None:
        raise ValueError("an atomic operation that is not atomic")
    return word


def _alloca(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[type, count's type, count (absolute), alignment and flags, address space?]."""
    record = ops[3]
    if not record & 1 << 6:
        raise ValueError("an alloca of a typed pointer")
    space = ops[4] if len(ops) > 4 else scope.alloca_space
    alignment = alignment_bytes(record & 31 | (record >> 8 & 7) << 5)
    pointer = scope.state.context.ptr(space)
    made = Alloca(pointer, scope.types[ops[0]], scope.values[ops[2]], alignment)
    made.inalloca = bool(record & 1 << 5)
    made.swifterror = bool(record & 1 << 7)
    return made


def _load(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pointer, type, alignment, volatile]."""
    pointer, i = scope.pair(ops, 0)
    _check_pointer(pointer)
    return Load(scope.types[ops[i]], pointer, _ALIGNMENTS[ops[i + 1]], bool(ops[i + 2]))


def _load_atomic(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pointer, type, alignment, volatile, ordering, scope]."""
    pointer, i = scope.pair(ops, 0)
    _check_pointer(pointer)
    return Load(
        scope.types[ops[i]],
        pointer,
        _ALIGNMENTS[ops[i + 1]],
        bool(ops[i + 2]),
        _ordering(ops[i + 3]),
        scope.scopes[ops[i + 4]],
    )


def _store(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pointer, value, alignment, volatile]."""
    pointer, i = scope.pair(ops, 0)
    value, i = scope.pair(ops, i)
    _check_pointer(pointer)
    return Store(scope.void, value, pointer, _ALIGNMENTS[ops[i]], bool(ops[i + 1]))


def _store_atomic(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pointer, value, alignment, volatile, ordering, scope]."""
    pointer, i = scope.pair(ops, 0)
    value, i = scope.pair(ops, i)
    _check_pointer(pointer)
    return Store(
        scope.void,
        value,
        pointer,
        _ALIGNMENTS[ops[i]],
        bool(ops[i + 1]),
        _ordering(ops[i + 2]),
        scope.scopes[ops[i + 3]],
    )


def _check_pointer(pointer: Value) -> None:
    if type(pointer.type) is not PointerType:
        raise ValueError(f"memory access through {pointer.type.text}")


def _gep(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[flags, source type, pointer, index...]."""
    operands: list[Value] = []
    i, count = 2, len(ops)
    while i < count:
        operand, i = scope.pair(ops, i)
        operands.append(operand)
    result = _gep_type(scope, operands)
    return GetElementPtr(result, scope.types[ops[1]], operands[0], operands[1:], GEP_FLAGS[ops[0]])


def _gep_type(scope: FunctionScope, operands: list[Value]) -> Type:
    base = operands[0].type
    if isinstance(base, VectorType):
        return base
    if type(base) is not PointerType:
        raise ValueError(f"getelementptr of {base.text}")
    for operand in operands:
        if type(operand.type) is VectorType:
            shape = gep_vector_shape(operands)
            assert shape is not None
            return scope.state.context.vector(base, *shape)
    return base


def _fence(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[ordering, scope]."""
    return Fence(scope.void, _ordering(ops[0]), scope.scopes[ops[1]])


def _cmpxchg(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pointer, expected, new, volatile, success, scope, failure, weak, alignment]."""
    pointer, i = scope.pair(ops, 0)
    expected, i = scope.pair(ops, i)
    _check_pointer(pointer)
    new = scope.value(ops[i], expected.type)
    result = scope.state.context.struct([expected.type, scope.i1])
    success, failure = _ordering(ops[i + 2]), _ordering(ops[i + 4])
    alignment = _ALIGNMENTS[ops[i + 6]]
    made = CmpXchg(result, pointer, expected, new, success, failure, alignment)
    made.volatile = bool(ops[i + 1])
    made.sync_scope = scope.scopes[ops[i + 3]]
    made.weak = bool(ops[i + 5])
    return made


def _rmw(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pointer, value, operation, volatile, ordering, scope, alignment]."""
    pointer, i = scope.pair(ops, 0)
    value, i = scope.pair(ops, i)
    _check_pointer(pointer)
    alignment = _ALIGNMENTS[ops[i + 4]]
    made = AtomicRMW(RMW_WORDS[ops[i]], pointer, value, _ordering(ops[i + 2]), alignment)
    made.volatile = bool(ops[i + 1])
    made.sync_scope = scope.scopes[ops[i + 3]]
    return made


MEMORY_READERS: dict[int, Callable[[FunctionScope, list[int]], Instruction]] = {
    19: _alloca,
    20: _load,
    36: _fence,
    41: _load_atomic,
    43: _gep,
    44: _store,
    45: _store_atomic,
    46: _cmpxchg,
    59: _rmw,
}
