"""Redzones behind globals, and the constructor that registers them.

    @x = global [10 x i32] ...      @x = global { [10 x i32], [56 x i8] } ..., align 32
                                    asan.module_ctor:  ... __asan_register_globals(@table, n)

The variable itself grows: its address, and so every use of it in code, constants, aliases and
metadata, stays what it is.  Definitions in a comdat are described one by one, in section
`asan_globals` and in their comdat, so that the linker keeps or drops both (engine only).

Source: LLVM's AddressSanitizer pass.
Deviations: a table per module is registered by address, LLVM's default is a section per link.
Soundness: run it behind the passes that ask how big a global is; they mean the object.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.globals.global_descriptors import (
    DESCRIPTOR_BYTES,
    TABLE_SECTION,
    Describer,
    Padded,
)
from irsan.instrument.globals.global_eligibility import may_have_redzone
from irsan.instrument.globals.redzone_sizes import MIN_REDZONE_BYTES, padded_size
from irsan.instrument.hook_calls import HookCalls
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantAggregate, ConstantInt, ConstantNull
from irsan.ir.module import Module
from irsan.ir.rewriting import new_constructor
from irsan.ir.types import StructType
from irsan.ir.values import Function, GlobalVariable, Value

CONSTRUCTOR, DESTRUCTOR = "asan.module_ctor", "asan.module_dtor"
_SECTION = "asan_globals"
_PRIORITY = 1
NOT_AGAIN = "no_sanitize_address"


@dataclass(frozen=True, slots=True)
class GlobalRedzones:
    """Pads and registers the globals of a module; `portable`: only as LLVM does."""

    portable: bool = False

    def apply(self, module: Module) -> None:
        """Grow the globals, add their descriptors, register them in the module's constructor."""
        padded = _pad_all(module, self.portable)
        if not padded:
            return
        describer = Describer(module, portable=self.portable)
        single = [each for each in padded if each.variable.comdat is not None]
        listed = [describer.describe(each) for each in padded if each.variable.comdat is None]
        for each in single:
            _add_descriptor(module, describer, each)
        describer.finish()
        registering = _Registering(module, portable=self.portable)
        if listed:
            registering.add_table(describer.type, listed)
        if single:
            registering.add_section()


def _pad_all(module: Module, portable: bool) -> list[Padded]:
    sizes = TypeSizes(module)
    found = []
    for variable in module.globals:
        if may_have_redzone(variable, portable=portable):
            size_bytes = sizes.alloc_size(variable.value_type)
            if size_bytes is not None:
                found.append(_pad(module, variable, size_bytes))
                if portable:
                    _keep_for_native_tools(variable)
    return found


def _keep_for_native_tools(variable: GlobalVariable) -> None:
    """A symbol for native symbolisers; clang's own pass, run at the link, must not pad it again."""
    variable.linkage = "internal" if variable.linkage == "private" else variable.linkage
    variable.sanitizer = (*variable.sanitizer, NOT_AGAIN)


def _pad(module: Module, variable: GlobalVariable, size_bytes: int) -> Padded:
    types = module.types
    total_bytes = padded_size(size_bytes, variable.alignment)
    redzone = types.array(types.i8, total_bytes - size_bytes)
    both = types.struct([variable.value_type, redzone])
    old = variable.initializer
    assert old is not None
    if isinstance(old, ConstantNull):
        variable.initializer = ConstantNull(both)
    else:
        variable.initializer = ConstantAggregate(both, [old, ConstantNull(redzone)])
    variable.value_type = both
    variable.alignment = max(variable.alignment, MIN_REDZONE_BYTES)
    variable.unnamed_addr = ""  # one with a redzone may not be merged with another
    return Padded(variable, size_bytes, total_bytes)


def _add_descriptor(module: Module, describer: Describer, padded: Padded) -> None:
    """One descriptor that shares the fate of its variable's comdat."""
    name = f"__asan_global_{padded.variable.name}"
    made = module.add_global(describer.type, name, describer.describe(padded), "private")
    made.section, made.comdat = _SECTION, padded.variable.comdat
    made.alignment = DESCRIPTOR_BYTES  # so that no object leaves a gap in the section


class _Registering:
    """Calls in the module's constructor and, when asked for, their counterparts in a destructor."""

    def __init__(self, module: Module, *, portable: bool) -> None:
        self._module, self._hooks = module, HookCalls(module)
        self._constructor = _starter(module, CONSTRUCTOR, "llvm.global_ctors")
        self._section = "" if portable else TABLE_SECTION
        self._destructor = (
            _starter(module, DESTRUCTOR, "llvm.global_dtors") if portable else None
        )

    def add_table(self, kind: StructType, descriptors: list[ConstantAggregate]) -> None:
        """Register an array of descriptors by address and number."""
        array = self._module.types.array(kind, len(descriptors))
        table = self._module.add_global(
            array, "__asan_globals", ConstantAggregate(array, descriptors), "private"
        )
        table.section = self._section
        table.alignment, table.sanitizer = 16, (NOT_AGAIN,)
        self._call("globals", [table, self._hooks.int64(len(descriptors))])

    def add_section(self) -> None:
        """Register what the link has gathered in the section of descriptors."""
        types = self._module.types
        flag = self._module.add_global(
            types.i64, "___asan_globals_registered", ConstantInt(types.i64, 0), "weak"
        )
        bounds: list[Value] = [
            self._module.add_global(types.i8, f"__{word}_{_SECTION}", linkage="extern_weak")
            for word in ("start", "stop")
        ]
        self._call("elf_globals", [flag, *bounds])

    def _call(self, what: str, arguments: list[Value]) -> None:
        _add_call(self._constructor, self._hooks, f"__asan_register_{what}", arguments)
        if self._destructor is not None:
            _add_call(self._destructor, self._hooks, f"__asan_unregister_{what}", arguments)


def _starter(module: Module, name: str, where: str) -> Function:
    """The module's own constructor or destructor, made when there is none."""
    found = module.function_by_name(name)
    if found is not None:
        return found
    types = module.types
    function = module.declare_function(
        name, types.function(types.void), AttributeList((Attribute("nounwind"),))
    )
    function.linkage = "internal"
    Builder(module, function.new_block(types.label).instructions).ret()
    new_constructor(module, function, _PRIORITY, where)
    return function


def _add_call(function: Function, hooks: HookCalls, name: str, arguments: list[Value]) -> None:
    function.entry.instructions.insert(-1, hooks.call(name, arguments, None))
