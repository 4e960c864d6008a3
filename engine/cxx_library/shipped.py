"""Members of the checked library that a wheel brings along, for the default checks.

    irsan/built/members-KEY     a table of names and sizes, then each member and its sites

What is made of a source is the same wherever the same zig compiles it, but for the folder of that
zig, which reports name: what was written for one folder is read for another.  KEY is of the sources
alone (engine/packaged.py); a checkout has no such file, and other checks have none either.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.cxx_library.members import Member, decoded, encoded, facts_of_all
from irsan.engine.headed_bytes import join_head, read_head
from irsan.engine.native_libraries.zig_runtime import package_key
from irsan.engine.packaged import MEMBERS, packaged
from irsan.engine.runtime_image.source_hash import instrument_sources_hash, portable_hash

if TYPE_CHECKING:
    from irsan.engine.cxx_library.members import Variant


@dataclass(frozen=True, slots=True)
class ShippedMembers:
    """What a wheel has of one library.

    raw: the file
    places: offset, size of a member and of its sites, in bytes, by name
    then, now: the folder of zig where the file was made, and here
    """

    raw: bytes
    places: Mapping[str, tuple[int, int, int]]
    then: str
    now: str

    def get(self, name: str) -> tuple[Member, str] | None:
        """A member and JSON of its sites; None where it is not among them."""
        place = self.places.get(name)
        if place is None:
            return None
        at, member_bytes, sites_bytes = place
        behind = at + member_bytes
        member = decoded(self.raw[at:behind])
        names = {
            one: (source, self._moved(path), line)
            for one, (source, path, line) in member.names.items()
        }
        sites = self.raw[behind : behind + sites_bytes].decode()
        here = sites.replace(json.dumps(self.then)[1:-1], json.dumps(self.now)[1:-1])
        return Member(member.object, member.first_site, member.n_sites, names), here

    def _moved(self, path: str) -> str:
        return self.now + path[len(self.then) :] if path.startswith(self.then) else path


def shipped_members(variant: Variant, compiler: Sequence[str]) -> ShippedMembers | None:
    """What this package has brought along for a library; None where it has nothing.

    compiler: how zig is called
    """
    key = shipped_key(variant, compiler)
    raw = packaged(MEMBERS, key) if key is not None else None
    return None if raw is None else read_shipped(raw, variant.folder)


def shipped_key(variant: Variant, compiler: Sequence[str]) -> str | None:
    """Names the file; None for a zig that is not this Python's own."""
    zig = package_key(compiler)
    if zig is None:
        return None
    sources = portable_hash("runtime"), portable_hash("machine"), instrument_sources_hash()
    facts = zig, sources, variant.engine, facts_of_all(variant)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]


def write_shipped(members: Mapping[str, tuple[Member, str]], folder: Path) -> bytes:
    """The file. members: with JSON of their sites, by name;  folder: of the zig that made them"""
    rows, parts = [], []
    for name, (member, sites) in members.items():
        parts += [encoded(member), sites.encode()]
        rows.append((name, len(parts[-2]), len(parts[-1])))
    head = json.dumps({"folder": str(folder), "members": rows}).encode()
    return join_head(head, *parts)


def read_shipped(raw: bytes, folder: Path) -> ShippedMembers:
    """What `write_shipped` has written. folder: of zig here"""
    first, at = read_head(raw)
    head = json.loads(first)
    places = {}
    for name, member_bytes, sites_bytes in head["members"]:
        places[name] = at, member_bytes, sites_bytes
        at += member_bytes + sites_bytes
    return ShippedMembers(raw, places, head["folder"], str(folder))
