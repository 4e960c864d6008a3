"""Descriptors of globals for the run-time, in compiler-rt's layout, with names and places.

    @__asan_globals = [ { @x, 40, 96, "x", "a.c", initialised by code?, place, mark }, ... ]
    @___asan_gen_places = [ { "/src/a.c", 3, 0 }, ... ]      one per descriptor that has a place

Words of a descriptor: address, size, size with redzone, name, module, whether code initialises it,
place (file, line, column) or 0, mark by which definitions of one name know each other (-1: there
is no other; 0: names are compared when the program is built).
All texts lie in one array of bytes. A definition that another one may replace is described through
a private alias, so that the description is of this very copy.

Source: struct __asan_global of LLVM's asan_interface_internal.h, version 8.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.instrument.sites.debug_types import variable_node
from irsan.instrument.sites.source_frames import scope_file
from irsan.ir.constants import (
    ConstantAggregate,
    ConstantBytes,
    ConstantExpr,
    ConstantInt,
    ConstantNull,
)
from irsan.ir.module import Module
from irsan.ir.types import StructType
from irsan.ir.values import Alias, Constant, GlobalVariable

DYNAMIC_INIT = "sanitize_address_dyninit"
DESCRIPTOR_BYTES = 64
_PLACE_BYTES = 16
_MODULE_NAME = "___asan_gen_module"
_NO_MARK = -1
_COMPARED_BY_NAME = 0
# What has no redzone of its own stands apart: sections with such names come behind all others.
TEXT_SECTION, TABLE_SECTION = "irsan_global_texts", "irsan_globals"


class Padded(NamedTuple):
    """A global, the size of its object and of all of it, bytes."""

    variable: GlobalVariable
    size_bytes: int
    total_bytes: int


class Describer:
    """Makes descriptors in one module; `finish` gives the shared tables their contents."""

    def __init__(self, module: Module, *, portable: bool) -> None:
        """portable: with the symbols by which native links find duplicate definitions."""
        types = module.types
        self._module, self._with_marks = module, portable
        self._section = "" if portable else TEXT_SECTION
        self.type = types.struct([types.ptr_default, types.i64, types.i64, types.ptr_default,
                                  types.ptr_default, types.i64, types.ptr_default,
                                  types.i64])  # fmt: skip
        self._texts = bytearray()
        self._offsets: dict[str, int] = {}
        self._places: list[Constant] = []
        self._aliases: list[Alias] = []
        self._text_table = self._table("___asan_gen_texts")
        self._place_table = self._table("___asan_gen_places")

    def describe(self, padded: Padded) -> ConstantAggregate:
        """The descriptor of one global."""
        variable = padded.variable
        fields: list[Constant] = [
            self._own_copy(variable),
            self._word(padded.size_bytes),
            self._word(padded.total_bytes),
            self._text(variable.name),
            module_name(self._module, self._section),
            self._word(int(DYNAMIC_INIT in variable.sanitizer)),
            self._place(variable),
            self._mark(variable),
        ]
        return ConstantAggregate(self.type, fields)

    def finish(self) -> None:
        """Fill the tables of texts and places; add the aliases, at once: each one alone would
        cost a look at all symbols.
        """
        self._module.aliases += self._aliases
        types = self._module.types
        raw = bytes(self._texts) or b"\0"
        self._text_table.value_type = types.array(types.i8, len(raw))
        self._text_table.initializer = ConstantBytes(self._text_table.value_type, raw)
        place = self._place_type()
        self._place_table.value_type = types.array(place, len(self._places))
        self._place_table.initializer = ConstantAggregate(
            self._place_table.value_type, self._places
        )

    def _table(self, name: str) -> GlobalVariable:
        types = self._module.types
        empty = types.array(types.i8, 0)
        table = self._module.add_global(empty, name, ConstantNull(empty), "private", True)
        table.section = self._section
        return table

    def _place_type(self) -> StructType:
        types = self._module.types
        return types.struct([types.ptr_default, types.i32, types.i32])

    def _word(self, value: int) -> ConstantInt:
        return ConstantInt(self._module.types.i64, value)

    def _at(self, table: GlobalVariable, offset: int) -> Constant:
        types = self._module.types
        if not offset:
            return table
        operands: list[Constant] = [table, self._word(offset)]
        return ConstantExpr("getelementptr", types.ptr_default, operands, (), types.i8)

    def _text(self, text: str) -> Constant:
        offset = self._offsets.get(text)
        if offset is None:
            offset = self._offsets[text] = len(self._texts)
            self._texts += text.encode("utf-8", "surrogateescape") + b"\0"
        return self._at(self._text_table, offset)

    def _place(self, variable: GlobalVariable) -> Constant:
        types = self._module.types
        file, line = source_place(variable)
        if not file:
            return ConstantNull(types.ptr_default)
        fields: list[Constant] = [
            self._text(file), ConstantInt(types.i32, line), ConstantInt(types.i32, 0)
        ]  # fmt: skip
        self._places.append(ConstantAggregate(self._place_type(), fields))
        return self._at(self._place_table, _PLACE_BYTES * (len(self._places) - 1))

    def _own_copy(self, variable: GlobalVariable) -> Constant:
        if variable.has_local_linkage or variable.comdat is not None:
            return variable
        types = self._module.types
        name = f"___asan_gen_own.{len(self._aliases)}"
        alias = Alias(types.ptr_default, variable.value_type, name, "private", variable)
        self._aliases.append(alias)
        return alias

    def _mark(self, variable: GlobalVariable) -> Constant:
        if variable.has_local_linkage:
            return self._word(_NO_MARK)
        if not self._with_marks:
            return self._word(_COMPARED_BY_NAME)
        types = self._module.types
        mark = self._module.add_global(
            types.i8, f"__odr_asan_gen_{variable.name}", ConstantInt(types.i8, 0), variable.linkage
        )
        mark.visibility, mark.dll_storage = variable.visibility, variable.dll_storage
        mark.alignment = 1
        return ConstantExpr("ptrtoint", types.i64, [mark])


def module_name(module: Module, section: str) -> GlobalVariable:
    """The text by which the run-time knows this module, made when it is first asked for."""
    found = module.global_by_name(_MODULE_NAME)
    if found is None:
        raw = module.source_filename.encode("utf-8", "surrogateescape") + b"\0"
        array = module.types.array(module.types.i8, len(raw))
        contents = ConstantBytes(array, raw)
        found = module.add_global(array, _MODULE_NAME, contents, "private", True)
        found.section = section
    return found


def source_place(variable: GlobalVariable) -> tuple[str, int]:
    """File and line of a global by its debug info; ("", 0) when there is none."""
    for kind, node in variable.metadata:
        described = variable_node(node) if kind == "dbg" else None
        if described is not None:
            line = described.get("line")
            return scope_file(described), line if isinstance(line, int) else 0
    return "", 0

