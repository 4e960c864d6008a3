"""The compiler under irsan-cc: a whole one, with the system's headers, libraries and linker.

    clang on PATH, IRSAN_CC     as it is
    zig                         its clang (zig_clang.py)

Which one is chosen is `irsan.engine.front_end.compilers`' decision, and remembered: a build starts
the wrapper thousands of times.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from irsan.cachedir import cache_root, kept_root
from irsan.engine.builds.zig_clang import (
    ALONE,
    has_system,
    library_headers,
    lone_clang,
    system_clang,
)
from irsan.sealed import read_sealed, write_sealed

_AS_CXX: Final = "--driver-mode=g++"
_CHOICES: Final = ("compilers.py", "front_end_flags.py")  # of words, by irsan


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler driver and what irsan adds to its words.

    c, cxx: the driver's command for each language.
    common, races, uninitialised: words of a compilation to IR, by sanitizer.
    linkers: commands for C and C++ that link, where the drivers themselves do not.
    checked_headers: words by which C++ finds the headers of the checked library; () for none.
    is_checked: C++ is compiled for that library (cxx_choice.py).
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
    linkers: tuple[tuple[str, ...], ...] = ()
    checked_headers: tuple[str, ...] = ()
    is_checked: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the compiler itself links, with the system's linker and libraries."""
        return not self.linkers

    def linker(self, *, is_cxx: bool) -> tuple[str, ...]:
        """The command that links programs of C, or of C++."""
        return self.linkers[is_cxx] if self.linkers else self.driver(is_cxx=is_cxx)

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
    place = Path("toolchain", hashlib.sha256(repr(facts).encode()).hexdigest()[:20])
    known = read_sealed(kept_root() / place)
    if known is not None:
        return _from_json(known)
    found = _ask(environment)
    try:
        write_sealed(cache_root() / place, json.dumps(asdict(found)).encode())
    except OSError:
        return found  # a cache that cannot be written costs time only
    return found


def _installed_facts() -> tuple[object, ...]:
    """What changes when this file, irsan's choice of words, or the bundled compiler changes."""
    here = Path(__file__)
    own = [here, here.with_name("zig_clang.py")]
    own += [here.parents[1] / "front_end" / name for name in _CHOICES]
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
        facts[name] = _as_tuple(value)
    return Toolchain(**facts)


def _as_tuple(value: Any) -> Any:
    return tuple(_as_tuple(one) for one in value) if isinstance(value, list) else value


def _ask(environment: Mapping[str, str]) -> Toolchain:
    from irsan.engine.cache import open_cache
    from irsan.engine.front_end.compilers import choose_compiler

    compiler = choose_compiler(None, environment, open_cache(environment))
    common = tuple(word for word in _without_target(compiler.flags) if word != "-UNDEBUG")
    found = Toolchain(
        compiler.c, compiler.cxx, compiler.title(), compiler.version[0], compiler.identity, common,
        compiler.race_flags, compiler.uninitialised_flags,
    )  # fmt: skip
    return _with_zig(found) if compiler.kind == "zig" else found


def _with_zig(found: Toolchain) -> Toolchain:
    """zig's clang for this system, or for zig's own headers where the system has none."""
    folder = _zig_folder()
    assert folder is not None
    found = replace(found, checked_headers=library_headers(found.cxx))
    if has_system():
        clang = system_clang(folder)
        return replace(found, c=clang, cxx=(*clang, _AS_CXX), linkers=())
    c, cxx = (lone_clang(folder, one, end) for one, end in ((found.c, ".c"), (found.cxx, ".cc")))
    linkers = ((*found.c, *ALONE), (*found.cxx, *ALONE))
    return replace(found, c=c, cxx=(*cxx, _AS_CXX), linkers=linkers)


def _without_target(flags: tuple[str, ...]) -> tuple[str, ...]:
    """irsan's own words without those that aim zig at a target."""
    return flags[len(ALONE) :] if flags[: len(ALONE)] == ALONE else flags
