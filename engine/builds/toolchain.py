"""The compiler under irsan-cc: a whole one, with the system's headers, libraries and linker.

    clang on PATH, IRSAN_CC     as it is
    zig                         its clang, aimed at this system, where the system has headers of C;
                                else zig's own driver, with the C library that it brings along

Which one is chosen is `irsan.engine.compilers`' decision, and remembered: a build starts the
wrapper thousands of times.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from irsan.cachedir import cache_root
from irsan.sealed import read_sealed, write_sealed

_SYSTEM_TARGET: Final = "x86_64-linux-gnu"
_SYSTEM_HEADER: Final = Path("/usr/include/stdio.h")
_SYSTEM_STARTS: Final = ("/usr/lib/x86_64-linux-gnu/crt1.o", "/usr/lib64/crt1.o")
_ZIG_ALONE: Final = ("-target", "x86_64-linux-gnu.2.31", "-mcpu=baseline", "-fno-sanitize=all")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler driver and what irsan adds to its words.

    c, cxx: the driver's command for each language.
    marks: words of a compilation to IR, by what is looked for (see `mark_words`).
    marked: the sanitizers whose functions these words mark.
    identity: changes when the installed compiler changes.
    """

    c: tuple[str, ...]
    cxx: tuple[str, ...]
    title: str
    version: int
    identity: str
    common: tuple[str, ...]
    races: tuple[str, ...]
    uninitialised: tuple[str, ...]
    is_whole: bool

    def driver(self, *, is_cxx: bool) -> tuple[str, ...]:
        """The command for C, or for C++."""
        return self.cxx if is_cxx else self.c

    def environment(self) -> dict[str, str]:
        """Where the compiler runs: zig keeps its own cache in irsan's."""
        if self.is_whole:
            return dict(os.environ)
        folder = str(cache_root() / "tools" / "zig")
        return {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}


def find_toolchain(environment: Mapping[str, str]) -> Toolchain:
    """The compiler to use. Raises UsageError when there is none, as `irsan run` does."""
    facts = (*_installed_facts(), *(environment.get(name) for name in ("IRSAN_CC", "PATH")))
    place = cache_root() / "toolchain" / hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
    known = read_sealed(place)
    if known is not None:
        return _from_json(known)
    found = _ask(environment)
    try:
        write_sealed(place, json.dumps(asdict(found)).encode())
    except OSError:
        return found  # a cache that cannot be written costs time only
    return found


def _installed_facts() -> tuple[object, ...]:
    """What changes when this file, irsan's choice of words, or the bundled compiler changes."""
    own = [Path(__file__), Path(__file__).parent.parent / "compilers.py"]
    zig = _zig_folder()
    if zig is not None:
        own.append(zig / "zig")
    return tuple((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in own)


@functools.cache
def _zig_folder() -> Path | None:
    import importlib.util

    spec = importlib.util.find_spec("ziglang")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def _from_json(raw: bytes) -> Toolchain:
    facts: dict[str, Any] = {}
    for name, value in json.loads(raw).items():
        facts[name] = tuple(value) if isinstance(value, list) else value
    return Toolchain(**facts)


def _ask(environment: Mapping[str, str]) -> Toolchain:
    from irsan.engine.cache import open_cache
    from irsan.engine.compilers import choose_compiler

    compiler = choose_compiler(None, environment, open_cache(environment))
    common = tuple(word for word in _without_target(compiler.flags) if word != "-UNDEBUG")
    c, cxx, is_whole = compiler.c, compiler.cxx, True
    if compiler.kind == "zig":
        c, cxx, is_whole = _zig_commands(compiler.c, compiler.cxx)
    return Toolchain(
        c, cxx, compiler.title(), compiler.version[0], compiler.identity, common,
        compiler.race_flags, compiler.uninitialised_flags, is_whole,
    )  # fmt: skip


def _zig_commands(
    c: tuple[str, ...], cxx: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """zig's clang for this system, or zig's driver where there is nothing of the system's."""
    folder = _zig_folder()
    has_system = _SYSTEM_HEADER.exists() and any(Path(one).exists() for one in _SYSTEM_STARTS)
    if folder is None or not has_system:
        alone = (*_ZIG_ALONE, "-UNDEBUG")  # which zig defines by itself; the user may, too
        return (*c, *alone), (*cxx, *alone), False
    clang = (
        *(str(folder / "zig"), "clang", f"--target={_SYSTEM_TARGET}"),
        *("-resource-dir", str(folder / "lib")),
    )
    return clang, (*clang, "--driver-mode=g++"), True


def _without_target(flags: tuple[str, ...]) -> tuple[str, ...]:
    """irsan's own words without those that aim zig at a target."""
    n_own = len(_ZIG_ALONE)
    return flags[n_own:] if flags[:n_own] == _ZIG_ALONE else flags
