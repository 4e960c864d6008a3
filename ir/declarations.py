"""Declarations of what another module, or another part of this one, defines.

    declared_function(value), declared_variable(value)     a declaration is returned as it is
    declaration_of(value)                                  whichever of them it is
"""

from __future__ import annotations

from irsan.ir.types import FunctionType, PointerType
from irsan.ir.values import Alias, Function, GlobalValue, GlobalVariable, IFunc


def declaration_of(value: GlobalValue) -> Function | GlobalVariable:
    """What a module that uses `value` without defining it has in its place."""
    if isinstance(value, Function):
        return declared_function(value)
    if isinstance(value, GlobalVariable):
        return declared_variable(value)
    assert isinstance(value, (Alias, IFunc))
    is_function = isinstance(value.value_type, FunctionType)
    return declared_function(value) if is_function else declared_variable(value)


def declared_function(value: Function | Alias | IFunc) -> Function:
    """The function as a declaration, with the attributes that callers may rely on."""
    if value.is_declaration and isinstance(value, Function):
        return value
    kind = value.value_type
    assert isinstance(kind, FunctionType) and isinstance(value.type, PointerType)
    made = Function(value.type, kind, value.name)
    _copy_words(value, made)
    if isinstance(value, Function):
        made.attributes = value.attributes
        made.calling_convention = value.calling_convention
        made.alignment = value.alignment
    return made


def declared_variable(value: GlobalVariable | Alias | IFunc) -> GlobalVariable:
    """The variable as a declaration."""
    if value.is_declaration and isinstance(value, GlobalVariable):
        return value
    assert isinstance(value.type, PointerType)
    made = GlobalVariable(value.type, value.value_type, value.name)
    _copy_words(value, made)
    if isinstance(value, GlobalVariable):
        made.is_constant, made.alignment = value.is_constant, value.alignment
        made.section, made.code_model = value.section, value.code_model
        made.externally_initialized = value.externally_initialized
        made.sanitizer, made.attributes = value.sanitizer, value.attributes
    return made


def _copy_words(value: GlobalValue, made: GlobalValue) -> None:
    made.visibility, made.dso_local = value.visibility, value.dso_local
    made.thread_local, made.unnamed_addr = value.thread_local, value.unnamed_addr
