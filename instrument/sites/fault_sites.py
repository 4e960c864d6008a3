"""Site numbers for the instructions of unchecked code, at no cost while it runs.

    %v = load i32, ptr %p                ->  %v = load i32, ptr %p, !dbg !DILocation(line: 41, ...)

Where accesses are not checked nothing stores their site in `ctx.site`; the processor's address of a
fault does. So the line numbers of the code that the engine runs are site numbers: the object's line
table (DWARF) then maps every instruction to a site, and the site table to source frames, inlined
ones included. The column is 1 where the function has a shadow frame of its own, else 2.

Takes all other debug info out: it stands in the place of `DebugStripping`.

Source: the LLVM Language Reference, "DILocation"; the DWARF 4 standard, section 6.2 (DWARF 4
because its line tables are the simpler ones).
Soundness: an instruction that the code generator has merged from two has the line of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.function_exits import has_frame
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.debug_stripping import DebugStripping
from irsan.instrument.sites.sites import SiteTable
from irsan.instrument.sites.source_frames import function_to_frames, location_to_frames
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.metadata import (
    DebugNode,
    DILocation,
    MetadataNode,
    MetadataString,
    MetadataTuple,
    NamedMetadata,
    ValueAsMetadata,
)
from irsan.ir.module import Module
from irsan.ir.values import Function

HAS_FRAME, HAS_NO_FRAME = 1, 2  # columns
_LANGUAGE_C99 = 0x0C
_LINE_TABLES_ONLY = 2
_DEFINITION = 8
_UNITS, _FLAGS = "llvm.dbg.cu", "llvm.module.flags"
_WARN, _MAX = 2, 7  # how module flags of two modules are merged
_SITES_FILE = DebugNode("DIFile", {"filename": MetadataString("sites"), "directory": None})
_VERSIONS = ((_MAX, "Dwarf Version", 4), (_WARN, "Debug Info Version", 3))


def has_site_lines(module: Module) -> bool:
    """Whether the lines of a module's instructions are numbers of sites."""
    units = module.named_metadata.get(_UNITS)
    return units is not None and any(
        isinstance(unit, DebugNode) and unit.fields["file"] is _SITES_FILE
        for unit in units.operands
    )


@dataclass(frozen=True, slots=True)
class FaultSites:
    """Numbers every instruction of every function; run it last."""

    sites: SiteTable

    def apply(self, module: Module) -> None:
        """Replace the debug info of a module by lines that are site numbers."""
        sizes = TypeSizes(module)
        functions = [function for function in module.functions if is_touched(function)]
        attach_lines(
            module, [(f, _FunctionSites(self.sites, sizes, f).numbers()) for f in functions]
        )


def attach_lines(
    module: Module, numbered: Sequence[tuple[Function, Iterable[tuple[Instruction, int]]]]
) -> None:
    """Replace the debug info of a module by lines: functions, their instructions and sites."""
    DebugStripping().apply(module)
    if not numbered:
        return
    unit = _compile_unit()
    for function, numbers in numbered:
        _attach(function, numbers, unit)
    module.named_metadata.setdefault(_UNITS, NamedMetadata(_UNITS)).operands.append(unit)
    _add_versions(module)


class _FunctionSites:
    """Sites of one function, by location and size of the access."""

    def __init__(self, sites: SiteTable, sizes: TypeSizes, function: Function) -> None:
        self._sites, self._sizes, self._function = sites, sizes, function
        self._known: dict[tuple[MetadataNode | None, int], int] = {}

    def numbers(self) -> list[tuple[Instruction, int]]:
        """Every instruction and its site."""
        blocks = self._function.blocks
        return [(one, self._site(one)) for block in blocks for one in block.instructions]

    def _site(self, instruction: Instruction) -> int:
        location, size_bytes = instruction.debug_location, self._size(instruction)
        found = self._known.get((location, size_bytes))
        if found is None:
            if isinstance(location, DILocation):
                frames = location_to_frames(location, self._function)
            else:
                frames = function_to_frames(self._function)
            found = self._known[location, size_bytes] = self._sites.add(frames, size_bytes)
        return found

    def _size(self, instruction: Instruction) -> int:
        if isinstance(instruction, Load):
            return self._sizes.store_size(instruction.type)
        if isinstance(instruction, Store):
            return self._sizes.store_size(instruction.operands[0].type)
        return 0


def _attach(
    function: Function, numbers: Iterable[tuple[Instruction, int]], unit: DebugNode
) -> None:
    scope = _subprogram(function, unit)
    function.metadata = (*function.metadata, ("dbg", scope))
    column = HAS_FRAME if has_frame(function) else HAS_NO_FRAME
    places: dict[int, DILocation] = {}
    for instruction, number in numbers:
        place = places.get(number)
        if place is None:
            place = places[number] = DILocation(number, column, scope)
        instruction.debug_location = place


def _compile_unit() -> DebugNode:
    fields = {
        "language": _LANGUAGE_C99,
        "file": _SITES_FILE,
        "emissionKind": _LINE_TABLES_ONLY,
    }
    return DebugNode("DICompileUnit", fields, distinct=True)


def _subprogram(function: Function, unit: DebugNode) -> DebugNode:
    fields = {
        "name": MetadataString(function.name),
        "scope": unit.fields["file"],
        "file": unit.fields["file"],
        "type": DebugNode("DISubroutineType", {"types": None}),
        "spFlags": _DEFINITION,
        "unit": unit,
    }
    return DebugNode("DISubprogram", fields, distinct=True)


def _add_versions(module: Module) -> None:
    flags = module.named_metadata.setdefault(_FLAGS, NamedMetadata(_FLAGS))
    word = module.types.integer(32)
    known = {_flag_name(flag) for flag in flags.operands}
    for behaviour, name, value in _VERSIONS:
        if name in known:
            continue
        numbers = [ValueAsMetadata(ConstantInt(word, number)) for number in (behaviour, value)]
        flags.operands.append(MetadataTuple([numbers[0], MetadataString(name), numbers[1]]))


def _flag_name(flag: MetadataNode) -> str:
    name = flag.operands[1] if isinstance(flag, MetadataTuple) and len(flag.operands) > 1 else None
    return name.text if isinstance(name, MetadataString) else ""
