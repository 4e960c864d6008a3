"""Tells the run-time which functions are checked, so that calls by pointer know what they reach.

    @provenance.functions = [ ptr @f, ptr @main, ... ]
    @provenance.functions_ctor:   __irsan_prov_functions(@provenance.functions, 2)      priority 0

Those that other modules can name, and those whose address is taken here; of the others all
calls are seen.  Of a library's those that show nothing, such as `free`, count as checked.  One that
is missing counts as not checked: what it gets is exposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.pointer_ids.library_calls import is_opaque
from irsan.instrument.policy import is_touched
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantAggregate
from irsan.ir.module import Module
from irsan.ir.values import Alias, Constant, Function, GlobalVariable, Value

_NAME = "provenance.functions"
_DISCARDABLE = ("linkonce", "linkonce_odr")
_WORD_BYTES = 8


def functions_to_tell(module: Module) -> list[Function]:
    """The functions that calls by pointer may reach, and that are checked or show nothing of their
    pointers, in a module without hooks.
    """
    taken = set(_taken(module))
    return [
        one
        for one in module.functions
        if (_is_checked(one) and (_is_named(one) or one in taken))
        or (one.is_declaration and one in taken and is_opaque(one.name))
    ]


def tell_functions(hooks: HookCalls, found: Sequence[Function]) -> list[Call]:
    """The call that registers these functions, if there are any."""
    if not found:
        return []
    module = hooks.module
    array = module.types.array(module.types.ptr_default, len(found))
    table = module.add_global(array, _NAME, ConstantAggregate(array, found), "private")
    table.sanitizer = ("no_sanitize_address",)
    table.alignment = _WORD_BYTES
    return [hooks.call("__irsan_prov_functions", [table, hooks.int64(len(found))], None)]


def _is_checked(function: Function) -> bool:
    """Whether it has a body here, with checks, that no linker drops while the table stays."""
    if not is_touched(function) or function.linkage == "available_externally":
        return False
    return function.comdat is None or not function.has_local_linkage


def _is_named(function: Function) -> bool:
    return not function.has_local_linkage and function.linkage not in _DISCARDABLE


def _taken(module: Module) -> Iterator[Function]:
    """Functions that anything but a call's callee names."""
    named = [one.initializer for one in module.globals]
    named += [one.aliasee for one in module.aliases]
    waiting: list[Value] = [one for one in named if one is not None]
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                is_call = isinstance(instruction, (Call, CallTerminator))
                waiting += instruction.operands[1 if is_call else 0 :]
    return _functions_in(waiting)


def _functions_in(waiting: list[Value]) -> Iterator[Function]:
    seen: set[Value] = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, Function):
            yield value
        elif isinstance(value, Constant) and not isinstance(value, (Alias, GlobalVariable)):
            inner = getattr(value, "operands", None) or getattr(value, "elements", None) or ()
            if value not in seen:
                seen.add(value)
                waiting += inner
