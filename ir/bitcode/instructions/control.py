"""Records of terminators, phis and exception pads.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents"; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.ir.bitcode.scope import FunctionScope
from irsan.ir.bitcode.tables import FAST_MATH
from irsan.ir.constants import Constant
from irsan.ir.control import (
    Br,
    CatchRet,
    CatchSwitch,
    CleanupRet,
    FuncletPad,
    IndirectBr,
    LandingPad,
    Resume,
    Ret,
    Switch,
    Unreachable,
)
from irsan.ir.instruction import Instruction
from irsan.ir.phi import Phi
from irsan.ir.values import BasicBlock, Value


def _ret(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[] or [value]."""
    return Ret(scope.void, scope.pair(ops, 0)[0] if ops else None)


def _br(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[block] or [if true, if false, condition]."""
    blocks = scope.blocks
    if len(ops) == 1:
        return Br(scope.void, [blocks[ops[0]]])
    return Br(scope.void, [blocks[ops[0]], blocks[ops[1]]], scope.value(ops[2], scope.i1))


def _switch(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[type, condition, default, (case (absolute), block)...]."""
    condition = scope.value(ops[1], scope.types[ops[0]])
    cases: list[tuple[Constant, BasicBlock]] = []
    for value, block in zip(ops[3::2], ops[4::2], strict=True):
        case = scope.values[value]
        if not isinstance(case, Constant):
            raise ValueError("a switch case that is no constant")
        cases.append((case, scope.blocks[block]))
    return Switch(scope.void, condition, scope.blocks[ops[2]], cases)


def _indirectbr(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[type, address, block...]."""
    address = scope.value(ops[1], scope.types[ops[0]])
    return IndirectBr(scope.void, address, [scope.blocks[number] for number in ops[2:]])


def _unreachable(scope: FunctionScope, _: list[int]) -> Instruction:
    return Unreachable(scope.void)


def _resume(scope: FunctionScope, ops: list[int]) -> Instruction:
    return Resume(scope.void, scope.pair(ops, 0)[0])


def _phi(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[type, (value (signed), block)..., flags?]; an even length means that flags are there."""
    result = scope.types[ops[0]]
    has_flags = len(ops) % 2 == 0
    end = len(ops) - 1 if has_flags else len(ops)
    values = [scope.signed_value(raw, result) for raw in ops[1:end:2]]
    blocks = [scope.blocks[number] for number in ops[2:end:2]]
    return Phi(result, values, blocks, FAST_MATH[ops[-1]] if has_flags else ())


def _landingpad(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[type, is cleanup, count, (0 catch or 1 filter, value)...]."""
    clauses: list[tuple[str, Value]] = []
    index = 3
    while index < len(ops):
        kind = ("catch", "filter")[ops[index]]
        value, index = scope.pair(ops, index + 1)
        clauses.append((kind, value))
    if len(clauses) != ops[2]:
        raise ValueError(f"{len(clauses)} clauses of {ops[2]}")
    return LandingPad(scope.types[ops[0]], clauses, bool(ops[1]))


def _funclet_pad(opcode: str) -> Callable[[FunctionScope, list[int]], Instruction]:
    """[parent pad, count, argument...]."""

    def read(scope: FunctionScope, ops: list[int]) -> Instruction:
        token = scope.state.context.token
        parent = scope.value(ops[0], token)
        arguments: list[Value] = []
        index = 2
        while index < len(ops):
            value, index = scope.pair(ops, index)
            arguments.append(value)
        return FuncletPad(opcode, token, parent, arguments)

    return read


def _catchswitch(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[parent pad, count, handler..., unwind block?]."""
    token, end = scope.state.context.token, 2 + ops[1]
    handlers = [scope.blocks[number] for number in ops[2:end]]
    unwind = scope.blocks[ops[end]] if len(ops) > end else None
    return CatchSwitch(token, scope.value(ops[0], token), handlers, unwind)


def _catchret(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pad, block]."""
    pad = scope.value(ops[0], scope.state.context.token)
    return CatchRet(scope.void, pad, scope.blocks[ops[1]])


def _cleanupret(scope: FunctionScope, ops: list[int]) -> Instruction:
    """[pad] or [pad, block]."""
    pad = scope.value(ops[0], scope.state.context.token)
    return CleanupRet(scope.void, pad, scope.blocks[ops[1]] if len(ops) > 1 else None)


CONTROL_READERS: dict[int, Callable[[FunctionScope, list[int]], Instruction]] = {
    10: _ret,
    11: _br,
    12: _switch,
    15: _unreachable,
    16: _phi,
    31: _indirectbr,
    39: _resume,
    47: _landingpad,
    48: _cleanupret,
    49: _catchret,
    50: _funclet_pad("catchpad"),
    51: _funclet_pad("cleanuppad"),
    52: _catchswitch,
}
