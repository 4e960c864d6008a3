"""Constructors and destructors of a module as the sections that native object files have.

    @llvm.global_ctors = [.. { i32 65535, ptr @init, ptr @variable } ..]
    ->  @irsan.structor = private global ptr @init, section ".init_array", comdat($variable)

llvmlite's code generator can only write the older `.ctors`, one section per key, each of them
backwards: the order between sections is lost.  This writes what clang writes: entries
of one priority and key share a section, in their order, and sections stand in the order of their
first entries.  An entry whose key several modules define goes with that definition, so an inline
variable is initialised where the first module that defines it initialises it.

Source: LLVM's AsmPrinter::emitXXStructorList and TargetLoweringObjectFileELF; System V ABI, section
"Initialization and Termination Functions".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.ir.constants import ConstantAggregate, ConstantInt
from irsan.ir.module import Module
from irsan.ir.rewriting import append_to_used
from irsan.ir.values import Comdat, Constant, GlobalObject, GlobalVariable

_SECTIONS: Final = {"llvm.global_ctors": ".init_array", "llvm.global_dtors": ".fini_array"}
_LAST_PRIORITY: Final = 65535  # of entries without a number
_WORD_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Structors:
    """Run it last: other passes look for the arrays."""

    def apply(self, module: Module) -> None:
        """Take the arrays apart."""
        made: list[Constant] = []
        for name, section in _SECTIONS.items():
            variable = module.global_by_name(name)
            if variable is None:
                continue
            module.globals.remove(variable)
            if isinstance(variable.initializer, ConstantAggregate):
                made += _placed(module, variable.initializer.elements, section)
        module.reindex()
        if made:
            append_to_used(module, made, "llvm.compiler.used")


def _placed(module: Module, entries: list[Constant], section: str) -> list[GlobalVariable]:
    """One variable per entry, by priority and then in their order, as LLVM sorts them."""
    rows = [entry.elements for entry in entries if isinstance(entry, ConstantAggregate)]
    rows.sort(key=lambda row: _priority(row[0]))
    return [_pointer(module, row, section) for row in rows if not _is_elsewhere(row[2])]


def _pointer(module: Module, row: list[Constant], section: str) -> GlobalVariable:
    pointer = module.add_global(row[1].type, "irsan.structor", linkage="private")
    pointer.initializer = row[1]
    pointer.alignment = _WORD_BYTES
    number = _priority(row[0])
    pointer.section = section if number == _LAST_PRIORITY else f"{section}.{number}"
    if isinstance(row[2], GlobalObject):
        pointer.comdat = module.comdats.setdefault(row[2].name, Comdat(row[2].name))
    return pointer


def _priority(value: Constant) -> int:
    assert isinstance(value, ConstantInt)
    return value.value & 0xFFFF_FFFF


def _is_elsewhere(key: Constant) -> bool:
    """Whether the entry belongs to a variable of which this module has no definition of its own."""
    if not isinstance(key, GlobalObject):
        return False
    return key.is_declaration or key.linkage == "available_externally"
