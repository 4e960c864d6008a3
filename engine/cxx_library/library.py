"""The checked C++ library as a link sees it: archives whose members are made when they are needed.

    libc++.a      says which member defines a symbol       -> the member, compiled from source
    libc++abi.a                                            -> the same, or the native one

The native archives are the index: what zig has built of a source defines the same symbols.  A first
run makes all members that the link can need at once, in parallel processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.cache import Cache
from irsan.engine.cxx_library.building import COMPILING, Job, build_members
from irsan.engine.cxx_library.members import Member, MemberStore, Variant
from irsan.engine.cxx_library.shipped import shipped_members
from irsan.engine.cxx_library.sources import library_sources
from irsan.engine.linker.archives import Archive
from irsan.engine.linker.elf import SHN_UNDEF, STB_GLOBAL, ObjectFile
from irsan.instrument.sites.sites import LateSites

if TYPE_CHECKING:
    from irsan.engine.runtime_image.image import RuntimeImage

_SUFFIX: Final = ".o"


@dataclass(slots=True)
class _Taken:
    """A member that the link has taken."""

    name: str
    member: Member
    item: ObjectFile


@dataclass(slots=True)
class CheckedLibrary:
    """The library of one link.

    native: zig's archives, in link order;  wanted: names that the link is about to look for.
    compiler: how zig is called
    """

    variant: Variant
    native: Sequence[Archive]
    runtime: RuntimeImage
    cache: Cache
    progress: Callable[[str], None]
    wanted: Sequence[str] = ()
    compiler: Sequence[str] = ("zig",)
    taken: list[_Taken] = field(default_factory=list)
    _store: MemberStore = field(init=False)
    _sources: dict[str, Path] = field(init=False)
    _numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._store = MemberStore(self.variant, self.cache)
        self._sources = library_sources(self.variant.folder)
        self._numbers = {name: number for number, name in enumerate(sorted(self._sources))}

    def pull(self, symbol: str) -> ObjectFile | None:
        """The member that defines a symbol, once; None when there is none or it was pulled."""
        for archive in self.native:
            offset = archive.index.get(symbol)
            if offset is None or offset in archive.loaded:
                continue
            archive.loaded.add(offset)
            name = _stem(archive, offset)
            if name not in self._sources:
                return archive.member(offset)
            return self._take(name, archive, symbol)
        return None

    def make(self, names: Iterable[str], symbols: Sequence[str]) -> None:
        """Make what is missing of the members of these names, and of those that a link needs which
        looks for these symbols; keep it.
        """
        sources = {name: self._sources[name] for name in names if name in self._sources}
        sizes = {name: source.stat().st_size for name, source in sources.items()}
        self._make(sizes | dict(self._reached(symbols)))

    def make_all(self) -> None:
        """Make what is missing of all members; keep it."""
        self._make({name: source.stat().st_size for name, source in self._sources.items()})

    def made(self) -> dict[str, tuple[Member, str]]:
        """All members that were made, and JSON of their sites, by name."""
        found = {name: self._store.get(name) for name in self._sources}
        return {
            name: (one, self._store.sites(name)) for name, one in found.items() if one is not None
        }

    def names(self) -> dict[str, tuple[str, str, int]]:
        """Source names of the globals of all members that were pulled."""
        return {name: what for one in self.taken for name, what in one.member.names.items()}

    def sites(self) -> list[LateSites]:
        """The sites of all members that were pulled."""
        return [
            LateSites(
                one.member.first_site, one.member.n_sites, partial(self._store.sites, one.name)
            )
            for one in self.taken
        ]

    def objects(self) -> list[ObjectFile]:
        """What was pulled and has checks."""
        return [one.item for one in self.taken]

    def _take(self, name: str, archive: Archive, symbol: str) -> ObjectFile:
        member = self._store.get(name)
        if member is None:
            self._build(symbol, name)
            member = self._store.get(name)
            assert member is not None  # the store keeps in this process what it was given
        item = ObjectFile.parse(member.object, f"{archive.name}({name}{_SUFFIX})")
        self.taken.append(_Taken(name, member, item))
        return item

    def _build(self, symbol: str, name: str) -> None:
        """Make what is missing of all members that this link can need."""
        self._make({name: 0} | dict(self._reached([symbol, *self.wanted])))

    def _make(self, sizes: Mapping[str, int]) -> None:
        """Make what is missing of some members; one process at a time makes some."""
        jobs = self._unpacked(self._jobs(sizes))
        if not jobs:
            return
        self.progress(COMPILING)
        with self.cache.alone(self.variant.key()):
            jobs = [job for job in jobs if self._store.get(job[0]) is None]  # another made them
            if jobs:
                build_members(
                    jobs, self.variant, self.runtime, self.cache, self._store, self.progress
                )
        self.progress("")

    def _unpacked(self, jobs: list[Job]) -> list[Job]:
        """Keep what is missing and has come with the package; what is missing still."""
        shipped = shipped_members(self.variant, self.compiler) if jobs else None
        if shipped is None:
            return jobs
        left = []
        for job in jobs:
            found = shipped.get(job[0])
            if found is None:
                left.append(job)
            else:
                self._store.put(job[0], *found)
        return left

    def _jobs(self, sizes: Mapping[str, int]) -> list[Job]:
        """What is missing of some members, those of the greatest size first."""
        known = {one.name for one in self.taken}
        missing = [
            one for one in sizes
            if one in self._sources and one not in known and self._store.get(one) is None
        ]  # fmt: skip
        missing.sort(key=lambda one: -sizes[one])
        return [(one, self._sources[one], self._numbers[one]) for one in missing]

    def _reached(self, symbols: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Members that a link which begins with these symbols may pull, with their native sizes."""
        pending, seen = list(symbols), set[tuple[int, int]]()
        while pending:
            symbol = pending.pop()
            for number, archive in enumerate(self.native):
                offset = archive.index.get(symbol)
                if offset is None:
                    continue
                if (number, offset) not in seen:
                    seen.add((number, offset))
                    item = archive.member(offset)
                    yield _stem(archive, offset), len(item.raw)
                    pending += _wanted(item)
                break


def _stem(archive: Archive, offset: int) -> str:
    return archive.member_name(offset).rpartition("/")[2].removesuffix(_SUFFIX)


def _wanted(item: ObjectFile) -> Iterator[str]:
    for index in range(1, len(item.symbols)):
        is_global = int(item.symbols["info"][index]) >> 4 == STB_GLOBAL
        if is_global and int(item.symbol_sections[index]) == SHN_UNDEF:
            yield item.symbol_name(index)
