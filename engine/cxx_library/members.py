"""One member of the checked library: its object, its sites and its names, kept in the cache.

    source -> front end -> bitcode -> instrumented -> object      as a unit of a program

A member's key is everything that shapes it: compiler, flags, checks, level, the sources of irsan.
Sites are kept apart, since only a report asks for them.  Each member has a range of site numbers of
its own, above those of programs, so an object fits every program.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.cache import Cache
from irsan.engine.cxx_library.sources import DEFINES, STANDARD, include_folders
from irsan.engine.front_end.checked_words import checked_words
from irsan.engine.headed_bytes import join_head, read_head
from irsan.engine.options import CHECKED, FrontendOptions
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    instrument_sources_hash,
    interp_sources_hash,
    runtime_sources_hash,
)
from irsan.errors import InternalError
from irsan.installed import installed_version
from irsan.instrument.sites.sites import LIBRARY_FIRST_SITE, SITE_LIMIT

if TYPE_CHECKING:
    from irsan.engine.runtime_image.image import RuntimeImage

_OBJECTS: Final = "cxx-object"
_SITES: Final = "cxx-sites"
_FORM: Final = 2  # of an entry, and of what this folder says of compiling
_MOST_MEMBERS: Final = 128
_MEMBER_SITES: Final = (SITE_LIMIT - LIBRARY_FIRST_SITE) // _MOST_MEMBERS
_OPTIMISED: Final = 2  # the level of programs of -O2 and -O3; others have -O1


@dataclass(frozen=True, slots=True)
class Variant:
    """Which of the checked libraries a run links.

    folder: zig's `lib`;  identity: of the compiler;  cc: its words, None for the chosen one.
    checks: what is inserted, without `leak`;  level: the compiler's -O, 1 or 2.
    """

    folder: Path
    identity: str
    cc: str | None
    checks: frozenset[str]
    engine: str
    level: int
    environment: Mapping[str, str]

    def frontend(self) -> FrontendOptions:
        """How a member is compiled."""
        return FrontendOptions(
            opt_level=self.level, cc=self.cc, std=STANDARD,
            cflags=("-w", f"-fmacro-prefix-map={self.folder}/="),
            includes=include_folders(self.folder), defines=DEFINES,
            marks_races="thread" in self.checks, marks_uninitialised="memory" in self.checks,
            stdlib=CHECKED,
        )  # fmt: skip

    def key(self) -> str:
        """Names everything that members of this library have in common."""
        facts = (
            runtime_sources_hash(), instrument_sources_hash(),
            interp_sources_hash() if self.engine == "interp" else "",
            self.identity, installed_version("llvmlite"), facts_of_all(self), str(self.folder),
        )  # fmt: skip
        return hashlib.sha256(repr(facts).encode()).hexdigest()


def facts_of_all(variant: Variant) -> tuple[object, ...]:
    """What shapes members of a library wherever they are made."""
    return _FORM, sorted(variant.checks), variant.level, checked_words(), DEFINES, STANDARD


def library_level(opt_level: int) -> int:
    """The level of the library for a program of -O `opt_level`."""
    return _OPTIMISED if opt_level >= _OPTIMISED else 1


@dataclass(frozen=True, slots=True)
class Member:
    """A member as a link needs it; its sites are read when they are asked for.

    names: source names of its globals and functions, by linkage name.
    """

    object: bytes
    first_site: int
    n_sites: int
    names: dict[str, tuple[str, str, int]]


def encoded(member: Member) -> bytes:
    """Bytes for the cache."""
    facts = {"first_site": member.first_site, "n_sites": member.n_sites, "names": member.names}
    head = json.dumps(facts).encode()
    return join_head(head, member.object)


def decoded(raw: bytes) -> Member:
    """The member of such bytes."""
    head, begin = read_head(raw)
    facts = json.loads(head)
    names = {name: tuple(what) for name, what in facts["names"].items()}
    return Member(raw[begin:], facts["first_site"], facts["n_sites"], names)


class MemberStore:
    """The members of one library in a cache, and in this process those without a cache."""

    def __init__(self, variant: Variant, cache: Cache) -> None:
        self._cache, self._key = cache, variant.key()
        self._sites: dict[str, str] = {}
        self._own: dict[str, Member] = {}

    def get(self, name: str) -> Member | None:
        """A member that was made before."""
        if name in self._own:
            return self._own[name]
        raw = self._cache.get(_OBJECTS, self._entry(name))
        return None if raw is None else decoded(raw)

    def sites(self, name: str) -> str:
        """JSON of a member's sites; "" when the cache has lost them."""
        if name in self._sites:
            return self._sites[name]
        raw = self._cache.get(_SITES, self._entry(name))
        return "" if raw is None else raw.decode()

    def put(self, name: str, member: Member, sites: str) -> None:
        """Keep a member that was made."""
        self._own[name], self._sites[name] = member, sites
        if not are_unchanged():
            return
        self._cache.put(_SITES, self._entry(name), sites.encode())
        self._cache.put(_OBJECTS, self._entry(name), encoded(member))

    def _entry(self, name: str) -> str:
        return hashlib.sha256(f"{self._key} {name}".encode()).hexdigest()


def make_member(
    source: Path, number: int, variant: Variant, runtime: RuntimeImage, cache: Cache
) -> tuple[Member, str]:
    """Compile and instrument a source; the member and JSON of its sites.

    number: the member's place among all, which its range of site numbers depends on.
    """
    from irsan.engine.front_end.frontend import compile_to_ir
    from irsan.engine.program_image.unit_image import UnitBuilder
    from irsan.instrument.check_names import UNDEFINED

    if number >= _MOST_MEMBERS:
        raise InternalError(f"the C++ library has more than {_MOST_MEMBERS} members")
    (unit,) = compile_to_ir(
        [source], variant.frontend(), cache=cache, environment=variant.environment
    )
    # What it leaves undefined it does on purpose, with attributes that clang's own checks heed.
    unit = replace(unit, marked=unit.marked | {UNDEFINED})
    builder = UnitBuilder(variant.checks, runtime, variant.engine)
    first = LIBRARY_FIRST_SITE + number * _MEMBER_SITES
    image = builder.image_at(unit, first)
    n_sites = image.next_site - first
    if n_sites > _MEMBER_SITES:
        raise InternalError(f"{source.name}: {n_sites} places, more than {_MEMBER_SITES}")
    return Member(image.object, first, n_sites, image.names), image.sites
