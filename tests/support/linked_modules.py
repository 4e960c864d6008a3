"""Modules linked by irsan and by LLVM itself, and what is in the results, for comparison.

LLVM's linker is the one in llvmlite: all modules into an empty one, in one context, as llvm-link
does. What nothing needs is taken out of both results by LLVM's own passes.
"""

from __future__ import annotations

from collections.abc import Sequence

import llvmlite.binding as llvm

from irsan.engine.target import target_machine
from irsan.ir.linker.linking import LinkError, link_modules
from irsan.ir.linker.symbols import symbols_of
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_bitcode, parse_ir_text
from irsan.ir.values import Alias, Function, GlobalObject, GlobalValue, GlobalVariable

Facts = dict[str, tuple[object, ...]]


def linked_by_irsan(texts: Sequence[str]) -> Module | None:
    """The result as LLVM reads it, None when irsan refuses."""
    try:
        linked = link_modules([(f"{n}.ll", parse_ir_text(one)) for n, one in enumerate(texts)])
    except LinkError:
        return None
    module = llvm.parse_assembly(print_module(linked.module), llvm.create_context())
    module.verify()
    return _swept(module)


def linked_by_llvm(texts: Sequence[str]) -> Module | None:
    """The result of LLVM's linker, None when it refuses."""
    context = llvm.create_context()
    whole = llvm.parse_assembly("", context)
    try:
        for text in texts:
            whole.link_in(llvm.parse_assembly(text, context))
        whole.verify()  # which finds requirements of flags that the linker has overlooked
    except RuntimeError:
        return None
    return _swept(whole)


def _swept(module: llvm.ModuleRef) -> Module:
    """The module without what nothing needs."""
    builder = llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
    return parse_ir_bitcode(module.as_bitcode())


def symbol_facts(module: Module) -> Facts:
    """What other modules see of a module: every symbol with all its words and its contents."""
    return {value.name: _facts(value) for value in symbols_of(module) if is_shared(value)}


def is_shared(value: GlobalValue) -> bool:
    """Whether other modules may mean the symbol."""
    return value.linkage not in ("internal", "private") and not value.name.startswith("llvm.")


def _facts(value: GlobalValue) -> tuple[object, ...]:
    comdat = value.comdat if isinstance(value, GlobalObject) else None
    return (
        type(value).__name__, value.linkage, value.visibility, value.unnamed_addr,
        value.thread_local, _contents(value), getattr(value, "alignment", 0),
        getattr(value, "section", ""), getattr(value, "is_constant", False),
        None if comdat is None else (comdat.name, comdat.selection),
    )  # fmt: skip


def _contents(value: object) -> object:
    """What a value is made of: numbers, and symbols by their names or, local ones, by contents."""
    if isinstance(value, GlobalVariable):
        return None if value.initializer is None else _parts(value.initializer)
    if isinstance(value, Alias):
        return ("alias", _parts(value.aliasee))
    if isinstance(value, Function):
        last = value.blocks[-1].instructions[-1] if value.blocks else None
        return None if last is None else [_parts(one) for one in last.operands]
    return None


def _parts(value: object) -> object:
    if isinstance(value, GlobalValue):
        return value.name if is_shared(value) else _contents(value)
    inside = getattr(value, "elements", None) or getattr(value, "operands", None)
    if inside:
        return [_parts(one) for one in inside]
    return getattr(value, "ref", None)
