"""Globals become objects before any other constructor runs; then the pointers in them get ids.

    @provenance.module_ctor:    __irsan_prov_global(@table, 400)  ...            priority 0
                                __irsan_prov_weak(@size, @size.own, 8)      the linker's choice?
                                __irsan_prov_common(@buffer, 64)            the biggest one?
                                __irsan_prov_functions(@table, 7)           checked_functions.py
    @provenance.initial_ctor:   __irsan_prov_initial(@provenance.initial, 7)     priority 1

Each begins a group of 8 bytes: a group has one owner.  A weak definition counts where the linker
has chosen it: then its name and a private name of this very definition are one address.
Thread-local globals have no one address.  Those in sections that programs lay out themselves, and
walk through from one to the next, are no objects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.pointer_ids.checked_functions import tell_functions
from irsan.instrument.pointer_ids.initial_pointers import (
    add_table,
    is_weak,
    may_be_dropped,
    own_definition,
)
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.module import Module
from irsan.ir.rewriting import new_constructor
from irsan.ir.values import Function, GlobalVariable, Value

_NAME = "provenance.module_ctor"
_PLAIN_SECTION = re.compile(r"\.(data|bss|rodata|ldata|lbss|lrodata)(\.rel\.ro)?\Z")
_GROUP_BYTES = 8
_INITIAL = "provenance.initial_ctor"


def add_constructors(hooks: HookCalls, sizes: TypeSizes, functions: Sequence[Function]) -> None:
    """Add the constructors that register the module's globals, pointers in them, and these
    functions, if any.
    """
    module, facts = hooks.module, AddressFacts(sizes)
    calls = []
    for variable in filter(_is_object, module.globals):
        size = facts.object_size(variable) or _replaceable_size(facts, variable)
        if size:
            if variable.alignment:
                variable.alignment = max(variable.alignment, _GROUP_BYTES)
            calls.append(_birth(hooks, variable, hooks.int64(size)))
    found = add_table(hooks, sizes)
    calls += tell_functions(hooks, functions)
    if calls:
        _add(module, _NAME, calls, 0)
    if found is not None:
        table, count = found
        call = hooks.call("__irsan_prov_initial", [table, hooks.int64(count)], None)
        _add(module, _INITIAL, [call], 1)


def _add(module: Module, name: str, calls: Sequence[Call], priority: int) -> None:
    types = module.types
    promised = Attribute("nounwind"), Attribute("disable_sanitizer_instrumentation")
    attributes = AttributeList(promised)
    function = module.declare_function(name, types.function(types.void), attributes)
    function.linkage = "internal"
    block = function.new_block(types.label)
    block.instructions.extend(calls)
    Builder(module, block.instructions).ret()
    new_constructor(module, function, priority)


def _replaceable_size(facts: AddressFacts, variable: GlobalVariable) -> int | None:
    """Bytes of a definition that another one may replace."""
    is_common = variable.linkage == "common" and not variable.thread_local and not variable.comdat
    if not is_common and not is_weak(variable):
        return None
    return facts.alloc_size(variable.value_type)


def _birth(hooks: HookCalls, variable: GlobalVariable, size: Value) -> Call:
    if variable.linkage == "common":
        return hooks.call("__irsan_prov_common", [variable, size], None)
    if variable.linkage != "weak":
        return hooks.call("__irsan_prov_global", [variable, size], None)
    own = own_definition(hooks.module, variable)
    return hooks.call("__irsan_prov_weak", [variable, own, size], None)


def _is_object(variable: GlobalVariable) -> bool:
    """Not what the linker reads, may drop, or lays out one behind the other in a section."""
    is_own = variable.name.startswith("llvm.") or variable.linkage == "appending"
    is_plain = not variable.section or _PLAIN_SECTION.match(variable.section) is not None
    return is_plain and not is_own and not may_be_dropped(variable)
