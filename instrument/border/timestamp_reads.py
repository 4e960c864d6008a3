"""Reads of the processor's time-stamp counter become reads of the virtual clock.

    call i64 @llvm.x86.rdtsc()            call i64 @irsan_timestamp()
    call i64 @llvm.readcyclecounter()     the same
    asm "rdtsc", "={ax},={dx}"            its halves, as the assembly gives them

Programs take their time from the counter (abseil's clocks, random seeds, spin limits).  The real
one does not know of virtual sleeps, and no two runs of a program would be the same.

Assembly counts when it does nothing else: fences before and behind, and at most the shift that puts
the halves together.  Any other that reads the counter keeps the real one.

Deviations: one tick is one nanosecond; the number of the processor that `rdtscp` gives is 0.
Source: Intel's manual, volume 2, RDTSC and RDTSCP; LLVM's reference, `llvm.readcyclecounter`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.policy import is_touched
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt, Poison
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.types import IntegerType, StructType, Type
from irsan.ir.values import BasicBlock, Function, InlineAsm, Value

TIMESTAMP: Final = "irsan_timestamp"
_COUNTERS: Final = frozenset({
    "llvm.readcyclecounter", "llvm.readsteadycounter", "llvm.x86.rdtsc", "llvm.x86.rdtscp",
})  # fmt: skip
_BETWEEN: Final = r"[\s;]*"
_FENCES: Final = rf"(?:[lm]fence{_BETWEEN})*"
_JOINED: Final = r"(?:sh|sa)lq?\s+\$\$(?:32|0x20),\s*%rdx[\s;]+(?:or|add)q?\s+%rdx,\s*(?:%rax|\$0)"
_READ: Final = re.compile(
    rf"{_BETWEEN}{_FENCES}rdtscp?{_BETWEEN}(?P<joined>{_JOINED}{_BETWEEN})?{_FENCES}", re.IGNORECASE
)
_RESULT: Final = re.compile(r"=&?\{[re]?([acd]x)\}")


@dataclass(frozen=True, slots=True)
class TimestampReads:
    """Puts a call of the run-time in the place of each read of the counter."""

    def apply(self, module: Module) -> None:
        """Rewrite the reads in every function that may be touched."""
        for function in module.functions[:]:
            if is_touched(function):
                _rewrite(module, function)


def _rewrite(module: Module, function: Function) -> None:
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        reads = _reads(block)
        if not reads:
            continue
        out: list[Instruction] = []
        for instruction in block.instructions:
            if instruction in reads:
                replaced[instruction] = _append_read(module, instruction, reads[instruction], out)
            else:
                out.append(instruction)
        block.instructions = out
    if replaced:
        replace_all_uses(function, replaced)


def _reads(block: BasicBlock) -> dict[Instruction, tuple[str, ...]]:
    """The block's reads of the counter, with what each gives."""
    calls = [one for one in block.instructions if isinstance(one, Call)]
    return {call: found for call in calls if (found := _registers(call))}


def _registers(call: Call) -> tuple[str, ...]:
    """What the result has, in its order: `full` for all of the counter; nothing: another call."""
    callee = call.operands[0]
    if isinstance(callee, InlineAsm):
        return _registers_of_assembly(callee)
    if not isinstance(callee, Function) or callee.name not in _COUNTERS:
        return ()
    return ("full", "cx") if isinstance(call.type, StructType) else ("full",)


def _registers_of_assembly(assembly: InlineAsm) -> tuple[str, ...]:
    found = _READ.fullmatch(assembly.assembly)
    if found is None or assembly.function_type.parameters:
        return ()
    outputs = [one for one in assembly.constraints.split(",") if not one.startswith("~")]
    matches = [_RESULT.fullmatch(one) for one in outputs]
    registers = [match[1] for match in matches if match is not None]
    if not registers or len(registers) < len(outputs) or not _are_integers(assembly):
        return ()
    if found["joined"] is None:
        return tuple(registers)
    return ("full",) if registers == ["ax"] else ()


def _are_integers(assembly: InlineAsm) -> bool:
    result = assembly.function_type.return_type
    parts = result.elements if isinstance(result, StructType) else [result]
    return all(isinstance(part, IntegerType) for part in parts)


def _append_read(
    module: Module, call: Instruction, registers: tuple[str, ...], out: list[Instruction]
) -> Value:
    types = module.types
    reader = module.declare_function(TIMESTAMP, types.function(types.i64, []))
    at = Builder(module, out, call.debug_location)
    ticks = at.call(reader)
    ticks.debug_records = call.debug_records
    if not isinstance(call.type, StructType):
        return _part(at, ticks, registers[0], call.type)
    result: Value = Poison(call.type)
    for index, (register, kind) in enumerate(zip(registers, call.type.elements, strict=True)):
        result = at.insert_value(result, _part(at, ticks, register, kind), [index])
    return result


def _part(at: Builder, ticks: Value, register: str, kind: Type) -> Value:
    """One of the registers that the instruction writes, as wide as the program takes it."""
    assert isinstance(kind, IntegerType)
    if register == "cx":
        return ConstantInt(kind, 0)
    value: Value = ticks
    if register == "dx":
        value = at.binary("lshr", ticks, at.integer(64, 32))
    elif register == "ax":
        value = at.binary("and", ticks, at.integer(64, 0xFFFF_FFFF))
    return to_width(at, value, kind.width)
