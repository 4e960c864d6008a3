"""Changes that walk a whole function or module: replacing values, visiting constants, adding
constructors.

Use lists are not maintained, so replacing is one walk over everything that has operands; replace
many values in one call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantAggregate, ConstantInt, ConstantNull
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import DIArgList, Metadata, ValueAsMetadata
from irsan.ir.module import Module
from irsan.ir.types import ArrayType
from irsan.ir.values import Constant, Function, GlobalVariable, MetadataAsValue, Value


def replace_all_uses(where: Function | Module, replacements: Mapping[Value, Value]) -> None:
    """Every operand that is a key becomes its value, in instructions, bundles and debug records.

    Within constants (initializers, constant expressions) nothing is replaced.
    """
    functions = where.functions if isinstance(where, Module) else [where]
    for function in functions:
        for instruction in instructions_of(function):
            _replace_in(instruction, replacements)


def instructions_of(function: Function) -> Iterator[Instruction]:
    """All instructions in block order."""
    for block in function.blocks:
        yield from block.instructions


def _replace_in(instruction: Instruction, replacements: Mapping[Value, Value]) -> None:
    operands = instruction.operands
    for index, operand in enumerate(operands):
        if operand in replacements:
            operands[index] = replacements[operand]
        elif type(operand) is MetadataAsValue:
            _replace_in_metadata(operand.metadata, replacements)
    if isinstance(instruction, (Call, CallTerminator)):
        for bundle in instruction.bundles:
            bundle.operands = [replacements.get(value, value) for value in bundle.operands]
    for record in instruction.debug_records:
        for item in record.operands:
            if item is not None:
                _replace_in_metadata(item, replacements)


def _replace_in_metadata(metadata: Metadata, replacements: Mapping[Value, Value]) -> None:
    if isinstance(metadata, ValueAsMetadata):
        metadata.value = replacements.get(metadata.value, metadata.value)
    elif isinstance(metadata, DIArgList):
        for argument in metadata.arguments:
            argument.value = replacements.get(argument.value, argument.value)


def new_constructor(
    module: Module, function: Function, priority: int = 65535, name: str = "llvm.global_ctors"
) -> None:
    """Appends `function` to the module's constructors (or destructors: `name`
    llvm.global_dtors).
    """
    types = module.types
    entry = types.struct([types.i32, types.ptr_default, types.ptr_default])
    fields: list[Constant] = [
        ConstantInt(types.i32, priority),
        function,
        ConstantNull(types.ptr_default),
    ]
    entries = [*_array_elements(module.global_by_name(name)), ConstantAggregate(entry, fields)]
    variable = module.global_by_name(name)
    if variable is None:
        variable = module.add_global(types.array(entry, 0), name, linkage="appending")
    variable.value_type = types.array(entry, len(entries))
    variable.initializer = ConstantAggregate(variable.value_type, entries)


def append_to_used(module: Module, values: list[Constant], name: str = "llvm.used") -> None:
    """Adds `values` to @llvm.used (or @llvm.compiler.used), so that nothing drops them."""
    types = module.types
    variable = module.global_by_name(name)
    entries = [*_array_elements(variable), *values]
    array = types.array(types.ptr_default, len(entries))
    if variable is None:
        variable = module.add_global(array, name, linkage="appending")
        variable.section = "llvm.metadata"
    variable.value_type = array
    variable.initializer = ConstantAggregate(array, entries)


def drop_from_array(module: Module, function: Function, name: str) -> None:
    """Takes `function`'s entries out of @llvm.used, @llvm.global_ctors or another such array.

    An array without entries goes, as LLVM leaves none behind.
    """
    variable = module.global_by_name(name)
    if variable is None:
        return
    old = _array_elements(variable)
    entries = [entry for entry in old if not _names(entry, function)]
    if entries and len(entries) < len(old):
        variable.value_type = module.types.array(entries[0].type, len(entries))
        variable.initializer = ConstantAggregate(variable.value_type, entries)
    elif not entries:
        module.globals.remove(variable)
        module.reindex()


def _names(entry: Constant, function: Function) -> bool:
    if isinstance(entry, ConstantAggregate):
        return any(element is function for element in entry.elements)
    return entry is function


def _array_elements(variable: GlobalVariable | None) -> list[Constant]:
    """The initializer of an appending array, element by element."""
    initializer = variable.initializer if variable is not None else None
    if isinstance(initializer, ConstantAggregate) and isinstance(initializer.type, ArrayType):
        return initializer.elements
    return []
