"""Reads of the thread pointer give the guest thread's own, as pthread_self does.

    call ptr @llvm.thread.pointer()                    call i64 @irsan_thread_pointer()
    asm "movq %fs:$1, $0", "=r,*m"(ptr null)           the same
    asm "movq %fs:$1, $0", "=r,*m"(ptr %at)            the same where %at is null, the assembly else
    asm "mov %fs:0, $0", "=r"                          the same
    load i64, ptr addrspace(257) null                  the same

All guest threads share one thread of the system, so the register itself tells none from another.
Allocators take it for the number of a thread (mimalloc's `_mi_thread_id`).

May miss: other assembly that reads it, and other words of the thread control block.
Source: ELF Handling For Thread-Local Storage (Drepper), x86-64: the word at %fs:0 is its own
address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from irsan.instrument.policy import is_touched
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantNull
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load
from irsan.ir.module import Module
from irsan.ir.operations import Select
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.types import IntegerType, PointerType, Type
from irsan.ir.values import Function, InlineAsm, Value

THREAD_POINTER: Final = "irsan_thread_pointer"
_INTRINSIC: Final = "llvm.thread.pointer"
_FS: Final = 257  # the address space of what %fs points to
_WORD_BITS: Final = 64
_READ: Final = re.compile(
    r"\s*movq?\s+%fs:(?P<place>\$1|0|0x0|\(0\)),\s*\$0\s*;?\s*", re.IGNORECASE
)
_RESULT: Final = re.compile(r"=&?r")


@dataclass(frozen=True, slots=True)
class ThreadPointerReads:
    """Puts a call of the run-time in the place of each read."""

    def apply(self, module: Module) -> None:
        """Rewrite the reads in every function that may be touched."""
        for function in module.functions[:]:
            if is_touched(function):
                _rewrite(module, function)


def _rewrite(module: Module, function: Function) -> None:
    replaced: dict[Value, Value] = {}
    chosen: list[tuple[Select, Instruction]] = []
    for block in function.blocks:
        if not any(map(_is_read, block.instructions)):
            continue
        out: list[Instruction] = []
        for instruction in block.instructions:
            if not _is_read(instruction):
                out.append(instruction)
                continue
            at = Builder(module, out, instruction.debug_location)
            place = _unknown_place(instruction)
            if place is not None:
                out.append(instruction)
            own = _own_pointer(module, at, instruction.type)
            if place is not None:
                own = at.select(at.icmp("eq", place, ConstantNull(place.type)), own, instruction)
                chosen.append((own, instruction))
            replaced[instruction] = own
        block.instructions = out
    if replaced:
        replace_all_uses(function, replaced)
    for select, read in chosen:
        select.operands[-1] = read


def _is_read(instruction: Instruction) -> bool:
    if not isinstance(instruction.type, IntegerType | PointerType):
        return False
    if isinstance(instruction.type, IntegerType) and instruction.type.width != _WORD_BITS:
        return False
    if isinstance(instruction, Load):
        return _is_null_of_fs(instruction.operands[0])
    if not isinstance(instruction, Call):
        return False
    callee = instruction.operands[0]
    if isinstance(callee, InlineAsm):
        return _is_read_by_assembly(callee, len(instruction.arguments))
    return isinstance(callee, Function) and callee.name.startswith(_INTRINSIC)


def _is_null_of_fs(pointer: Value) -> bool:
    kind = pointer.type
    is_fs = isinstance(kind, PointerType) and kind.address_space == _FS
    return is_fs and isinstance(pointer, ConstantNull)


def _is_read_by_assembly(assembly: InlineAsm, n_arguments: int) -> bool:
    found = _READ.fullmatch(assembly.assembly)
    if found is None:
        return False
    wanted = ["*m"] if found["place"] == "$1" else []
    result, *others = [one for one in assembly.constraints.split(",") if not one.startswith("~")]
    return bool(_RESULT.fullmatch(result)) and others == wanted and n_arguments == len(wanted)


def _unknown_place(read: Instruction) -> Value | None:
    """Where it reads, if that may be any word."""
    places = read.arguments if isinstance(read, Call) else []
    return None if not places or isinstance(places[0], ConstantNull) else places[0]


def _own_pointer(module: Module, at: Builder, kind: Type) -> Value:
    types = module.types
    reader = module.declare_function(THREAD_POINTER, types.function(types.i64, []))
    word = at.call(reader)
    return at.cast("inttoptr", word, kind) if isinstance(kind, PointerType) else word
