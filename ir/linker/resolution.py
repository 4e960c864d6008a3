"""Which of two global values of one name stays, by their linkages.

    choose(old, new, layout) -> Choice      OLD, NEW, or CONFLICT: both define it for good

Definitions stand in this order, and of equals the first one stays:

    declaration < available_externally < common (the larger one), linkonce < weak < external

A declaration that is extern_weak gives way to any other, as one plain reference makes the symbol
needed. Appending values are never chosen between (`irsan.ir.linker.appending`).

`merge_words` gives both the words that a symbol has by all its declarations: the strictest
visibility, the least promise about its address, the largest alignment of common variables.

Source: the LLVM Language Reference, "Linkage Types", "Visibility Styles", "Global Variables"
(unnamed_addr); behaviour as observed with LLVM 22's linker.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from irsan.ir.datalayout import DataLayout
from irsan.ir.values import GlobalValue, GlobalVariable

LOCAL: Final = frozenset(("internal", "private"))
LINKONCE: Final = frozenset(("linkonce", "linkonce_odr"))
WEAK: Final = frozenset(("weak", "weak_odr"))
AVAILABLE: Final = "available_externally"
APPENDING: Final = "appending"
COMMON: Final = "common"
EXTERN_WEAK: Final = "extern_weak"
_STRICT: Final = ("hidden", "protected")
_ADDRESS_PROMISES: Final = ("", "local_unnamed_addr", "unnamed_addr")


class Choice(Enum):
    """The outcome for two values of one name."""

    OLD = "old"
    NEW = "new"
    CONFLICT = "conflict"


def is_declaration(value: GlobalValue) -> bool:
    """Whether the value defines nothing for other modules."""
    return value.is_declaration or value.linkage == AVAILABLE


def is_discardable(value: GlobalValue) -> bool:
    """Whether nothing is lost with the value when nothing refers to it."""
    return value.is_declaration or value.linkage in LOCAL | LINKONCE or value.linkage == AVAILABLE


def choose(old: GlobalValue, new: GlobalValue, layout: DataLayout) -> Choice:
    """Which value the name means when `old` is there and `new` comes."""
    if is_declaration(new):
        return _declared(old, new)
    if is_declaration(old):
        return Choice.NEW
    if new.linkage == COMMON:
        return _common(old, new, layout)
    if new.linkage in WEAK | LINKONCE:
        is_stronger = old.linkage in LINKONCE and new.linkage in WEAK
        return Choice.NEW if is_stronger else Choice.OLD
    return Choice.NEW if old.linkage in WEAK | LINKONCE | {COMMON} else Choice.CONFLICT


def _declared(old: GlobalValue, new: GlobalValue) -> Choice:
    """`new` defines nothing for good."""
    if new.dll_storage == "dllimport":
        return Choice.NEW if is_declaration(old) else Choice.OLD
    if old.linkage == EXTERN_WEAK:
        return Choice.NEW
    is_body = not new.is_declaration and old.is_declaration
    return Choice.NEW if is_body else Choice.OLD


def _common(old: GlobalValue, new: GlobalValue, layout: DataLayout) -> Choice:
    if old.linkage in WEAK | LINKONCE:
        return Choice.NEW
    if old.linkage != COMMON:
        return Choice.OLD
    is_larger = layout.alloc_size(new.value_type) > layout.alloc_size(old.value_type)
    return Choice.NEW if is_larger else Choice.OLD


def merge_words(old: GlobalValue, new: GlobalValue) -> None:
    """Gives both values the words that hold for either."""
    for word in _STRICT:
        if word in (old.visibility, new.visibility):
            old.visibility = new.visibility = word
            break
    promise = min(old.unnamed_addr, new.unnamed_addr, key=_ADDRESS_PROMISES.index)
    old.unnamed_addr = new.unnamed_addr = promise
    if isinstance(old, GlobalVariable) and isinstance(new, GlobalVariable):
        _merge_variables(old, new)


def _merge_variables(old: GlobalVariable, new: GlobalVariable) -> None:
    if old.is_declaration and new.is_declaration:
        old.is_constant = new.is_constant = old.is_constant and new.is_constant
    if old.linkage == COMMON == new.linkage:
        old.alignment = new.alignment = max(old.alignment, new.alignment)
