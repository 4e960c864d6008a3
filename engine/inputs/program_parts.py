"""What the words of a command line stand for: units of IR, native objects, libraries.

    source, .ll, .bc, bitcode     a unit
    source of another language    what its compiler makes (engine/producers)
    object of irsan-cc            its unit;  another object: linked as it is
    executable of irsan-cc        its units, and what it needs
    shared library                of irsan-cc: its units, as an image of its own; else native

Libraries are found as the dynamic linker finds them: DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH, then
the system's folders.
"""

from __future__ import annotations

import hashlib
import mmap
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from irsan.engine.cache import Cache
from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.front_end.languages import make_parts, produced_language
from irsan.engine.inputs.carried import CarriedUnit, carried_in_place, carried_unit, decode_carried
from irsan.engine.inputs.carried_bitcode import carried_units
from irsan.engine.inputs.cxx_libraries import CxxLibraries
from irsan.engine.inputs.dynamic import Dynamic, read_dynamic
from irsan.engine.inputs.elf_file import is_elf, is_relocatable, lto_bitcode
from irsan.engine.inputs.linked_archives import needed_members, object_names, unit_names
from irsan.engine.linker.link_plan import LinkPlan, Names, NativeObject
from irsan.engine.native_libraries.library_search import (
    at_origin,
    find_library,
    is_shared_with_host,
)
from irsan.engine.options import FrontendOptions
from irsan.errors import UsageError

_HEADER_BYTES: Final = 64
_NO_IR: Final = (
    "{}: is machine code without IR; build it with irsan-cc, or give irsan its sources, or the .bc "
    "that  clang -g -O1 -emit-llvm -c  writes"
)


@dataclass(frozen=True, slots=True)
class ProgramParts:
    """Units in link order, and the plan for the images linked beside them."""

    units: list[CompiledUnit]
    plan: LinkPlan


class _Image(NamedTuple):
    """What an executable or a library carries, and its dynamic section."""

    records: list[CarriedUnit]
    dynamic: Dynamic


@dataclass(slots=True)
class _Found:
    """What has been gathered so far."""

    units: list[CompiledUnit] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    natives: list[NativeObject] = field(default_factory=list)
    names: list[Names] = field(default_factory=lambda: [Names()])
    needs: dict[int, list[int]] = field(default_factory=dict)  # libraries by who needs them
    libraries: list[str] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)  # libraries with IR: group by path
    by_name: dict[str, int | None] = field(default_factory=dict)  # group of a name; None: native
    folders: list[str] = field(default_factory=list)
    was_linked: bool = False
    loaded: frozenset[str] = frozenset()  # libraries with IR that the program has already
    beside: list[str] = field(default_factory=list)  # of those, the needed ones
    search: list[str] = field(default_factory=list)
    cxx: CxxLibraries = field(default_factory=CxxLibraries)
    wanted: list[str] = field(default_factory=list)  # what -l would name, for other languages


def gather_parts(
    programs: Sequence[Path],
    options: FrontendOptions,
    cache: Cache,
    environment: Mapping[str, str],
) -> ProgramParts:
    """Everything that a run of these programs links. Errors as for `compile_to_ir`."""
    others = {one for one in programs if produced_language(one)}
    sources = [one for one in programs
               if one.suffix != ".a" and one not in others and not is_native_file(one)]  # fmt: skip
    compiled = iter(compile_to_ir(sources, options, cache=cache, environment=environment))
    found = _Found()
    waiting: list[tuple[int, Path, Dynamic]] = []
    for path in programs:
        if path in sources:
            found.units.append(next(compiled))
            found.groups.append(0)
            continue
        if path in others:
            _take_made(found, path, options, cache, environment)
            continue
        if _is_static_library(path):
            continue
        if _is_object(path):
            _take_object(found, path.read_bytes(), str(path), 0, cache)
        else:
            dynamic = _take_image(found, _read_image(path), path, 0, cache)
            found.search += at_origin((*dynamic.rpath, *dynamic.runpath), path)
            waiting.append((0, path, dynamic))
    names, folders = (*options.libraries, *found.wanted), (*options.library_folders, *found.folders)
    given = given_libraries(names, folders, environment)
    archives = [path for path in (*programs, *given) if _is_static_library(path)]
    _take_members(found, archives, cache)
    direct = [str(path.absolute()) for path in given if not _is_static_library(path)]
    if direct:
        waiting.append((0, Path("a.out"), Dynamic(needed=tuple(direct))))
    _take_libraries(found, waiting, cache, environment)
    if not found.units:
        raise UsageError(_NO_IR.format(", ".join(str(path) for path in programs)))
    return ProgramParts(found.units, _plan(found))


def _take_made(
    found: _Found, path: Path, options: FrontendOptions, cache: Cache,
    environment: Mapping[str, str],
) -> None:  # fmt: skip
    """The parts of a program in another language; warnings are passed on."""
    made, printed = make_parts(path, options, cache, environment)
    sys.stderr.write(printed)
    for name, bitcode in made.units:
        key = hashlib.sha256(bitcode).hexdigest()
        found.units.append(CompiledUnit(Path(name), bitcode, "ir", key))
        found.groups.append(0)
    found.natives += [NativeObject(name, raw) for name, raw in made.objects]
    found.wanted += made.libraries
    found.folders += made.folders


def gather_library(
    path: Path, loaded: frozenset[str], cache: Cache, environment: Mapping[str, str]
) -> ProgramParts:
    """What opening a library with IR links: it as group 0, and what it needs and was not linked
    before.

    loaded: real paths of the libraries with IR that the program has.
    """
    found = _Found(loaded=loaded)
    dynamic = _take_image(found, _read_image(path), path, 0, cache)
    _take_libraries(found, [(0, path, dynamic)], cache, environment)
    return ProgramParts(found.units, _plan(found))


def given_libraries(
    names: Sequence[str], folders: Sequence[str], environment: Mapping[str, str]
) -> list[Path]:
    """The files of `-l` words, as a linker finds them. UsageError for one that is nowhere."""
    found = []
    places = [*folders, *filter(None, environment.get("LIBRARY_PATH", "").split(":"))]
    for name in names:
        files = (name[1:],) if name.startswith(":") else (f"lib{name}.so", f"lib{name}.a")
        candidates = [Path(folder, file) for folder in places for file in files]
        path = next((one for one in candidates if one.is_file()), None)
        path = path or next(filter(None, map(find_library, files)), None)
        if path is None and not is_shared_with_host(f"lib{name}.so"):
            raise UsageError(f"-l{name}: no {' or '.join(files)} in {', '.join(places) or 'any -L'}"
                             " or the system's folders")  # fmt: skip
        found += [path] if path is not None and not is_shared_with_host(path.name) else []
    return found


def _take_members(found: _Found, archives: Sequence[Path], cache: Cache) -> None:
    """What the program needs of static libraries."""
    if not archives:
        return
    given = [unit_names(unit, cache) for unit in found.units]
    given += [object_names(one.raw, one.name) for one in found.natives]
    for member in needed_members(archives, given, cache):
        if is_elf(member.raw):
            _take_object(found, member.raw, member.name, 0, cache)
            continue
        key = hashlib.sha256(member.raw).hexdigest()
        found.units.append(CompiledUnit(Path(member.name), member.raw, "ir", key))
        found.groups.append(0)


def _is_static_library(path: Path) -> bool:
    """Whether a file is used as a static library: by its name, but for an object or an executable
    that is named so."""
    return path.suffix == ".a" and not is_native_file(path)


def is_native_file(path: Path) -> bool:
    """Whether a file is an object, an executable or a library of this machine."""
    try:
        with path.open("rb") as file:
            return is_elf(file.read(8))
    except OSError:
        return False


def _plan(found: _Found) -> LinkPlan:
    return LinkPlan(
        tuple(found.groups), tuple(found.natives), tuple(found.names), tuple(_starts(found)),
        tuple(found.libraries), tuple(found.folders), found.was_linked,
        tuple(found.known), tuple(found.search), tuple(found.beside),
        found.cxx.level,
    )  # fmt: skip


def _starts(found: _Found) -> list[int]:
    """Groups as their constructors run: what one needs is before it."""
    order: list[int] = []

    def visit(group: int, path: frozenset[int]) -> None:
        for need in found.needs.get(group, ()):
            if need not in path and need not in order:
                visit(need, path | {need})
        order.append(group)

    visit(0, frozenset({0}))
    return order


def _take_object(found: _Found, raw: bytes, name: str, group: int, cache: Cache) -> None:
    records = decode_carried(raw, name)
    bitcode = None if records else lto_bitcode(raw)
    if bitcode is not None:
        records = [carried_unit("ir", name, "ir", bitcode)]
    elif not records:
        found.natives.append(NativeObject(name, raw, group))
    _take_records(found, records, group, cache)


def _is_object(path: Path) -> bool:
    with path.open("rb") as file:
        return is_relocatable(file.read(_HEADER_BYTES))


def _read_image(path: Path) -> _Image:
    """What an executable or a library says of itself, without reading its code."""
    if path.stat().st_size < _HEADER_BYTES:
        return _Image([], Dynamic())
    records = carried_in_place(path)
    if not records:
        return _Image([], Dynamic())
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
        return _Image(records, read_dynamic(raw, str(path)))


def _take_image(found: _Found, image: _Image, path: Path, group: int, cache: Cache) -> Dynamic:
    """An executable's or a library's own units. UsageError when it has none."""
    if path.stat().st_size < _HEADER_BYTES:
        raise UsageError(f"{path}: is machine code, and damaged")
    if not any(one.kind == "ir" for one in image.records):
        raise UsageError(_NO_IR.format(path))
    dynamic = image.dynamic
    found.was_linked = True
    found.names[group] = Names(dynamic.exports, dynamic.own, dynamic.imports)
    _take_records(found, image.records, group, cache)
    return dynamic


def _take_records(
    found: _Found, records: Sequence[CarriedUnit], group: int, cache: Cache
) -> None:
    for one in records:
        found.cxx.take(one.language, one.path, one.stdlib, one.opt_level)
    natives = [one for one in records if one.kind == "object"]
    found.natives += [NativeObject(one.path, one.body, group) for one in natives]
    units = carried_units(records, cache)
    found.units += units
    found.groups += [group] * len(units)


def _take_libraries(
    found: _Found,
    waiting: list[tuple[int, Path, Dynamic]],
    cache: Cache,
    environment: Mapping[str, str],
) -> None:
    """What images need, breadth first, as the dynamic linker searches symbols."""
    inherited = [one for _, path, dynamic in waiting for one in at_origin(dynamic.rpath, path)]
    for group, path, dynamic in waiting:  # grows
        folders = [*inherited, *environment.get("LD_LIBRARY_PATH", "").split(":"),
                   *at_origin((*dynamic.rpath, *dynamic.runpath), path)]  # fmt: skip
        for name in dynamic.needed:
            need = _take_library(found, name, list(filter(None, folders)), cache)
            if need is not None:
                number, where, its = need
                found.needs.setdefault(group, []).append(number)
                if its is not None:
                    waiting.append((number, where, its))


def _take_library(
    found: _Found, name: str, folders: list[str], cache: Cache
) -> tuple[int, Path, Dynamic | None] | None:
    """A library with IR: its group, place, and facts when it is new; None for a native one."""
    if is_shared_with_host(Path(name).name):
        return None
    if name in found.by_name:  # whoever needs it next gets the one that is there
        taken = found.by_name[name]
        return None if taken is None else (taken, Path(name), None)
    path = Path(name) if "/" in name else find_library(name, folders)
    if path is None or not path.is_file():
        raise UsageError(f"the library {name} is not found; is its folder in LD_LIBRARY_PATH?")
    where = str(path.resolve())
    if where in found.loaded:
        found.beside.append(where)
        return None
    if where in found.known:
        return found.known[where], path, None
    image = _read_image(path)
    if not image.records:
        found.by_name[name] = None
        if str(path) not in found.libraries:
            found.libraries.append(str(path))
            found.folders += [one for one in folders if one not in found.folders]
        return None
    group = len(found.names)
    found.known[where] = group
    found.names.append(Names())
    dynamic = _take_image(found, image, path, group, cache)
    found.by_name |= {name: group, dynamic.soname or name: group}
    return group, path, dynamic
