"""The key of the built runtime: a hash of every source that shapes it, and of the versions.

Reading hundreds of sources takes a sixth of a warm run, so a hash is remembered under what the file
system says of them (names, inodes, sizes, times of change); within a process it is not asked again.

A process whose sources were exchanged since it started (an upgrade, another branch) may hold
modules of both: its key is its own, and `are_unchanged` tells those who would store what it makes.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from irsan.cachedir import cache_base
from irsan.engine.cache import Cache
from irsan.installed import installed_version

_ROOT = Path(__file__).resolve().parent.parent.parent
_RUNTIME = (
    "engine/headed_bytes.py",
    "runtime/kernels",
    "runtime/layout",
    "runtime/records",
    "interceptors",
    "instrument/hooks.py",
    "engine/glue",
    "engine/target.py",
    "engine/runtime_image/build.py",
    "engine/runtime_image/kernel_link.py",
    "runtime/views/registered_globals.py",
    "runtime/views/fake_frames.py",
    "runtime/views/context_stacks.py",
)
_INSTRUMENT = (
    "engine/headed_bytes.py",
    "instrument",
    "ir",
    "engine/program_image",
    "engine/linker/link_plan.py",
    "engine/front_end/compiled_unit.py",
    "engine/front_end/module_limits.py",
)
_INTERP = (
    "engine/interp",
    "runtime/kernels/memory.py",
    "runtime/kernels/language/typing_rules.py",
    "engine/target.py",
    "engine/runtime_image/build.py",
)
_LINKER = (
    "engine/headed_bytes.py",
    "engine/linker",
    "engine/guest/guest_link.py",
    "engine/guest/kept_links.py",
    "engine/native_libraries/guest_libraries.py",
    "instrument/globals/redzone_sizes.py",
)

_ALL = tuple(dict.fromkeys((*_RUNTIME, *_INSTRUMENT, *_INTERP, *_LINKER)))
_SUFFIXES = (".py", ".ll")  # of sources; the glue's templates are LLVM assembly
_TICKS = os.sysconf("SC_CLK_TCK")
_SETTLED_S = 2.0  # a file that has changed later may change again without a trace


def runtime_sources_hash() -> str:
    """Hex digest over kernels, glue, hook table, layout shift and compiler versions."""
    return _runtime_hash(_ROOT, _layout_shift())


def portable_hash(kind: str) -> str:
    """Of the sources of the runtime, or of the interpreter's machine, whatever builds them."""
    places = _RUNTIME if kind == "runtime" else _INTERP
    return _hash(_ROOT, _files(_ROOT, places), _layout_shift())


def instrument_sources_hash() -> str:
    """Hex digest over the passes, the IR model and the code generation settings."""
    return _instrument_hash(_ROOT)


def interp_sources_hash() -> str:
    """Hex digest over the virtual machine and the lowering, and of what compiles them."""
    return _interp_hash(_ROOT)


def linker_sources_hash() -> str:
    """Hex digest over the static linker."""
    return _linker_hash(_ROOT)


def all_sources() -> list[str]:
    """Paths of all files that the hashes cover, and of the folders in which others may appear."""
    names = _files(_ROOT, _ALL)
    return sorted({*_folders(_ROOT, names), *(f"{_ROOT}/{name}" for name in names)})


def are_unchanged() -> bool:
    """Whether this process has loaded the sources as they are, so that others may use its work."""
    names, folders = _known_sources(_ROOT)
    if any(_has_changed(_stamp(folder)) for folder in folders):
        names = _files(_ROOT, _ALL)  # another file, or only a compiled module
    return not any(_has_changed(_stamp(f"{_ROOT}/{name}")) for name in names)


def forget_hashes() -> None:
    """Ask the file system again: sources have changed within this process."""
    for one in (_runtime_hash, _instrument_hash, _interp_hash, _linker_hash, _known_sources):
        one.cache_clear()


@functools.cache
def _runtime_hash(root: Path, shift: str) -> str:
    versions = [installed_version(name) for name in ("numba", "llvmlite", "numpy")]
    words = [word + "\0" for word in (sys.version, *versions, shift)]
    return _remembered(root, _RUNTIME, "".join(words))


@functools.cache
def _instrument_hash(root: Path) -> str:
    return _remembered(root, _INSTRUMENT, "")


@functools.cache
def _interp_hash(root: Path) -> str:
    versions = [installed_version(name) for name in ("numba", "llvmlite")]
    return _remembered(root, _INTERP, "".join(word + "\0" for word in (sys.version, *versions)))


@functools.cache
def _linker_hash(root: Path) -> str:
    return _remembered(root, _LINKER, "")


@functools.cache
def _known_sources(root: Path) -> tuple[list[str], list[str]]:
    """Names of all sources, and paths of their folders, as they were when first asked for.

    Looking through the folders takes longer than looking at each file.
    """
    names = _files(root, _ALL)
    return names, _folders(root, names)


def _folders(root: Path, names: Sequence[str]) -> list[str]:
    """Paths of the folders in which other sources may appear."""
    folders = {f"{root}/{place}" for place in _ALL if (root / place).is_dir()}
    files = (f"{root}/{name}" for name in names)
    inner = {name.rpartition("/")[0] for name in files if name.startswith(tuple(folders))}
    return sorted(folders | inner)


def _layout_shift() -> str:
    return os.environ.get("IRSAN_LAYOUT_SHIFT", "0")


def _remembered(root: Path, places: tuple[str, ...], words: str) -> str:
    """The hash of files and words, from the cache when no file has changed since."""
    names = _files(root, places)
    stamps = [(name, *_stamp(f"{root}/{name}")) for name in names]
    key = hashlib.sha256(repr((str(root), stamps, words)).encode()).hexdigest()
    cache = Cache(cache_base(os.environ), notify=lambda _: None)
    known = cache.get("sources", key)
    if known is not None:
        return known.decode()
    if any(_has_changed(stamp) for _, *stamp in stamps):
        words += f"{_LOADED_NS} {os.getpid()}"
    found = _hash(root, names, words)
    if all(changed_ns < (time.time() - _SETTLED_S) * 1e9 for *_, changed_ns in stamps):
        cache.put("sources", key, found.encode())
    return found


def _has_changed(stamp: Sequence[int]) -> bool:
    """Since this process has started; a clock that was put back since is no change."""
    return _LOADED_NS < stamp[-1] <= time.time_ns()


def _process_start_ns() -> int:
    """When this process started, by the clock that files have; as exact as the kernel's ticks."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / _TICKS
    return time.time_ns() - int(age_s * 1e9)


# Asked as this module is loaded: a fork keeps the answer of the process that has the modules.
_LOADED_NS = _process_start_ns()


def _stamp(path: str) -> tuple[int, int, int, int]:
    status = os.stat(path)  # noqa: PTH116
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _hash(root: Path, names: list[str], words: str) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode())
        digest.update((root / name).read_bytes())
    digest.update(words.encode())
    return digest.hexdigest()[:40]


def _files(root: Path, places: tuple[str, ...]) -> list[str]:
    """Names below the root of all sources in some places, in the order in which they count."""
    found: list[str] = []
    for place in places:
        whole = f"{root}/{place}"
        if os.path.isfile(whole):  # noqa: PTH113
            found.append(place)
            continue
        inside = [f"{folder}/{name}" for folder, _, names in os.walk(whole) for name in names]
        sources = (name[len(str(root)) + 1 :] for name in inside if name.endswith(_SUFFIXES))
        found += sorted(sources, key=lambda name: name.split("/"))
    return found
