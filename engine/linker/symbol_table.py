"""One numbering for the sections and symbols of several objects, and who defines what.

    flat section number   section_base[object] + index      kept: bool per flat section
    flat symbol number    symbol_base[object] + index, then one number per external name
    canonical[flat]       the flat number of the definition that a symbol means

Precedence: strong definition in an object, common, weak definition in an object, `resolve(name)`,
definition in an archive member, native symbol.  Of COMDAT groups with one signature the first is
kept; the sections of the others are dropped.

Soundness: an undefined symbol that only dropped sections refer to is never looked up, so it can
not fail the link.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker.archives import MemberSource
from irsan.engine.linker.elf import (
    SHF_ALLOC,
    SHF_EXCLUDE,
    SHN_COMMON,
    SHN_LORESERVE,
    SHN_UNDEF,
    STB_GLOBAL,
    STB_LOCAL,
    STB_WEAK,
    STT_OBJECT,
    Array,
    ObjectFile,
)
from irsan.engine.linker.image_names import ImageNames
from irsan.engine.linker.link_plan import Names
from irsan.errors import UnsupportedError

Resolve = Callable[[str], "int | None"]

_RANK_ARCHIVE_WEAK: Final = 1
_RANK_ARCHIVE: Final = 2
_RANK_RESOLVED: Final = 3
_RANK_WEAK: Final = 4
_RANK_COMMON: Final = 5
_RANK_STRONG: Final = 6


@dataclass(frozen=True, slots=True)
class Definition:
    """The best definition of a name so far."""

    rank: int
    flat: int  # flat symbol number
    size: int  # bytes: the largest common symbol wins
    group: int = 0


@dataclass(frozen=True, slots=True)
class External:
    """A name that no object defines."""

    name: str
    flat: int
    is_weak: bool
    wanted_by: str  # the object that first needs it


class SymbolTable:
    """Objects in link order; grows by `add`, then answers with flat arrays."""

    def __init__(
        self,
        resolve: Resolve,
        *,
        first_data_wins: bool = False,
        names: Sequence[Names] = (Names(),),
        preempted: frozenset[str] = frozenset(),
    ) -> None:
        """first_data_wins: of two strong definitions of data the first is meant by all.

        names: what the images that are linked at once export, per group.
        preempted: names whose definition elsewhere is meant, whatever the objects define.
        """
        self._first_data_wins = first_data_wins
        self._scopes = ImageNames(names)
        self._preempted = preempted
        self.groups: list[int] = []  # per object
        self.objects: list[ObjectFile] = []
        self.section_base: list[int] = []
        self.symbol_base: list[int] = []
        self.n_sections = 0
        self.n_symbols = 0
        self.definitions: dict[str, Definition] = {}
        self.undefined: dict[str, tuple[bool, str]] = {}  # name -> (weak, object)
        self.resolved: dict[str, int | None] = {}
        self._resolve = resolve
        self._signatures: set[tuple[int, str]] = set()
        self._required: list[str] = []
        self._wanting: dict[str, set[int]] = {}  # groups by undefined name
        self._kept: list[Array] = []
        self._globals: list[list[tuple[int, str]]] = []  # per object: (symbol index, name)

    def resolve(self, name: str) -> int | None:
        """The caller's address for a name, asked once."""
        if name not in self.resolved:
            self.resolved[name] = self._resolve(name)
        return self.resolved[name]

    def add(self, item: ObjectFile, from_archive: bool = False, group: int = 0) -> None:
        """Append an object; UnsupportedError when a group defines a strong symbol twice."""
        number = len(self.objects)
        self.groups.append(group)
        self.objects.append(item)
        self.section_base.append(self.n_sections)
        self.symbol_base.append(self.n_symbols)
        self.n_sections += len(item.sections)
        self.n_symbols += len(item.symbols)
        self._kept.append(self._kept_sections(item, group))
        self._globals.append(self._read_globals(item))
        self._define_globals(number, from_archive)

    def require(self, names: Iterable[str]) -> None:
        """Names that archives are searched for although no object refers to them."""
        self._required += names

    def pull_archives(self, archives: Sequence[MemberSource]) -> None:
        """Add archive members until no undefined name is defined by one."""
        self._drop_what_groups_have()
        pending = [*self._required, *self.undefined]
        while pending:
            name = pending.pop()
            is_weak = name in self.undefined and self.undefined[name][0]
            if is_weak or name in self.definitions or self.resolve(name) is not None:
                continue
            member = next((m for m in (a.pull(name) for a in archives) if m is not None), None)
            if member is None:
                continue
            known = set(self.undefined)
            self.add(member, from_archive=True)
            pending += [new for new in self.undefined if new not in known]

    def kept(self) -> Array:
        """bool[n_sections]: loaded sections of no dropped group."""
        return np.concatenate(self._kept) if self._kept else np.zeros(0, bool)

    def canonical(self) -> tuple[Array, list[External]]:
        """int64[n_symbols]: the flat number each symbol means, and the names left outside."""
        flat = np.arange(self.n_symbols, dtype=np.int64)
        externals: dict[str, External] = {}
        for number, names in enumerate(self._globals):
            base = self.symbol_base[number]
            group = self.groups[number]
            for index, written in names:
                name = self._scopes.reference(written, group, self.definitions)
                definition = self._chosen(name)
                if definition is not None:
                    flat[base + index] = definition.flat
                    continue
                if name not in externals:
                    weak, wanted_by = self.undefined.get(name, (False, self.objects[number].name))
                    where = self.n_symbols + len(externals)
                    externals[name] = External(name, where, weak, wanted_by)
                flat[base + index] = externals[name].flat
        return flat, list(externals.values())

    def common_symbols(self) -> list[tuple[int, int, int]]:
        """(flat number, size, alignment in bytes) of every common symbol to allocate."""
        found = []
        for definition in self.definitions.values():
            if definition.rank == _RANK_COMMON:
                symbol = self.symbol(definition.flat)
                found.append((definition.flat, definition.size, max(1, int(symbol["value"]))))
        return found

    def symbol(self, flat: int) -> np.void:
        """The symbol record of a flat number."""
        number = bisect_right(self.symbol_base, flat) - 1
        record: np.void = self.objects[number].symbols[flat - self.symbol_base[number]]
        return record

    def defined_names(self) -> dict[str, int]:
        """name -> flat number of what the link's own objects define."""
        chosen = ((name, self._chosen(name)) for name in self.definitions)
        return {name: found.flat for name, found in chosen if found is not None}

    def archive_names(self) -> set[str]:
        """Names that members of archives define."""
        return {name for name, one in self.definitions.items() if one.rank <= _RANK_ARCHIVE}

    def _chosen(self, name: str) -> Definition | None:
        found = self.definitions.get(name)
        if found is None or found.rank > _RANK_RESOLVED:
            return found
        return found if self.resolve(name) is None else None

    def _kept_sections(self, item: ObjectFile, group: int) -> Array:
        flags = item.sections["flags"]
        kept = ((flags & SHF_ALLOC) != 0) & ((flags & SHF_EXCLUDE) == 0)
        for one in item.groups:
            if not one.is_comdat:
                continue
            if (group, one.signature) in self._signatures:
                kept[list(one.members)] = False
            self._signatures.add((group, one.signature))
        return np.asarray(kept)

    def _read_globals(self, item: ObjectFile) -> list[tuple[int, str]]:
        indices = np.flatnonzero((item.symbols["info"] >> 4) != STB_LOCAL)
        names, table = item.symbols["name"][indices].tolist(), item.string_table
        return [
            (i, table[at : table.index(b"\0", at)].decode("utf-8", "surrogateescape"))
            for i, at in zip(indices.tolist(), names, strict=True)
        ]

    def _define_globals(self, number: int, from_archive: bool) -> None:
        item, kept = self.objects[number], self._kept[number]
        names = self._globals[number]
        indices = [index for index, _ in names]
        sections = item.symbol_sections[indices].tolist()
        bindings = (item.symbols["info"][indices] >> 4).tolist()
        sizes = item.symbols["size"][indices].tolist()
        base, group = self.symbol_base[number], self.groups[number]
        for (index, name), section, binding, size in zip(
            names, sections, bindings, sizes, strict=True
        ):
            if section == SHN_UNDEF:
                self._note_undefined(name, binding == STB_WEAK, item.name, group)
                continue
            if section < SHN_LORESERVE and not kept[section]:
                continue
            rank = _rank(section, binding, from_archive)
            for own in self._scopes.definitions(_default_version(name), group):
                if own in self._preempted:
                    continue
                self._define(own, Definition(rank, base + index, size, group), item.name)

    def _drop_what_groups_have(self) -> None:
        """Forget undefined names that all groups which want them define for themselves."""
        for name, groups in self._wanting.items():
            own = (self._scopes.reference(name, one, self.definitions) for one in groups)
            if all(one != name for one in own):
                self.undefined.pop(name, None)

    def _note_undefined(self, name: str, is_weak: bool, wanted_by: str, group: int) -> None:
        if self._scopes.has_scopes:
            self._wanting.setdefault(name, set()).add(group)
        known = self.undefined.get(name)
        if known is None or (known[0] and not is_weak):
            self.undefined[name] = (is_weak, wanted_by)

    def _define(self, name: str, new: Definition, where: str) -> None:
        old = self.definitions.get(name)
        if old is not None and old.group != new.group:
            return  # of several images the first in search order, weak or not
        if old is None or new.rank > old.rank:
            self.definitions[name] = new
            return
        if old.rank == new.rank == _RANK_COMMON and new.size > old.size:
            self.definitions[name] = new
        if old.rank == new.rank == _RANK_STRONG:
            if self._first_data_wins and self._is_data(old) and self._is_data(new):
                return
            first = self.objects[bisect_right(self.symbol_base, old.flat) - 1]
            raise UnsupportedError(
                f"the symbol {name} is defined twice: in {first.name} and in {where}"
            )

    def _is_data(self, definition: Definition) -> bool:
        return bool(int(self.symbol(definition.flat)["info"]) & 15 == STT_OBJECT)


def _default_version(name: str) -> str:
    """`f@@V2` of an assembler's .symver defines f; `f@V1` is for old programs alone."""
    return name.partition("@@")[0]


def _rank(section: int, binding: int, from_archive: bool) -> int:
    is_strong = binding == STB_GLOBAL
    if from_archive:
        return _RANK_ARCHIVE if is_strong else _RANK_ARCHIVE_WEAK
    if section == SHN_COMMON:
        return _RANK_COMMON
    return _RANK_STRONG if is_strong else _RANK_WEAK
