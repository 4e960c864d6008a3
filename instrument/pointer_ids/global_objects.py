"""Globals become objects before any other constructor runs; then the pointers in them get ids.

    @provenance.module_ctor:    __irsan_prov_global(@table, 400)  ...            priority 0
    @provenance.initial_ctor:   __irsan_prov_initial(@provenance.initial, 7)     priority 1

Each begins a group of 8 bytes: a group has one owner.  Only globals whose size this module decides;
thread-local ones have no one address.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.instrument.addresses import AddressFacts
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.pointer_ids.initial_pointers import add_table, may_be_dropped
from irsan.instrument.type_sizes import TypeSizes
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.module import Module
from irsan.ir.rewriting import new_constructor
from irsan.ir.values import GlobalVariable

_NAME = "provenance.module_ctor"
_GROUP_BYTES = 8
_INITIAL = "provenance.initial_ctor"


def add_constructors(hooks: HookCalls, sizes: TypeSizes) -> None:
    """Add the constructors that tell of the module's globals and of pointers in them, if any."""
    module, facts = hooks.module, AddressFacts(sizes)
    calls = []
    for variable in filter(_is_object, module.globals):
        size = facts.object_size(variable)
        if size:
            if variable.alignment:
                variable.alignment = max(variable.alignment, _GROUP_BYTES)
            calls.append(hooks.call("__irsan_prov_global", [variable, hooks.int64(size)], None))
    found = add_table(hooks, sizes)
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


def _is_object(variable: GlobalVariable) -> bool:
    """Not what the linker reads, may drop, or lays out one behind the other in a section."""
    is_own = variable.name.startswith("llvm.") or variable.linkage == "appending"
    return not (is_own or variable.section or may_be_dropped(variable))
