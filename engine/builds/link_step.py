"""Linking: the compiler's own linker, one object more, and a note of what came without IR.

The linker joins the records of the objects that it takes (engine/inputs/carried.py), so a program
carries the IR of exactly those. An executable gets start.o, which runs first; one without the C
library runs natively, as irsan has nothing to start it by, and that is said. Native objects and
archive members without a record are listed by the linker's trace, and kept whole in a section of
their own: irsan links them beside the checked code. Of an object that has IR for LTO beside its
code, the IR is kept; archives of bitcode are compiled first (lto_archives.py). Of the C and C++ run
time's own libraries irsan has its own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from irsan.engine.builds.build_ahead import build_ahead, snapshot_ahead
from irsan.engine.builds.compile_step import Compilation, StepFailed
from irsan.engine.builds.cxx_choice import library_words, refuse_mixed
from irsan.engine.builds.lto_archives import NativeArchives
from irsan.engine.builds.openmp_link import lacks_openmp, openmp_stubs, without_openmp
from irsan.engine.inputs.ar_file import find_member, member_names
from irsan.engine.inputs.carried import LINK_SECTION, CarriedUnit, carried_unit, decode_carried
from irsan.engine.inputs.elf_file import is_elf, is_relocatable, lto_bitcode, with_section
from irsan.engine.producers.rust_members import is_native_crate, sliced_records
from irsan.errors import UsageError

_NO_PROGRAM: Final = ("-shared", "-r", "-Wl,-r", "-Wl,--relocatable", "--shared", "-Wl,-shared",
                      "-nostartfiles")  # fmt: skip
_NO_LIBRARY: Final = ("-nostdlib", "-nodefaultlibs", "-nolibc")
_TRACE: Final = ("-Wl,-t", "-Wl,-t")  # twice: members of archives, too
#: `a.o`, `libx.a(m.o)` of lld and new GNU ld, `(libx.a)m.o` of an older one; an rlib is Rust's
_MEMBER: Final = re.compile(
    r"(?P<archive>.+\.(?:a|rlib))\((?P<name>.+)\)|\((?P<archive2>.+\.(?:a|rlib))\)(?P<name2>.+)"
)
_RUN_TIME: Final = re.compile(
    r"(.*/)?(lib(c|m|mvec|pthread|dl|rt|util|gcc|gcc_eh|stdc\+\+|supc\+\+|c\+\+|c\+\+abi|unwind|"
    r"compiler_rt|c_nonshared|m-[\d.]+|resolv|anl|atomic|pthread_nonshared|clang_rt[\w.-]*)\.a|"
    r"[SMgr]?crt[1in]\.o|crt(begin|end)[ST]?\.o|clang_rt.*\.o)"
)


def link(one: Compilation, objects: dict[int, str], folder: Path) -> None:
    """Link as the words say; `objects`: what stands for a source, by its place among the words.

    folder: for files of this link.  Raises StepFailed when the linker does.
    """
    words = one.words
    output = Path(words.output or "a.out")
    is_alone = words.has(*_NO_LIBRARY) and not words.has("-lc", "-r")
    is_program = not words.has(*_NO_PROGRAM) and not is_alone
    is_traced = one.toolchain.is_whole and not words.has("-r")
    archives = NativeArchives(one, folder)
    given, added = list(_linker_words(one, objects)), {str(one.parts.start)}
    if lacks_openmp(words.words, one.toolchain):
        given = [*without_openmp(given)]
        stubs = openmp_stubs(one.toolchain, folder) if is_program else None
        added |= {str(stubs)} if stubs else set()
    library = library_words(one.toolchain, words) if one.is_cxx else ()
    command = [
        *one.toolchain.linker(is_cxx=one.is_cxx),
        *archives.words(given),
        *("-o", str(output)),
        *(sorted(added) if is_program else ()),
        *((str(one.parts.copies),) if is_alone else ()),
        *library,
        *(_TRACE if is_traced else ()),
    ]
    answer = subprocess.run(
        command, stdout=subprocess.PIPE, check=False, env=one.toolchain.environment()
    )
    told = answer.stdout.decode(errors="surrogateescape").splitlines()
    inputs = [line for line in told if is_traced and _is_input(line)]
    own = [line for line in told if line not in inputs]
    if own:
        sys.stdout.write("".join(f"{line}\n" for line in own))
    if answer.returncode:
        refuse_mixed(filter(os.path.isfile, (*objects.values(), *words.words)))
        raise StepFailed(answer.returncode if answer.returncode > 0 else 128 - answer.returncode)
    if not one.toolchain.is_whole:  # zig's own linker does not list archives' members
        inputs = [name for one in words.inputs if not one.language for name in _all_of(one.path)]
    if output.is_file():
        _refuse_mixed(output, inputs)
    if inputs and output.is_file():
        _keep_native(output, inputs, added.union(library), archives)
    if is_alone and not words.has(*_NO_PROGRAM):
        notice = f"irsan-cc: notice: {output}: without the C library it runs natively"
        print(notice, file=sys.stderr)
    if output.is_file() and not words.has("-r"):
        has_runtime = build_ahead(output, _members(inputs, library))
        if has_runtime and is_program:
            snapshot_ahead(one.parts.restore)


def _refuse_mixed(output: Path, inputs: Iterable[str]) -> None:
    """UsageError, and nothing that was linked, for code that was compiled for two C++ libraries."""
    try:
        refuse_mixed([str(output), *(one for one in inputs if ".so" in Path(one).name)])
    except UsageError:
        output.unlink()
        raise


def _members(inputs: Iterable[str], archives: Iterable[str]) -> list[str]:
    """Names of the members of some archives among what the linker has read."""
    found = filter(None, map(_MEMBER.fullmatch, inputs))
    names = [one["name"] or one["name2"] for one in found
             if (one["archive"] or one["archive2"]) in archives]  # fmt: skip
    return [Path(name).stem for name in names]


def _linker_words(one: Compilation, objects: dict[int, str]) -> Iterator[str]:
    """The user's words, objects in the place of sources."""
    for at, word in enumerate(one.words.words):
        if at in objects:
            yield objects[at]
        elif at not in one.words.other and not _is_of_others(word):
            yield word


def _all_of(path: str) -> list[str]:
    """A file, or all members of an archive, as a linker's trace would name them."""
    if not path.endswith(".a"):
        return [path]
    return [f"{path}({name})" for name in member_names(Path(path))]


def _is_of_others(word: str) -> bool:
    """Words for the sanitizers, and for LTO by the linker: it is given native objects."""
    return word.startswith(("-fsanitize", "-fno-sanitize", "-Wl,-plugin-opt"))


def _is_input(line: str) -> bool:
    """Whether a line of the linker's output names a file that it has read."""
    found = _MEMBER.fullmatch(line)
    path = line if found is None else found["archive"] or found["archive2"]
    return bool(path) and os.path.isfile(path)  # noqa: PTH113


def _keep_native(
    output: Path, inputs: Iterable[str], added: set[str], archives: NativeArchives
) -> None:
    """Put native code without records beside the records of what was linked."""
    found = list(_without_records(inputs, added, archives))
    if not found:
        return
    raw = output.read_bytes()
    found = sliced_records(found, raw, str(output))
    if is_elf(raw):
        mode = output.stat().st_mode
        content = b"".join(unit.encoded() for unit in found)
        output.write_bytes(with_section(raw, LINK_SECTION, content))
        output.chmod(mode)


def _without_records(
    inputs: Iterable[str], added: set[str], archives: NativeArchives
) -> Iterator[CarriedUnit]:
    seen: set[str] = set()
    for line in inputs:
        match = _MEMBER.fullmatch(line)
        path = line if match is None else match["archive"] or match["archive2"]
        if line in seen or path in added or _RUN_TIME.fullmatch(path):
            continue
        seen.add(line)
        if match is None and (path.endswith((".a", ".rlib")) or ".so" in Path(path).name):
            continue
        member = "" if match is None else match["name"] or match["name2"]
        raw = find_member(Path(path), member) if member else Path(path).read_bytes()
        if raw and is_relocatable(raw) and not decode_carried(raw, line):
            bitcode = None if is_native_crate(path) else lto_bitcode(raw)
            name = archives.shown(line)
            if bitcode is None:
                yield carried_unit("object", name, "asm", raw)
            else:
                yield carried_unit("ir", name, "ir", bitcode)
