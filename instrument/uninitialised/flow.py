"""Which values need shadow at all: those that may have undefined bits and whose bits matter.

    bits_reach(i)      operands whose shadow decides the shadow of the result
    bits_matter(i)     operands that are checked, stored, passed or returned there
    live values        reached by a source of undefined bits, and reaching a place where they matter

Most values of a program are in neither set, so most instructions get no second instruction.

Source: MemorySanitizer's visitor for the checks; the two fixpoints are ours, because
nothing behind this pass removes dead shadow.
Soundness: phis start as not live and become so by an operand, which is the least fixpoint of both
directions: a value outside of it has no set bit on any path, or is never used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from irsan.instrument.uninitialised.call_facts import CallFacts
from irsan.instrument.uninitialised.intrinsics import (
    is_masked_load,
    is_masked_store,
    reaching_arguments,
)
from irsan.instrument.uninitialised.shadow_types import ShadowTypes, constant_shadow
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.operations import CAST_OPCODES, FLOAT_BINARY, INTEGER_BINARY
from irsan.ir.values import BasicBlock, Constant, Function, Value

DIVISIONS = frozenset(("udiv", "sdiv", "urem", "srem"))
_ALL = frozenset(
    (*INTEGER_BINARY, *FLOAT_BINARY, *CAST_OPCODES, "fneg", "icmp", "fcmp", "select", "phi",
     "getelementptr", "shufflevector", "insertvalue", "extractvalue")
) - DIVISIONS  # fmt: skip
_FIRST = DIVISIONS | {"extractelement"}
CALLS = frozenset(("call", "invoke", "callbr"))


def bits_reach(instruction: Instruction) -> list[Value]:
    """Operands whose undefined bits make bits of the result undefined."""
    opcode = instruction.opcode
    if opcode in _ALL:
        return instruction.operands
    if opcode in _FIRST:
        return instruction.operands[:1]
    if opcode == "insertelement":
        return instruction.operands[:2]
    if isinstance(instruction, (Call, CallTerminator)):
        if is_masked_load(instruction):
            return instruction.arguments[-1:]
        return reaching_arguments(instruction)
    return []


def bits_matter(instruction: Instruction, facts: CallFacts) -> list[Value]:
    """Operands whose undefined bits are a finding here, or go to memory or to another function."""
    opcode, operands = instruction.opcode, instruction.operands
    if opcode in ("store", "ret", "br", "switch", "indirectbr"):
        return operands
    if opcode in ("load", "atomicrmw"):
        return operands[:1]
    if opcode in DIVISIONS:
        return operands[1:]
    if opcode == "extractelement":
        return operands[1:]
    if opcode == "insertelement":
        return operands[2:]
    if opcode == "cmpxchg":
        return operands[:2]
    if isinstance(instruction, (Call, CallTerminator)):
        if is_masked_store(instruction):
            return instruction.arguments
        if is_masked_load(instruction):
            return instruction.arguments[:-1]
        return facts.mattering(instruction)
    return []


def live_values(
    function: Function, blocks: Iterable[BasicBlock], types: ShadowTypes, facts: CallFacts
) -> frozenset[Value]:
    """The instructions and arguments of a function that need shadow."""
    instructions = [one for block in blocks for one in block.instructions]
    reached = {one: bits_reach(one) for one in instructions}
    users: dict[Value, list[Value]] = {}
    for one, operands in reached.items():
        for operand in operands:
            users.setdefault(operand, []).append(one)
    sources: list[Value] = [
        one for one in instructions if _is_source(one, reached[one], types, facts)
    ]
    sources += [argument for argument in function.arguments if facts.may_arrive(function, argument)]
    undefined = _closure(sources, lambda value: users.get(value, ()))
    wanted: list[Value] = [
        operand
        for one in instructions
        for operand in bits_matter(one, facts)
        if operand in undefined
    ]
    mattering = _closure(wanted, lambda value: reached.get(value, ()))  # type: ignore[call-overload]
    return frozenset(
        value for value in undefined & mattering if types.of(value.type) is not None
    )


def _is_source(
    instruction: Instruction, operands: list[Value], types: ShadowTypes, facts: CallFacts
) -> bool:
    if instruction.opcode in ("load", "atomicrmw") or is_masked_load(instruction):
        return True
    if isinstance(instruction, (Call, CallTerminator)) and facts.may_return_bits(instruction):
        return True
    return any(is_undefined(operand, types) for operand in operands)


def is_undefined(value: Value, types: ShadowTypes) -> bool:
    """Whether a constant has undefined bits."""
    if not isinstance(value, Constant):
        return False
    shadow = types.of(value.type)
    return shadow is not None and constant_shadow(value, shadow) is not None


def _closure(
    start: list[Value], following: Callable[[Value], Iterable[Value]]
) -> set[Value]:
    found, todo = set(start), list(start)
    while todo:
        for value in following(todo.pop()):
            if value not in found:
                found.add(value)
                todo.append(value)
    return found


def edges_into(blocks: Sequence[BasicBlock]) -> dict[BasicBlock, list[BasicBlock]]:
    """The blocks that lead to each block, among these."""
    found: dict[BasicBlock, list[BasicBlock]] = {}
    for block in blocks:
        for successor in block.successors:
            found.setdefault(successor, []).append(block)
    return found
