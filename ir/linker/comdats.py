"""Comdats of several modules: of each name one module's members stay.

    any             the first module's          largest         the one whose leader is larger
    exactmatch      the first; equal leaders    samesize        the first; leaders of one size
    nodeduplicate   all members stay

The leader is the variable of the comdat's name. `any` and `largest` go together as `largest` does;
other kinds that differ are an error. The result has the kind of the module whose members stay.

Source: the LLVM Language Reference, "Comdats"; behaviour as observed with LLVM 22's linker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

from irsan.ir.constants import BlockAddress, ConstantExpr
from irsan.ir.datalayout import DataLayout
from irsan.ir.linker.problems import Problems
from irsan.ir.linker.resolution import LOCAL
from irsan.ir.module import Module
from irsan.ir.values import Alias, Comdat, Constant, GlobalObject, GlobalValue, GlobalVariable

_MIXING: Final = frozenset(("any", "largest"))
Lookup = Callable[[str], GlobalValue | None]


class Origin(Enum):
    """Whose members of a comdat stay: those that are there, those that come, or both."""

    OLD = "old"
    NEW = "new"
    BOTH = "both"


class ComdatTable:
    """The comdats of the modules that were added; `selections` is what the result will have."""

    def __init__(self, problems: Problems) -> None:
        self.selections: dict[str, str] = {}
        self._problems = problems
        self._files: dict[str, str] = {}

    def add(
        self, module: Module, file: str, defined: Lookup, layout: DataLayout
    ) -> tuple[dict[str, Origin], frozenset[str]]:
        """Decides about the comdats of one more module.

        defined: the symbol of a name among the modules so far.
        Returns whose members stay, by name, and the names whose members so far have to go.
        """
        chosen: dict[str, Origin] = {}
        replaced = set[str]()
        for comdat in module.comdats.values():
            name, kind = comdat.name, comdat.selection
            if name not in self.selections:
                self.selections[name], self._files[name] = kind, file
                chosen[name] = Origin.NEW
                continue
            chosen[name] = self._decide(comdat, file, (defined(name), module.symbol(name)), layout)
            if chosen[name] is Origin.NEW:
                replaced.add(name)
                self.selections[name], self._files[name] = kind, file
        return chosen, frozenset(replaced)

    def forget(self, names: Iterable[str]) -> None:
        """Takes comdats out, as if no module had them so far."""
        for name in names:
            del self.selections[name], self._files[name]

    def _decide(
        self, comdat: Comdat, file: str, leaders: tuple[GlobalValue | None, GlobalValue | None],
        layout: DataLayout,
    ) -> Origin:  # fmt: skip
        name, old, new = comdat.name, self.selections[comdat.name], comdat.selection
        if old != new and not (old in _MIXING and new in _MIXING):
            self._say(name, file, f"is `{old}` in one and `{new}` in the other")
            return Origin.OLD
        kind = old if old == new else "largest"
        if kind in ("any", "nodeduplicate"):
            return Origin.OLD if kind == "any" else Origin.BOTH
        pair = [_leader(value) for value in leaders]
        if None in pair:
            self._say(name, file, f"is `{kind}` and has no variable of its name in both")
            return Origin.OLD
        return self._compare(name, file, kind, pair, layout)

    def _compare(
        self, name: str, file: str, kind: str, pair: list[GlobalVariable | None],
        layout: DataLayout,
    ) -> Origin:  # fmt: skip
        """Decides by the contents or the sizes of the two leaders."""
        old, new = pair
        assert old is not None and new is not None
        if kind == "exactmatch":
            if not _are_same(old.initializer, new.initializer):
                self._say(name, file, "is `exactmatch` and has different contents")
            return Origin.OLD
        sizes = [layout.alloc_size(one.value_type) for one in (old, new)]
        if kind == "samesize" and sizes[0] != sizes[1]:
            self._say(name, file, f"is `samesize` and has {sizes[0]} and {sizes[1]} bytes")
        is_larger = kind == "largest" and sizes[1] > sizes[0]
        return Origin.NEW if is_larger else Origin.OLD

    def _say(self, name: str, file: str, what: str) -> None:
        said = f"comdat `{name}` of {self._files[name]} and {file} {what}"
        self._problems.errors.append(said)


def comdat_of(value: GlobalValue) -> Comdat | None:
    """The comdat of a symbol; an alias is in that of the object it points into."""
    if isinstance(value, Alias):
        value_object = base_object(value)
        return value_object.comdat if isinstance(value_object, GlobalObject) else None
    return value.comdat if isinstance(value, GlobalObject) else None


def base_object(value: Constant | None) -> Constant | None:
    """The object an address lies in, through aliases, casts and offsets; None when unknown."""
    while True:
        if isinstance(value, Alias):
            value = value.aliasee
        elif isinstance(value, ConstantExpr) and value.operands:
            value = value.operands[0]
        else:
            return value if isinstance(value, GlobalObject) else None


def _leader(value: GlobalValue | None) -> GlobalVariable | None:
    found = base_object(value)
    return found if isinstance(found, GlobalVariable) else None


def _are_same(one: Constant | None, other: Constant | None) -> bool:
    """Whether two initializers of different modules have one content."""
    if one is None or other is None:
        return one is other
    return one.typed_ref == other.typed_ref and not _names_local(one) and not _names_local(other)


def _names_local(constant: Constant) -> bool:
    """Whether a constant has the address of something that no other module means."""
    if isinstance(constant, GlobalValue):
        return constant.linkage in LOCAL or not constant.name
    if isinstance(constant, BlockAddress):
        return True
    inside = getattr(constant, "elements", None) or getattr(constant, "operands", None) or ()
    return any(_names_local(one) for one in inside)
