"""What the program promises never to reach: `unreachable`, where control can still arrive.

    call void @g()                  call void @g()
    unreachable                     call void @__ubsan_handle_builtin_unreachable(%record)
                                    unreachable

LLVM emits nothing for an `unreachable`: control runs into whatever function lies behind, and the
program fails there, or never ends. The common case is a function of C++ that should return a value
and does not. One call where nothing else would be executed costs no time, so every run has it,
whatever it checks.

Blocks of an `unreachable` alone are left out: cases that a switch does not have, and ends of calls
that throw. A check of the first would cost a comparison each time.

Deviations: native tools look with -fsanitize=unreachable,return only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from irsan.instrument.check_names import UBSAN_HANDLERS
from irsan.instrument.policy import is_touched
from irsan.instrument.undefined.undefined_accesses import unreachable_rule
from irsan.instrument.undefined.undefined_records import UndefinedRecords
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

_HANDLER: Final = f"{UBSAN_HANDLERS}builtin_unreachable"


@dataclass(frozen=True, slots=True)
class UnreachableEnds:
    """Puts a handler's call where a block that does something ends in `unreachable`."""

    def apply(self, module: Module) -> None:
        """Insert the calls into every function that may be touched.

        A module that brings handlers of its own (Zig's do) is left alone.
        """
        handler = module.symbol(_HANDLER)
        if handler is not None and not (isinstance(handler, Function) and handler.is_declaration):
            return
        records = UndefinedRecords(module)
        for function in module.functions[:]:
            if is_touched(function):
                for block in _promised_ends(function):
                    _insert(module, records, function, block)


def _promised_ends(function: Function) -> Iterator[BasicBlock]:
    for block in function.blocks:
        if len(block.instructions) < 2 and block is not function.entry:
            continue
        before = block.instructions[-2] if len(block.instructions) > 1 else None
        is_promised = unreachable_rule(before, block.instructions[-1]) is not None
        if is_promised and not _is_handler(before):
            yield block


def _is_handler(instruction: Instruction | None) -> bool:
    callee = instruction.called_function if isinstance(instruction, Call) else None
    return callee is not None and callee.name.startswith(UBSAN_HANDLERS)


def _insert(
    module: Module, records: UndefinedRecords, function: Function, block: BasicBlock
) -> None:
    """At the place of the end, or of what comes before: front ends seldom say where the end is."""
    placed = [one for one in block.instructions[-2:] if one.debug_location is not None]
    place = placed[-1] if placed else None
    types = module.types
    signature = types.function(types.void, [types.ptr_default])
    handler = module.declare_function(_HANDLER, signature)
    at = Builder(module, [], place.debug_location if place is not None else None)
    at.call(handler, [records.record(function, place, ())])
    block.instructions[-1:-1] = at.instructions
