"""Linking: several modules become one module, by LLVM's rules.

    linked = link_modules([("a.bc", module_a), ("b.bc", module_b)])
    linked.module      verified by whoever prints it;  linked.warnings      for the user

    types         of all modules, as types of one context          type_map
    symbols       which value each name means, module by module    symbols, resolution, comdats
    transfer      what is needed, and what that refers to          transfer, instructions
    metadata      named metadata, module flags, attachments        metadata, module_flags
    names         local symbols that others have the name of       names

All modules are linked at once: a symbol is left out only when nothing in any of them needs it.

Deviations from LLVM's linker, which folds one module after another into the first:
1. A function that only an earlier module refers to is kept when a later module has it as linkonce
   and does not refer to it itself.
2. An alias keeps its own module's definition also when a later module's replaces that; LLVM's does
   so only for an earlier module's. A reference that is extern_weak in one module and plain in
   another is plain. Both are what a linker of objects does.
3. Different data layouts, processors or systems are an error, not a warning.
4. Structs are one when names, but for `.N`, and members agree; LLVM's tries names first and lets
   members of other names stand for each other.

Linking takes the modules' contents apart: use none of them afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irsan.ir.datalayout import DataLayout
from irsan.ir.linker.appending import append_all
from irsan.ir.linker.metadata import append_named, rewrite_nodes
from irsan.ir.linker.module_flags import merged_flags
from irsan.ir.linker.names import rename_locals
from irsan.ir.linker.problems import LinkError, Problems
from irsan.ir.linker.resolution import LOCAL
from irsan.ir.linker.symbols import SymbolTable, symbols_of
from irsan.ir.linker.targets import merged_target
from irsan.ir.linker.transfer import Transfer
from irsan.ir.linker.type_map import TypeMap
from irsan.ir.metadata import MetadataNode
from irsan.ir.module import Module
from irsan.ir.values import (
    Alias,
    Comdat,
    Function,
    GlobalObject,
    GlobalValue,
    GlobalVariable,
    IFunc,
)

__all__ = ["LinkError", "Linked", "link_modules"]


@dataclass(frozen=True, slots=True)
class Linked:
    """The one module, and sentences that a user should read."""

    module: Module
    warnings: tuple[str, ...]


def link_modules(named: Sequence[tuple[str, Module]]) -> Linked:
    """One module of several; names are those of the files, for messages.

    Raises LinkError that names every symbol, flag or target that clashes, and the files.
    """
    problems = Problems()
    modules = [module for _, module in named]
    layout, triple = merged_target(named, problems)
    problems.check()
    result = Module(modules[0].source_filename)
    result.data_layout, result.target_triple = layout, triple
    types = TypeMap([module.types for module in modules], result.types)
    symbols = _resolved(named, types, DataLayout.of(layout), problems)
    transfer = Transfer(symbols, types)
    transfer.run(symbols.needed())
    result.assembly = _assembly(modules)
    _link_metadata(list(named), result, transfer, problems)
    problems.check()
    _place(_in_module_order(modules, transfer.kept), result)
    _settle_names(result, transfer)
    _set_comdats(result, symbols)
    return Linked(result, tuple(problems.warnings))


def _resolved(
    named: Sequence[tuple[str, Module]], types: TypeMap, layout: DataLayout, problems: Problems
) -> SymbolTable:
    symbols = SymbolTable(types, layout, problems)
    for file, module in named:
        symbols.add(module, file)
    append_all(symbols, types, problems)
    problems.check()
    return symbols


def _assembly(modules: Iterable[Module]) -> str:
    """The assembly of all modules, each on lines of its own."""
    return "".join(
        [f"{one.assembly.removesuffix(chr(10))}\n" for one in modules if one.assembly]
    )  # fmt: skip


def _link_metadata(
    named: list[tuple[str, Module]], result: Module, transfer: Transfer, problems: Problems
) -> None:
    modules = [module for _, module in named]
    listed: list[MetadataNode] = [
        node
        for module in modules
        for one in module.named_metadata.values()
        for node in one.operands
    ]
    rewrite_nodes([*transfer.nodes, *listed], transfer)
    result.named_metadata = append_named(modules)
    flags = merged_flags(named, result.types, problems)
    if flags is not None:
        result.named_metadata[flags.name] = flags


def _in_module_order(modules: Sequence[Module], kept: dict[GlobalValue, None]) -> list[GlobalValue]:
    """The kept values as the modules list them, then those that linking has made."""
    listed = [value for module in modules for value in symbols_of(module) if value in kept]
    known = set(listed)
    return [*listed, *[value for value in kept if value not in known]]


def _place(values: list[GlobalValue], result: Module) -> None:
    """Puts values into the lists of the result."""
    result.functions = [value for value in values if isinstance(value, Function)]
    result.globals = [value for value in values if isinstance(value, GlobalVariable)]
    result.aliases = [value for value in values if isinstance(value, Alias)]
    result.ifuncs = [value for value in values if isinstance(value, IFunc)]


def _settle_names(result: Module, transfer: Transfer) -> None:
    """Makes definitions that only aliases use local, and all names differ."""
    for value in transfer.own:
        value.linkage, value.visibility = "internal", ""
        if isinstance(value, GlobalObject):
            value.comdat = None
    values = list(symbols_of(result))
    local = [
        value for value in values if value.linkage in LOCAL or transfer.symbols.is_apart(value)
    ]
    rename_locals(values, frozenset(local))
    result.reindex()


def _set_comdats(result: Module, symbols: SymbolTable) -> None:
    """Comdats of the result's own, for those that members have."""
    selections = symbols.comdats.selections
    for value in (*result.globals, *result.functions):
        if value.comdat is not None:
            name = value.comdat.name
            value.comdat = result.comdats.setdefault(name, Comdat(name, selections[name]))
