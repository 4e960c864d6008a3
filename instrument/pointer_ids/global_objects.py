"""Globals become objects before any other constructor runs.

    @provenance.module_ctor:  __irsan_prov_global(@table, 400)  ...      priority 0

Only globals whose size this module decides; thread-local ones have no one address.
"""

from __future__ import annotations

from irsan.instrument.addresses import AddressFacts
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.type_sizes import TypeSizes
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.builder import Builder
from irsan.ir.rewriting import new_constructor
from irsan.ir.values import GlobalVariable

_NAME = "provenance.module_ctor"


def add_constructor(hooks: HookCalls, sizes: TypeSizes) -> None:
    """Add the constructor that tells of the module's globals, if it has any."""
    module, facts = hooks.module, AddressFacts(sizes)
    told = [(one, facts.object_size(one)) for one in module.globals if _is_object(one)]
    calls = [
        hooks.call("__irsan_prov_global", [variable, hooks.int64(size)], None)
        for variable, size in told
        if size
    ]
    if not calls:
        return
    types = module.types
    promised = Attribute("nounwind"), Attribute("disable_sanitizer_instrumentation")
    attributes = AttributeList(promised)
    function = module.declare_function(_NAME, types.function(types.void), attributes)
    function.linkage = "internal"
    block = function.new_block(types.label)
    block.instructions.extend(calls)
    Builder(module, block.instructions).ret()
    new_constructor(module, function, 0)


def _is_object(variable: GlobalVariable) -> bool:
    """Not what the linker reads, nor what it lays out one behind the other in a section."""
    is_own = variable.name.startswith("llvm.") or variable.linkage == "appending"
    return not (is_own or variable.section or variable.comdat)
