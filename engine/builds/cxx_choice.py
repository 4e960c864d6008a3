"""For which C++ library a build compiles: the compiler's own choice, or the checked library.

    irsan-c++ -stdlib=checked             the bundled compiler's libc++, which runs check
    irsan-c++ -stdlib=native              as without the word
    IRSAN_OPTIONS=stdlib=checked make     for commands that do not name a library of their own

C++ is compiled with the headers of the bundled compiler's library and with its assertions on, as
`irsan run --stdlib checked` does, and the object says so (engine/inputs/carried.py). Natively the
library that zig builds is linked, statically (native_cxx.py); what a run links is made of its
sources (engine/cxx_library). The choice concerns commands that preprocess, and probes, as well:
what they find out must be true of the build.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from irsan.engine.builds.native_cxx import native_library
from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.builds.words import LINK, Words, parse_words
from irsan.engine.front_end.checked_words import checked_words
from irsan.engine.inputs.ar_file import read_members
from irsan.engine.inputs.carried import carried_heads, decode_carried
from irsan.engine.inputs.cxx_libraries import CxxLibraries
from irsan.engine.inputs.elf_file import is_elf
from irsan.engine.options import CHECKED, NATIVE, STDLIBS
from irsan.errors import UnsupportedError, UsageError

_STARTS: Final = ("-stdlib=", "--stdlib=")
_LIBCXX: Final = "libc++"
_OBJECT: Final = (".o", ".lo", ".obj")
_NO_LIBRARY: Final = ("-nostdlib", "-nodefaultlibs", "-nostdlib++", "-r")


def without_choice(words: Words, environment: Mapping[str, str]) -> tuple[Words, str]:
    """The words that the compiler is given, and the library that was chosen; "" for none.

    UsageError for a library that IRSAN_OPTIONS names and that does not exist.
    """
    said = [word.partition("=")[2] for word in words.words if word.startswith(_STARTS)]
    kept = [word for word in words.words if not _is_choice(word)]
    rest = words if len(kept) == len(words.words) else parse_words(kept)
    named = said[-1] if said else ""
    if named in STDLIBS:
        return rest, named
    return rest, _named_by_environment(environment) if named in ("", _LIBCXX) else NATIVE


def _is_choice(word: str) -> bool:
    return word.startswith(_STARTS) and word.partition("=")[2] in STDLIBS


def _named_by_environment(environment: Mapping[str, str]) -> str:
    if "stdlib" not in environment.get("IRSAN_OPTIONS", ""):
        return ""
    from irsan.runtime.flags.flags import parse_flags

    named = parse_flags(environment).flags.get_str("stdlib")
    if named and named not in STDLIBS:
        raise UsageError(f"IRSAN_OPTIONS: stdlib: unknown {named!r} (known: {', '.join(STDLIBS)})")
    return named


def is_for_checked(words: Words, choice: str, *, is_cxx: bool) -> bool:
    """Whether a command compiles or links for the checked library.

    A link of C++ without a choice takes the library that its objects were compiled for.
    """
    if choice or words.mode != LINK or not is_cxx:
        return choice == CHECKED
    objects = [one.path for one in words.inputs if one.path.endswith(_OBJECT)]
    return any(stdlib for path in objects for _, _, stdlib, _ in _facts(Path(path)))


def with_checked_library(toolchain: Toolchain, words: Words, *, is_cxx: bool) -> Toolchain:
    """The same compiler, C++ for the checked library. UsageError for C++ where it has none.

    words: of the command; a hardening mode that they choose stays.
    """
    if not toolchain.checked_headers:
        if not (is_cxx or any(one.language.startswith("c++") for one in words.inputs)):
            return toolchain
        raise UsageError(
            "-stdlib=checked: the C++ library comes as source with the compiler that  pip install "
            f"'irsan[cc]'  brings; this build compiles with {toolchain.title}: "
            f"IRSAN_CC='{sys.executable} -m ziglang' chooses the other"
        )
    cxx = (*toolchain.cxx, *toolchain.checked_headers, *checked_words(words.words))
    return replace(toolchain, cxx=cxx, is_checked=True)


def library_words(toolchain: Toolchain, words: Words) -> tuple[str, ...]:
    """What a command of the C++ driver links natively, behind everything else."""
    if not (toolchain.is_checked and toolchain.is_whole) or words.mode != LINK:
        return ()
    return () if words.has(*_NO_LIBRARY) else ("-nostdlib++", *map(str, native_library(toolchain)))


def refuse_mixed(paths: Iterable[str]) -> None:
    """UsageError for objects, archives and libraries of which some are for the checked library and
    some are not.
    """
    found = CxxLibraries()
    for path in map(Path, paths):
        for facts in _facts(path):
            found.take(*facts)


def _facts(path: Path) -> Iterable[tuple[str, str, str, int]]:
    """Language, path, library and -O of each unit that a file carries; nothing of other files."""
    try:
        if path.suffix == ".a":
            members = [raw for _, raw in read_members(path) if is_elf(raw)]
            units = [one for raw in members for one in decode_carried(raw, str(path))]
            return [(one.language, one.path, one.stdlib, one.opt_level) for one in units]
        heads = carried_heads(path) if path.is_file() else []
    except (OSError, ValueError, UnsupportedError):
        return []
    return [(one["language"], one["path"], one.get("stdlib", ""), one["opt_level"])
            for one in heads]  # fmt: skip
