"""Compiled bitcode kept from run to run, so that a warm run starts no compiler.

    key    = hash(compiler, flags, working folder, environment, source path, source text)
    entry  = length of record (u32) + record (JSON) + bitcode
    record = {"files": {path: sha256 of every file the compiler read},
              "shadows": hash of the files that could have been read instead,
              "warnings": what the compiler printed}

Soundness: an entry is used only when everything the compiler read still has the same content and
no new file could take the place of a header. A header is found as <search folder>/<spelling>, and
the spelling is a tail of the path that was read; so every <search folder>/<tail> that exists and
was not read is listed, and a change of that list is a miss (the folders' parents are searched
too, for spellings that start with `../`; a new file that hides one spelled `../../x.h` is not
seen). What a list of files cannot prove (sources that ask for the time or for the existence of a
file, a file changed while it was compiled) is never stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from irsan.engine.cache import Cache

_NAMESPACE = "compiled"
_LENGTH = struct.Struct("<I")
_CLOCK_SLACK_NS = 10_000_000  # file times come from a clock that ticks every few milliseconds
_UNPROVABLE = re.compile(rb"__has_include|__has_embed|#\s*embed|__DATE__|__TIME__|__TIMESTAMP__")
# Files of the installed compiler and system: they may ask, the answer is theirs.
_SYSTEM_FOLDERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/")


@dataclass(frozen=True, slots=True)
class Compilation:
    """What one compiler run gave: current bitcode, and the warnings it printed."""

    bitcode: bytes
    warnings: str


def lookup(cache: Cache, key: str, search: Sequence[Path]) -> Compilation | None:
    """A stored compilation that is still true, or None.

    search: the folders the user named for headers, in any order.
    """
    payload = cache.get(_NAMESPACE, key)
    if payload is None:
        return None
    (length,) = _LENGTH.unpack_from(payload)
    record = json.loads(payload[_LENGTH.size : _LENGTH.size + length])
    files: dict[str, str] = record["files"]
    if any(_file_hash(path) != digest for path, digest in files.items()):
        return None
    if _shadows(files, search) != record["shadows"]:
        return None
    return Compilation(payload[_LENGTH.size + length :], record["warnings"])


def store(
    cache: Cache,
    key: str,
    compilation: Compilation,
    files: Sequence[str],
    search: Sequence[Path],
    started_ns: int,
) -> None:
    """Keep a compilation, unless its files cannot prove that it would come out the same.

    files: absolute paths of everything the compiler read.
    started_ns: when the compiler was started, as time.time_ns() says.
    """
    if not all(_is_provable(path, started_ns) for path in files):
        return
    record = {
        "files": {path: _file_hash(path) for path in files},
        "shadows": _shadows(files, search),
        "warnings": compilation.warnings,
    }
    text = json.dumps(record).encode()
    cache.put(_NAMESPACE, key, _LENGTH.pack(len(text)) + text + compilation.bitcode)


def read_files(source: Path, headers: str) -> list[str]:
    """Absolute paths of what a compilation read: its source and the headers listed line by line."""
    return sorted(
        {os.path.join(os.getcwd(), name) for name in (str(source), *headers.split("\n")) if name}
    )


def _file_hash(path: str) -> str | None:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def _is_provable(path: str, started_ns: int) -> bool:
    try:
        status = os.stat(path)
        if max(status.st_mtime_ns, status.st_ctime_ns) > started_ns - _CLOCK_SLACK_NS:
            return False
        return _is_system_file(path) or not _UNPROVABLE.search(Path(path).read_bytes())
    except OSError:
        return False


def _is_system_file(path: str) -> bool:
    return path.startswith(_SYSTEM_FOLDERS) or "/ziglang/lib/" in path


def _shadows(files: Iterable[str], search: Sequence[Path]) -> str:
    """A hash of the files under the search folders that are a tail of a read file's path."""
    read = {os.path.abspath(path) for path in files}
    folders = {os.path.abspath(folder) for folder in search}
    folders |= {os.path.dirname(path) for path in read if not _is_system_file(path)}
    folders |= {os.path.dirname(folder) for folder in folders}
    tails = _tails_by_first_part(read)
    found: set[str] = set()
    for folder in folders:
        for name in _names(folder):
            candidates = (os.path.join(folder, tail) for tail in tails.get(name, ()))
            found.update(path for path in candidates if path not in read and os.path.isfile(path))
    return hashlib.sha256("\0".join(sorted(found)).encode()).hexdigest()


def _tails_by_first_part(paths: Iterable[str]) -> dict[str, set[str]]:
    """All tails of the paths (`a/b.h`, `b.h`), by their first part."""
    tails: dict[str, set[str]] = {}
    for path in paths:
        parts = path.split("/")
        for start in range(1, len(parts)):
            tails.setdefault(parts[start], set()).add("/".join(parts[start:]))
    return tails


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
