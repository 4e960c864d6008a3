"""Which compiler makes IR: a clang that llvmlite can read after, or the pip-installed one.

Choice order: `--cc`, then IRSAN_CC, then the first clang on PATH (clang, clang-22 .. clang-14)
whose LLVM is not newer than llvmlite's, then `python -m ziglang` (the extra `irsan[cc]`).

    Compiler
      c, cxx    argument prefixes, one per language
      kind      "clang" or "zig"
      version   (22, 1, 8)
      flags     what every compilation gets from irsan; race_flags when races are looked for, too
      identity  changes when the installed compiler changes: part of every cache key

The front end marks functions and globals for AddressSanitizer, as the source's `no_sanitize` says,
keeps scopes at -O0 and does not let LLVM speculate loads; the checks are irsan's, so those of
clang's pass are off (`irsan.instrument.border.front_end_attributes` takes back what cannot be off).
Functions are marked for ThreadSanitizer in the same way when races are looked for. Three of LLVM's
passes read what the source does not even then: they are off (NO_EXTRA_READS).
MemorySanitizer's pass cannot be switched off: its marks are made by a first command without any
LLVM pass, and a second one, with all other flags, optimises the bitcode.

Deviations: zig by itself adds run-time checks at -O0, defines NDEBUG at -O1 and above and aims at
the host's newest CPU and C library. The flags undo that, so that a program means the same with
either compiler: assertions stay on unless the user defines NDEBUG.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from irsan.cachedir import cache_base
from irsan.engine.cache import Cache
from irsan.engine.front_end.front_end_flags import CLANG_NO_EXTRA_READS, RACE_PASS_OPTIONS
from irsan.errors import UsageError
from irsan.installed import installed_version
from irsan.instrument.check_names import ADDRESS, MEMORY, THREAD, UNDEFINED

Version = tuple[int, int, int]
CLANG_NAMES = ("clang", *(f"clang-{major}" for major in range(22, 13, -1)))

# -O0 must not mark functions optnone: irsan's own passes still have to run on them.
_COMMON_FLAGS = ("-Xclang", "-disable-O0-optnone", "-U_FORTIFY_SOURCE")
_PASS_OPTIONS = (
    *("instrument-reads=0", "instrument-writes=0", "instrument-atomics=0", "instrument-byval=0"),
    *("stack=0", "globals=0", "instrument-dynamic-allocas=0", "constructor-kind=none"),
)
_MARK_FLAGS = (
    *("-Xclang", "-fsanitize=address", "-Xclang", "-fsanitize-address-use-after-scope"),
    *(word for option in _PASS_OPTIONS for word in ("-mllvm", f"-asan-{option}")),
)
_RACE_FLAGS = (
    *("-Xclang", "-fsanitize=thread"),
    *(word for name in RACE_PASS_OPTIONS for word in ("-mllvm", f"-tsan-instrument-{name}=0")),
    *CLANG_NO_EXTRA_READS,
)
_UNINITIALISED_FLAGS = tuple(
    word
    for flag in ("-fsanitize=memory", "-fsanitize-memory-use-after-dtor", "-disable-llvm-passes")
    for word in ("-Xclang", flag)
)
_OLDEST_MARKS = 16  # an older clang has no constructor-kind, and no marks on globals
# 2.31 is the oldest C library that zig aims at by default: no newer than any supported host's.
_ZIG_FLAGS = (
    *("-target", "x86_64-linux-gnu.2.31", "-mcpu=baseline"),
    *("-fno-sanitize=all", "-fno-stack-protector", "-UNDEBUG"),
    *_COMMON_FLAGS,
)
_VERSION_TEXT = re.compile(r"clang version (\d+)\.(\d+)\.(\d+)")
_NO_COMPILER = (
    "no compiler for C and C++ found: install one with  pip install 'irsan[cc]'  or put a clang "
    "not newer than LLVM {major} on PATH, or name one with --cc"
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that was run once and answered. See the module for the fields."""

    c: tuple[str, ...]
    cxx: tuple[str, ...]
    kind: Literal["clang", "zig"]
    version: Version
    flags: tuple[str, ...]
    identity: str
    chosen_by: str

    def marks(
        self, *, races: bool, undefined: bool = False, uninitialised: bool = False
    ) -> frozenset[str]:
        """Sanitizers whose functions are marked, so that an unmarked one is not to be checked.

        races: the compilation gets `race_flags`;  undefined: it puts in checks of its own;
        uninitialised: it gets `uninitialised_flags`.
        """
        own = (UNDEFINED,) if undefined else ()
        if uninitialised and self.uninitialised_flags:
            own = (*own, MEMORY)
        if self.version[0] < _OLDEST_MARKS:
            return frozenset(own)
        return frozenset((ADDRESS, THREAD, *own) if races else (ADDRESS, *own))

    @property
    def race_flags(self) -> tuple[str, ...]:
        """Flags that make the compiler mark functions to be checked for races."""
        return _RACE_FLAGS if self.version[0] >= _OLDEST_MARKS else ()

    @property
    def uninitialised_flags(self) -> tuple[str, ...]:
        """Flags that make the compiler mark functions to be checked for uninitialised values.

        The bitcode is not optimised then: a second command has to do it, without these flags.
        """
        return _UNINITIALISED_FLAGS if self.version[0] >= _OLDEST_MARKS else ()

    def title(self) -> str:
        """One line for people, as `irsan doctor` shows it."""
        number = ".".join(map(str, self.version))
        return f"{self.kind} {number} ({shlex.join(self.c)}, from {self.chosen_by})"


def choose_compiler(cc: str | None, environment: Mapping[str, str], cache: Cache) -> Compiler:
    """The compiler for this run.

    cc: the value of --cc, or None.
    Raises UsageError when the named one does not work, or when there is none at all.
    """
    if cc:
        return _named_compiler(cc, "--cc", environment, cache)
    if named := environment.get("IRSAN_CC"):
        return _named_compiler(named, "IRSAN_CC", environment, cache)
    newest = llvm_version(cache)
    for program in _clangs_on_path(environment):
        found = _probe((program,), "PATH", cache)
        if found is not None and found.version[0] <= newest[0]:
            return found
    bundled = _bundled_compiler(cache)
    if bundled is None:
        raise UsageError(_NO_COMPILER.format(major=newest[0]))
    return bundled


def llvm_version(cache: Cache) -> Version:
    """The LLVM inside llvmlite. Remembered by llvmlite's version: asking it costs 70 ms."""
    llvmlite_version = installed_version("llvmlite")
    key = hashlib.sha256(llvmlite_version.encode()).hexdigest()
    known = cache.get("llvm-version", key)
    if known is None:
        import llvmlite.binding

        known = ".".join(map(str, llvmlite.binding.llvm_version_info)).encode()
        cache.put("llvm-version", key, known)
    return _version_from_text(known.decode())


def llvm_in_words() -> str:
    """The same in words, for reports and `--version`."""
    quiet = Cache(cache_base(os.environ), notify=lambda _: None)
    return ".".join(map(str, llvm_version(quiet)))


def _named_compiler(
    command: str, origin: str, environment: Mapping[str, str], cache: Cache
) -> Compiler:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{origin}: {command}: {error}") from None
    if not words:
        raise UsageError(f"{origin} names no compiler")
    program = shutil.which(words[0], path=environment.get("PATH"))
    if program is None:
        raise UsageError(f"{origin}: {words[0]}: no such command")
    # Some compilations run in a folder of their own; a link is kept, it may mean an environment.
    found = _probe((str(Path(program).absolute()), *words[1:]), origin, cache)
    if found is None:
        raise UsageError(f"{origin}: {command}: not a clang or zig, so it cannot make LLVM IR")
    return found


def _clangs_on_path(environment: Mapping[str, str]) -> Iterator[str]:
    path = environment.get("PATH", os.defpath)
    for name in CLANG_NAMES:
        if program := shutil.which(name, path=path):
            yield program


def _bundled_compiler(cache: Cache) -> Compiler | None:
    if importlib.util.find_spec("ziglang") is None:
        return None
    return _probe((sys.executable, "-m", "ziglang"), "irsan[cc]", cache)


def _probe(words: tuple[str, ...], origin: str, cache: Cache) -> Compiler | None:
    """Ask a command what it is; None when it is no clang. The answer is remembered."""
    prefix, is_zig = _language_prefix(words)
    identity = _identity(prefix)
    known = cache.get("compiler-version", identity)
    if known is None:
        known = _version_output((*prefix, "cc") if is_zig else prefix, cache)
        if not _VERSION_TEXT.search(known.decode(errors="replace")):
            return None
        cache.put("compiler-version", identity, known)
    match = _VERSION_TEXT.search(known.decode(errors="replace"))
    if match is None:
        return None
    version = _version_from_text(".".join(match.groups()))
    return Compiler(
        c=(*prefix, "cc") if is_zig else prefix,
        cxx=(*prefix, "c++") if is_zig else (*prefix, "--driver-mode=g++"),
        kind="zig" if is_zig else "clang",
        version=version,
        flags=(
            *(_ZIG_FLAGS if is_zig else _COMMON_FLAGS),
            *(_MARK_FLAGS if version[0] >= _OLDEST_MARKS else ()),
        ),
        identity=identity,
        chosen_by=origin,
    )


def _language_prefix(words: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The command without zig's sub-command, and whether it is zig."""
    is_zig = "ziglang" in words or Path(words[0]).name.startswith("zig")
    if is_zig and words[-1] in ("cc", "c++"):
        return words[:-1], True
    return words, is_zig


def _identity(prefix: tuple[str, ...]) -> str:
    """A hash over what the command is now: its words and the size and time of its binary."""
    binary = Path(prefix[0])
    if "ziglang" in prefix:
        spec = importlib.util.find_spec("ziglang")
        if spec is not None and spec.origin is not None:
            binary = Path(spec.origin).with_name("zig")
    facts: list[object] = [prefix]
    real = Path(os.path.realpath(binary))
    if real.exists():
        status = real.stat()
        facts += [str(real), status.st_size, status.st_mtime_ns]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _version_output(command: tuple[str, ...], cache: Cache) -> bytes:
    try:
        answer = subprocess.run(
            [*started_directly(command), "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=compiler_environment(os.environ, cache.tool_dir("zig")),
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return answer.stdout if answer.returncode == 0 else b""


def started_directly(command: Sequence[str]) -> Sequence[str]:
    """A command of this Python's zig without that Python, which only starts zig: 15 ms."""
    zig = _own_zig() if tuple(command[:3]) == (sys.executable, "-m", "ziglang") else None
    return command if zig is None else (zig, *command[3:])


@functools.cache
def _own_zig() -> str | None:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    binary = Path(spec.origin).with_name("zig")
    return str(binary) if os.access(binary, os.X_OK) else None


def compiler_environment(environment: Mapping[str, str], zig_cache: Path) -> dict[str, str]:
    """The environment a compiler runs in: zig's own cache must not grow beside irsan's."""
    return {
        **environment,
        "ZIG_GLOBAL_CACHE_DIR": str(zig_cache),
        "ZIG_LOCAL_CACHE_DIR": str(zig_cache),
    }


def _version_from_text(text: str) -> Version:
    major, minor, patch = (int(part) for part in text.split(".")[:3])
    return major, minor, patch
