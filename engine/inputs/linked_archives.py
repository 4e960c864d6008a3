"""Members of static libraries that a program needs, before any code is made.

A linker goes by the symbol tables of objects. Units of IR have none yet, so their names are read
off the bitcode, and remembered by its key. All archives are searched until nothing new is needed,
as between --start-group and --end-group: more than the order of the words would give, never less.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from irsan.engine.cache import Cache
from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.front_end.ir_input import is_bitcode, read_ir_parts
from irsan.engine.inputs.ar_file import ARCHIVE_MAGICS, read_members
from irsan.engine.inputs.elf_file import is_elf
from irsan.engine.linker.elf import SHN_UNDEF, STB_LOCAL, STB_WEAK, ObjectFile
from irsan.errors import UsageError
from irsan.installed import installed_version

#: aliases and ifuncs, which llvmlite does not list
_INDIRECT: Final = re.compile(
    r'^@(?P<name>"[^"]*"|[-\w.$]+) = (?P<words>[\w() ]*?)\b(?:alias|ifunc) ', re.MULTILINE
)
_LOCAL_OR_DATA: Final = frozenset(("private", "internal", "global", "constant"))
_ESCAPE: Final = re.compile(r"\\([0-9A-Fa-f]{2})")
T = TypeVar("T")


@dataclass(slots=True)
class SymbolNames:
    """What code defines for others, and what it wants from them (weak wishes pull nothing)."""

    defined: set[str] = field(default_factory=set)
    wanted: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive: a native object, with or without a record, or bitcode of ours."""

    name: str
    raw: bytes


def needed_members(
    archives: Sequence[Path], given: Iterable[SymbolNames], cache: Cache
) -> list[Member]:
    """The members that a link of `given` code takes, in the order in which they are found.

    UsageError for a file that is no archive, or a member that is no code, is damaged, or was made
    by a newer LLVM.
    """
    members = _current([member for path in archives for member in _members(path)], cache)
    waiting = [(member, _names_of(member, cache)) for member in members]
    return [member for member, _ in taken_members(waiting, given)]


def taken_members(
    members: Sequence[tuple[T, SymbolNames]], given: Iterable[SymbolNames]
) -> list[tuple[T, SymbolNames]]:
    """Those that a link of `given` code takes, in the order in which they are found."""
    defined, wanted = set[str](), set[str]()
    for one in given:
        defined |= one.defined
        wanted |= one.wanted
    waiting = list(members)
    taken: list[tuple[T, SymbolNames]] = []
    while True:
        row = next((one for one in waiting if one[1].defined & (wanted - defined)), None)
        if row is None:
            return taken
        waiting.remove(row)
        taken.append(row)
        defined |= row[1].defined
        wanted |= row[1].wanted


def object_names(raw: bytes, name: str) -> SymbolNames:
    """The names of a native object."""
    item = ObjectFile.parse(raw, name)
    found = SymbolNames()
    for index in range(1, len(item.symbols)):
        binding = int(item.symbols["info"][index]) >> 4
        if binding == STB_LOCAL:
            continue
        section = int(item.symbol_sections[index])
        if section != SHN_UNDEF:
            found.defined.add(item.symbol_name(index))
        elif binding != STB_WEAK:
            found.wanted.add(item.symbol_name(index))
    return found


def unit_names(unit: CompiledUnit, cache: Cache) -> SymbolNames:
    """The names of a unit of IR."""
    return _kept_names(unit.key, unit.bitcode, cache)


def _kept_names(key: str, bitcode: bytes, cache: Cache) -> SymbolNames:
    known = cache.get("symbol-names", key)
    if known is None:
        names = bitcode_names(bitcode)
        known = json.dumps([sorted(names.defined), sorted(names.wanted)]).encode()
        cache.put("symbol-names", key, known)
    defined, wanted = json.loads(known)
    return SymbolNames(set(defined), set(wanted))


def bitcode_names(bitcode: bytes) -> SymbolNames:
    """The names of a module of this LLVM."""
    from llvmlite.binding import create_context, parse_bitcode

    module = parse_bitcode(bitcode, create_context())
    found = SymbolNames()
    for value in (*module.functions, *module.global_variables):
        if value.name.startswith("llvm."):
            continue
        if value.is_declaration:
            if value.linkage.name != "external_weak":
                found.wanted.add(value.name)
        elif value.linkage.name not in ("internal", "private"):
            found.defined.add(value.name)
    for one in _INDIRECT.finditer(str(module)):
        if not _LOCAL_OR_DATA.intersection(one["words"].split()):
            found.defined.add(_unquoted(one["name"]))
    return found


def _unquoted(name: str) -> str:
    """A name of LLVM text as it is in a symbol table."""
    if not name.startswith('"'):
        return name
    return _ESCAPE.sub(lambda one: chr(int(one[1], 16)), name[1:-1])


def _members(path: Path) -> list[Member]:
    found = [Member(f"{path}({name})", raw) for name, raw in read_members(path)]
    if not found and not path.read_bytes().startswith(ARCHIVE_MAGICS):
        raise UsageError(f"{path}: is no static library")
    return found


def _current(members: list[Member], cache: Cache) -> list[Member]:
    """The members, those of bitcode as this LLVM writes it; remembered by their content."""
    keys = [_key(one) if is_bitcode(one.raw) else "" for one in members]
    known = [cache.get("ir-bitcode", key) if key else None for key in keys]
    missing = [at for at, key in enumerate(keys) if key and known[at] is None]
    if missing:
        read = read_ir_parts([(members[at].name, members[at].raw) for at in missing])
        for at, bitcode in zip(missing, read, strict=True):
            known[at] = bitcode
            cache.put("ir-bitcode", keys[at], bitcode)
    return [one if new is None else Member(one.name, new)
            for one, new in zip(members, known, strict=True)]  # fmt: skip


def _key(member: Member) -> str:
    facts = (installed_version("llvmlite"), "member", hashlib.sha256(member.raw).digest())
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _names_of(member: Member, cache: Cache) -> SymbolNames:
    if is_elf(member.raw):
        return object_names(member.raw, member.name)
    if is_bitcode(member.raw):
        return _kept_names(hashlib.sha256(member.raw).hexdigest(), member.raw, cache)
    raise UsageError(f"{member.name}: is neither an object for this machine nor bitcode")
