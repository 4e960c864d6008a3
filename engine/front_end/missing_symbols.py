"""Where the program uses what no library has: said with function, file and line.

The linker knows an object file that wants a symbol. Its bitcode knows the place, and is read again
only when a link has failed, so that a good run does without. LLVM's code generator makes calls of
library functions from some intrinsics; those of Objective-C are found by their intrinsic's name
(`llvm/include/llvm/IR/RuntimeLibcalls`, `llvm/lib/CodeGen/PreISelIntrinsicLowering.cpp`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.errors import MissingSymbolsError
from irsan.instrument.sites.source_frames import location_to_frames
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_bitcode
from irsan.ir.values import Function, GlobalValue

_OBJECTIVE_C: Final = "llvm.objc."


def with_places(error: MissingSymbolsError, units: Sequence[CompiledUnit]) -> MissingSymbolsError:
    """The same error; behind each name that a unit uses in its code, the first place that does."""
    wanted = set(error.wanted_by)
    places: dict[str, str] = {}
    for unit in units:
        for name, place in _uses(parse_ir_bitcode(unit.bitcode), wanted):
            places.setdefault(name, place)
    return MissingSymbolsError(error.wanted_by | places)


def _uses(module: Module, wanted: set[str]) -> Iterator[tuple[str, str]]:
    for function in module.functions:
        for block in function.blocks:
            for op in block.instructions:
                for value in op.operands:
                    if isinstance(value, GlobalValue) and symbol_of(value.name) in wanted:
                        yield symbol_of(value.name), _place(function, op)


def symbol_of(name: str) -> str:
    """The symbol that code of a global's name asks for: `llvm.objc.retain` -> `objc_retain`."""
    if name.startswith(_OBJECTIVE_C):
        return f"objc_{name.removeprefix(_OBJECTIVE_C).replace('.', '_')}"
    return name


def _place(function: Function, op: Instruction) -> str:
    if op.location is None:
        return f"function {function.name}"
    name, file, line, column = location_to_frames(op.location, function)[0]
    return f"{name}, {file}:{line}:{column}"
