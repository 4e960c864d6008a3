"""Module records that declare symbols: GLOBALVAR, FUNCTION, ALIAS, IFUNC, COMDAT.

Each starts with the offset and size of its name in the string table. Operands that refer to
constants (initializers, aliasees, personalities) wait until the constants have been read.

Source: the LLVM bitcode file format, "MODULE_CODE_GLOBALVAR Record" and its neighbours; observed
with llvm-bcanalyzer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.constants import constant_at
from irsan.ir.bitstream.model import Record
from irsan.ir.text import decode_name
from irsan.ir.types import FunctionType
from irsan.ir.values import (
    Alias,
    Comdat,
    Function,
    GlobalValue,
    GlobalVariable,
    IFunc,
)

if TYPE_CHECKING:
    from irsan.ir.bitcode.state import ModuleState


class SymbolReader:
    """Makes symbols from records; `finish` sets what had to wait for the constants."""

    def __init__(self, state: ModuleState) -> None:
        self.state = state
        self.comdats: list[Comdat] = []
        self._waiting: list[tuple[int, GlobalValue, str, Record]] = []

    def finish(self) -> None:
        """Sets initializers, aliasees and the like; needs all module constants."""
        for index, symbol, attribute, record in self._waiting:
            self.state.position.block_id = c.MODULE
            self.state.position.record = record
            setattr(symbol, attribute, constant_at(self.state, index))
        self._waiting.clear()

    def read_comdat(self, record: Record) -> None:
        """COMDAT [name offset, name size, selection]."""
        ops = record.operands
        comdat = Comdat(self._name(ops), c.COMDAT_KINDS[ops[2]])
        self.comdats.append(comdat)
        self.state.module.comdats[comdat.name] = comdat

    def read_variable(self, record: Record) -> None:
        """GLOBALVAR; a simple one ends after the section."""
        ops, state = record.operands, self.state
        flags = ops[3]
        if not flags & 2:
            raise ValueError("a typed pointer")
        pointer = state.context.ptr(flags >> 2)
        linkage = c.LINKAGES[ops[5]]
        variable = GlobalVariable(pointer, state.types[ops[2]], self._name(ops), linkage)
        variable.is_constant = bool(flags & 1)
        variable.alignment = c.alignment_bytes(ops[6])
        variable.section = self._section(ops[7])
        self._later(ops[4], variable, "initializer", record)
        if len(ops) > 8:
            self._read_variable_rest(variable, ops)
        state.values.append(variable)
        state.module.globals.append(variable)

    def _read_variable_rest(self, variable: GlobalVariable, ops: list[int]) -> None:
        variable.visibility = c.VISIBILITIES[ops[8]]
        variable.thread_local = c.THREAD_LOCAL[ops[9]]
        variable.unnamed_addr = c.UNNAMED_ADDR[ops[10]]
        variable.externally_initialized = bool(ops[11])
        variable.dll_storage = c.DLL_STORAGE[ops[12]]
        variable.comdat = self._comdat(ops[13])
        variable.attributes = self.state.attribute_lists[ops[14]].function
        variable.dso_local = bool(ops[15])
        variable.partition = decode_name(self.state.name_at(ops[16], ops[17]))
        flags = ops[18]
        variable.sanitizer = tuple(
            [word for bit, word in enumerate(c.SANITIZER_FLAGS) if flags >> bit & 1]
        )
        variable.code_model = c.CODE_MODELS[ops[19]] if len(ops) > 19 else ""

    def read_function(self, record: Record) -> None:
        """FUNCTION [name, size, type, cc, is declaration, linkage, attributes, alignment,
        section, ...].
        """
        ops, state = record.operands, self.state
        function_type = state.types[ops[2]]
        if not isinstance(function_type, FunctionType):
            raise ValueError(f"a function of type {function_type.text}")
        pointer = state.context.ptr(ops[18])
        function = Function(pointer, function_type, self._name(ops), c.LINKAGES[ops[5]])
        function.calling_convention = ops[3]
        function.attributes = state.attribute_lists[ops[6]]
        function.alignment = c.alignment_bytes(ops[7])
        function.section = self._section(ops[8])
        function.visibility = c.VISIBILITIES[ops[9]]
        function.garbage_collector = state.collector_names[ops[10] - 1] if ops[10] else ""
        function.unnamed_addr = c.UNNAMED_ADDR[ops[11]]
        self._later(ops[12], function, "prologue_data", record)
        function.dll_storage = c.DLL_STORAGE[ops[13]]
        function.comdat = self._comdat(ops[14])
        self._later(ops[15], function, "prefix_data", record)
        self._later(ops[16], function, "personality", record)
        function.dso_local = bool(ops[17])
        function.partition = decode_name(state.name_at(ops[19], ops[20]))
        if not ops[4]:
            state.pending_bodies.append(function)
        state.values.append(function)
        state.module.functions.append(function)

    def read_alias(self, record: Record) -> None:
        """ALIAS [name, size, type, address space, aliasee, linkage, visibility, dll, tls, ...]."""
        ops, state = record.operands, self.state
        pointer = state.context.ptr(ops[3])
        alias = Alias(pointer, state.types[ops[2]], self._name(ops), c.LINKAGES[ops[5]])
        alias.visibility = c.VISIBILITIES[ops[6]]
        alias.dll_storage = c.DLL_STORAGE[ops[7]]
        alias.thread_local = c.THREAD_LOCAL[ops[8]]
        alias.unnamed_addr = c.UNNAMED_ADDR[ops[9]]
        alias.dso_local = bool(ops[10])
        alias.partition = decode_name(state.name_at(ops[11], ops[12]))
        self._later(ops[4] + 1, alias, "aliasee", record)
        state.values.append(alias)
        state.module.aliases.append(alias)

    def read_ifunc(self, record: Record) -> None:
        """IFUNC [name, size, type, address space, resolver, linkage, visibility, dso_local,
        ...].
        """
        ops, state = record.operands, self.state
        pointer = state.context.ptr(ops[3])
        ifunc = IFunc(pointer, state.types[ops[2]], self._name(ops), c.LINKAGES[ops[5]])
        ifunc.visibility = c.VISIBILITIES[ops[6]]
        ifunc.dso_local = bool(ops[7])
        ifunc.partition = decode_name(state.name_at(ops[8], ops[9]))
        self._later(ops[4] + 1, ifunc, "resolver", record)
        state.values.append(ifunc)
        state.module.ifuncs.append(ifunc)

    def _name(self, ops: list[int]) -> str:
        return decode_name(self.state.name_at(ops[0], ops[1]))

    def _section(self, number: int) -> str:
        return self.state.section_names[number - 1] if number else ""

    def _comdat(self, number: int) -> Comdat | None:
        return self.comdats[number - 1] if number else None

    def _later(self, number: int, symbol: GlobalValue, attribute: str, record: Record) -> None:
        """Constant `number` - 1 goes to `symbol.attribute` once it exists; 0 is none."""
        if number:
            self._waiting.append((number - 1, symbol, attribute, record))
