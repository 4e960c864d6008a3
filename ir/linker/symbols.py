"""The one table of names: which value each symbol of several modules means.

Modules are added in order; `meaning(value)` then answers for every global value of any of them.
Local values, and those without a name, mean themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irsan.ir.datalayout import DataLayout
from irsan.ir.declarations import declaration_of
from irsan.ir.linker.comdats import ComdatTable, Origin, comdat_of
from irsan.ir.linker.problems import Problems
from irsan.ir.linker.resolution import (
    APPENDING,
    LINKONCE,
    LOCAL,
    Choice,
    choose,
    is_declaration,
    is_discardable,
    merge_words,
)
from irsan.ir.linker.type_map import TypeMap
from irsan.ir.module import Module
from irsan.ir.types import PointerType
from irsan.ir.values import Function, GlobalValue, GlobalVariable


class SymbolTable:
    """Choices by name, appending variables, and what stays beside the choices.

    appending: all variables of one name, in module order;  copies: contents of variables that a
    nodeduplicate comdat keeps although another one has their name.
    """

    def __init__(self, types: TypeMap, layout: DataLayout, problems: Problems) -> None:
        self.comdats = ComdatTable(problems)
        self.appending: dict[str, list[GlobalVariable]] = {}
        self.copies: list[GlobalVariable] = []
        self._types = types
        self._layout = layout
        self._problems = problems
        self._choices: dict[str, GlobalValue] = {}
        self._files: list[str] = []
        self._homes: dict[GlobalValue, int] = {}
        self._apart: set[GlobalValue] = set()
        self._groups: dict[tuple[int, str], list[GlobalValue]] = {}

    def add(self, module: Module, file: str) -> None:
        """Adds the symbols of one more module; file: its name for messages."""
        chosen, replaced = self.comdats.add(module, file, self._choices.get, self._layout)
        self._drop_members(replaced)
        home = len(self._files)
        self._files.append(file)
        for value in symbols_of(module):
            self._homes[value] = home
            if value.name and value.linkage not in LOCAL:
                comdat = comdat_of(value)
                self._add(value, Origin.NEW if comdat is None else chosen[comdat.name])
            self._note_group(value, home)
        self._forget_empty(module, {name for name in chosen if name not in replaced}, chosen)

    def meaning(self, value: GlobalValue) -> GlobalValue:
        """The value that this one's name means."""
        if value.linkage in LOCAL or not value.name or value in self._apart:
            return value
        return self._choices.get(value.name, value)

    def is_apart(self, value: GlobalValue) -> bool:
        """Whether a value of a name that means another one stays beside it."""
        return value in self._apart

    def needed(self) -> Iterator[GlobalValue]:
        """What stays even when nothing refers to it."""
        for value in self._choices.values():
            if not is_discardable(value):
                yield value
        yield from self.copies

    def companions(self, value: GlobalValue) -> Iterator[GlobalValue]:
        """Linkonce members of the comdat of `value`, from its module, that stay with it."""
        comdat = comdat_of(value)
        if comdat is not None:
            members = self._groups.get((self._homes[value], comdat.name), ())
            yield from [one for one in members if self.meaning(one) is one]

    def _note_group(self, value: GlobalValue, home: int) -> None:
        comdat = comdat_of(value) if value.linkage in LINKONCE else None
        if comdat is not None:
            self._groups.setdefault((home, comdat.name), []).append(value)

    def _forget_empty(
        self, module: Module, names: set[str], chosen: Mapping[str, Origin]
    ) -> None:
        """A comdat of which no member stays is as if it had not been there."""
        for value in symbols_of(module):
            comdat = comdat_of(value)
            if comdat is not None and self.meaning(value) is value:
                names.discard(comdat.name)
        self.comdats.forget([name for name in names if chosen[name] is Origin.NEW])

    def _file(self, value: GlobalValue) -> str:
        return self._files[self._homes[value]]

    def _add(self, value: GlobalValue, origin: Origin) -> None:
        name = value.name
        old = self._choices.get(name)
        if isinstance(value, GlobalVariable) and value.linkage == APPENDING:
            self.appending.setdefault(name, []).append(value)
        if old is None:
            self._choices[name] = value if _is_usable(value, origin) else self._declared(value)
        elif APPENDING in (old.linkage, value.linkage):
            self._append(old, value)
        elif self._is_other_intrinsic(old, value):
            self._apart.add(value)
        else:
            merge_words(old, value)
            self._choose(old, value, origin)

    def _choose(self, old: GlobalValue, value: GlobalValue, origin: Origin) -> None:
        if not _is_usable(value, origin) and not value.is_declaration:
            return
        choice = choose(old, value, self._layout)
        self._compare_sizes(old, value)
        if choice is Choice.CONFLICT:
            self._problems.defined_twice(old, self._file(old), value, self._file(value))
            return
        if choice is Choice.NEW:
            self._choices[value.name] = value
        if origin is Origin.BOTH and not value.is_declaration:
            self._copy(value if choice is Choice.OLD else old)

    def _compare_sizes(self, old: GlobalValue, value: GlobalValue) -> None:
        """Says when two definitions of a variable have other sizes; who runs it won't see that."""
        both = (old, value)
        if not all(isinstance(one, GlobalVariable) and not is_declaration(one) for one in both):
            return
        sizes = [self._layout.alloc_size(one.value_type) for one in both]
        if sizes[0] != sizes[1]:
            self._problems.warnings.append(
                f"`{value.name}` has {sizes[0]} bytes in {self._file(old)} and {sizes[1]} in "
                f"{self._file(value)}"
            )

    def _append(self, old: GlobalValue, value: GlobalValue) -> None:
        """An appending variable takes no other definition beside it."""
        if APPENDING in (old.linkage, value.linkage) and old.linkage != value.linkage:
            plain = value if old.linkage == APPENDING else old
            if not plain.is_declaration:
                self._problems.errors.append(
                    f"`{value.name}` is an appending variable in only one of "
                    f"{self._file(old)} and {self._file(value)}"
                )
            elif plain is old:
                self._choices[value.name] = value

    def _is_other_intrinsic(self, old: GlobalValue, value: GlobalValue) -> bool:
        """Whether an intrinsic is another one, as a struct in its name is another type."""
        if not (isinstance(old, Function) and old.is_intrinsic):
            return False
        types = self._types
        return types.map_type(old.value_type) is not types.map_type(value.value_type)

    def _declared(self, value: GlobalValue) -> GlobalValue:
        made = declaration_of(value)
        self._homes[made] = self._homes[value]
        return made

    def _drop_members(self, comdats: frozenset[str]) -> None:
        """Takes the definitions of replaced comdats back; their users need them all the same."""
        for name, value in self._choices.items() if comdats else ():
            comdat = comdat_of(value)
            if comdat is not None and comdat.name in comdats:
                self._choices[name] = self._declared(value)

    def _copy(self, value: GlobalValue) -> None:
        """Keeps the contents of a variable whose name is another's, as a private one."""
        if not isinstance(value, GlobalVariable) or value.initializer is None:
            self._problems.errors.append(
                f"`{value.name}` of {self._file(value)} is in a nodeduplicate comdat, where only "
                "variables may be defined more than once"
            )
            return
        assert isinstance(value.type, PointerType)
        made = GlobalVariable(
            value.type, value.value_type, "", "private", value.initializer, value.is_constant
        )
        made.section, made.alignment, made.comdat = value.section, value.alignment, value.comdat
        made.thread_local, made.unnamed_addr = value.thread_local, value.unnamed_addr
        made.dso_local, made.sanitizer = True, value.sanitizer
        self._homes[made] = self._homes[value]
        self.copies.append(made)


def symbols_of(module: Module) -> Iterator[GlobalValue]:
    """All global values of a module: variables, functions, aliases, ifuncs."""
    yield from module.globals
    yield from module.functions
    yield from module.aliases
    yield from module.ifuncs


def _is_usable(value: GlobalValue, origin: Origin) -> bool:
    """Whether a value may stand for its name: another's comdat leaves only linkonce members."""
    return origin is not Origin.OLD or value.is_declaration or value.linkage in LINKONCE
