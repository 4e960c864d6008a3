"""Pointers in the initial values of globals have their objects' ids before the program runs.

    @p = global ptr getelementptr (i8, ptr @table, i64 8)

    @provenance.initial = [ place @p, pointer (that constant), object @table ], ...
    @provenance.initial_ctor:  __irsan_prov_initial(@provenance.initial, 1)        priority 1

Behind the constructors that make the objects, of all modules: an object may be another module's.
The run-time compares the place with the pointer first, so what the linker has chosen instead of
this module's value, or that was written since, gets no id.  Functions are no objects.  Of a
weak global the place is that of this module's definition, be it the linker's choice or not.

The image of thread-local variables is filled like any other global; each thread's copy takes the
ids from there.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.pointer_ids.function_ids import variable_of
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.ir.constants import ConstantAggregate, ConstantExpr, ConstantSplat
from irsan.ir.module import Module
from irsan.ir.types import PointerType, VectorType
from irsan.ir.values import Alias, Constant, GlobalValue, GlobalVariable

_Pointer = tuple[int, Constant, GlobalValue]
"""Its offset in the global, the pointer, and its object."""
_NAME = "provenance.initial"
_SLOT_BYTES = 8


def add_table(hooks: HookCalls, sizes: TypeSizes) -> tuple[GlobalVariable, int] | None:
    """A new global with all such pointers of the module, and how many there are."""
    module, types = hooks.module, hooks.module.types
    entry = types.struct([types.ptr_default] * 3)
    entries: list[Constant] = [
        ConstantAggregate(entry, [_place(hooks, holder, offset), pointer, base])
        for holder, found in _holders(hooks, sizes)
        for offset, pointer, base in found
    ]
    if not entries:
        return None
    array = types.array(entry, len(entries))
    table = module.add_global(array, _NAME, ConstantAggregate(array, entries), "private")
    table.sanitizer = ("no_sanitize_address",)
    table.alignment = _SLOT_BYTES
    return table, len(entries)


def _holders(hooks: HookCalls, sizes: TypeSizes) -> Iterator[tuple[GlobalValue, list[_Pointer]]]:
    """Globals with pointers to others in them, a weak one by its own name, and those pointers."""
    module, facts = hooks.module, AddressFacts(sizes)
    for variable in module.globals[:]:
        if not _is_place(variable) or not (facts.object_size(variable) or is_weak(variable)):
            continue
        found = list(_pointers(hooks, sizes, variable))
        if found:
            yield own_definition(module, variable) if is_weak(variable) else variable, found


def _is_place(variable: GlobalVariable) -> bool:
    is_own = variable.name.startswith("llvm.") or variable.section.startswith("llvm.")
    return not (is_own or may_be_dropped(variable) or variable.linkage == "appending")


def may_be_dropped(variable: GlobalVariable) -> bool:
    """Whether the linker may take another module's group, which does not stand for this one."""
    return variable.comdat is not None and variable.has_local_linkage


def is_weak(variable: GlobalVariable) -> bool:
    """Whether the linker may choose another definition and leaves this one in its place."""
    is_left = variable.comdat is None and not variable.thread_local
    return variable.linkage == "weak" and is_left


def own_definition(module: Module, variable: GlobalVariable) -> Alias:
    """The private name of this module's definition of a weak global."""
    name = f"{variable.name}.own"
    for alias in module.aliases:
        if alias.name == name and alias.linkage == "private":
            return alias
    assert isinstance(variable.type, PointerType)
    own = Alias(variable.type, variable.value_type, name, "private", variable)
    module.aliases.append(own)
    return own


def _pointers(
    hooks: HookCalls, sizes: TypeSizes, variable: GlobalVariable
) -> Iterator[_Pointer]:
    """The pointers to globals in an initial value."""
    assert variable.initializer is not None
    work: list[tuple[int, Constant]] = [(0, variable.initializer)]
    while work:
        offset, constant = work.pop()
        if is_plain_pointer(constant.type):
            base = variable_of(constant)
            if base is not None:
                yield offset, constant, base
            continue
        for index, element in enumerate(_elements(constant)):
            inner = sizes.gep_offset(constant.type, [hooks.int32(0), hooks.int32(index)])
            if inner is not None:
                work.append((offset + inner, element))


def _elements(constant: Constant) -> list[Constant]:
    """The constants inside; those of numbers only are left out where that is seen at once."""
    if isinstance(constant, ConstantSplat) and isinstance(constant.type, VectorType):
        return [constant.element] * constant.type.count
    return constant.elements if isinstance(constant, ConstantAggregate) else []


def _place(hooks: HookCalls, base: GlobalValue, offset: int) -> Constant:
    if not offset:
        return base
    types = hooks.module.types
    operands = [base, hooks.int64(offset)]
    return ConstantExpr("getelementptr", types.ptr_default, operands, (), types.i8)
