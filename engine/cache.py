"""The cache folder: results that cost seconds, kept on disk by content hash.

    <base>/<irsan version>/
        <namespace>/<key[:2]>/<key>     one entry: header + bytes; or a folder of two files,
                                        head and body, of which the body is mapped
        numba/<hash>/                   compiled kernels, one folder per set of their sources
        tools/<name>/                   another tool's own cache (zig)
        locks/<name>                    held by the process that makes something long

    entry = a sealed file (irsan.sealed)

<base> is IRSAN_CACHE_DIR, else XDG_CACHE_HOME/irsan, else ~/.cache/irsan.

Soundness: an entry is only ever replaced by a rename of a complete file; owner, length and hash are
checked on every read, so a torn, truncated or edited entry, or another user's, reads as absent and
is written anew. The cache may lose anything at any time; it may never change a result. A folder
that cannot be written, or that another user could write, costs one notice and speed, nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import irsan
from irsan.cachedir import cache_base, is_writable_folder, private_folder, why_refused
from irsan.sealed import Buffer, Kept, keep_beside_seal, open_kept, view_sealed, write_sealed

DEFAULT_LIMIT_BYTES = 4 << 30
_PRUNE_TO = 0.8
_PRUNE_EVERY_S = 3600  # looking at every file of a full cache takes half a second
_PRUNE_STAMP = "pruned"
_HEAD, _BODY = "head", "body"


def print_notice(text: str) -> None:
    """The one form of a notice: a line on standard error."""
    print(f"irsan: notice: {text}", file=sys.stderr)


def say_once(cache: Cache, text: str) -> None:
    """A notice that is printed once for each cache folder, and not again."""
    key = hashlib.sha256(text.encode()).hexdigest()
    if cache.get("said", key) is None:
        cache.put("said", key, b"said")
        print_notice(text)


class Cache:
    """A byte store on disk. See the module for its form; every method is safe between processes."""

    def __init__(
        self,
        base: Path | None,
        *,
        limit_bytes: int = DEFAULT_LIMIT_BYTES,
        notify: Callable[[str], None] = print_notice,
    ) -> None:
        """base: folder of all versions, None to run without a cache."""
        self.limit_bytes = limit_bytes
        self._notify = notify
        self._pruned = False
        refused = None if base is None else why_refused(base)
        self.base = None if refused else base
        self.root = None if self.base is None else self.base / irsan.__version__
        self._writable = self.root is not None
        if refused:
            notify(f"not using the cache, as {refused}; everything is made anew, slower")

    def get(self, namespace: str, key_hex: str) -> bytes | None:
        """The payload of an entry; None when it is absent or damaged."""
        payload = self.view(namespace, key_hex)
        return None if payload is None else bytes(payload)

    def view(self, namespace: str, key_hex: str) -> memoryview | None:
        """As `get`, without a copy of what was read."""
        if self.root is None:
            return None
        path = self._path(self.root, namespace, key_hex)
        payload = view_sealed(path)
        if payload is not None:
            with contextlib.suppress(OSError):
                os.utime(path)  # the entry's time of last use, for pruning
        return payload

    def put(self, namespace: str, key_hex: str, payload: bytes) -> None:
        """Store an entry, replacing any older one. A failure is a notice, never an error."""
        self._write(namespace, key_hex, lambda path: write_sealed(path, payload))

    def open_parts(self, namespace: str, key_hex: str) -> tuple[memoryview, Kept] | None:
        """Head and body of an entry that `put_parts` stored; None when it is absent or damaged.

        The body is open, to be mapped and closed by the caller.
        """
        if self.root is None:
            return None
        folder = self._path(self.root, namespace, key_hex)
        sealed = view_sealed(folder / _HEAD)
        body = None if sealed is None else open_kept(folder / _BODY)
        if sealed is None or body is None:
            return None
        if sealed[: len(body.digest)] != body.digest:
            body.close()
            return None
        with contextlib.suppress(OSError):
            os.utime(folder / _HEAD)
        return sealed[len(body.digest) :], body

    def put_parts(
        self, namespace: str, key_hex: str, head: bytes, body: Sequence[Buffer]
    ) -> str:
        """Store an entry of two files, as `put` does one; sha256 of the body, "" for a failure."""
        digests = []

        def write(path: Path) -> None:
            digests.append(keep_beside_seal(path / _BODY, body))
            write_sealed(path / _HEAD, digests[0] + head)

        is_stored = self._write(namespace, key_hex, write)
        return digests[0].hex() if is_stored else ""

    def folder(self, name: str) -> Path:
        """A folder for another tool's own files: in the cache, or a private one for this run."""
        if self.root is not None and self._writable:
            if is_writable_folder(self.root / name):
                return self.root / name
            self._give_up(PermissionError(errno.EACCES, "no permission to write there"))
        path = Path(private_folder().name) / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def tool_dir(self, name: str) -> Path:
        """The folder another tool may use for its own cache."""
        return self.folder(f"tools/{name}")

    @contextlib.contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """One process at a time makes what a name stands for: a later one takes what is there."""
        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError):  # no room for a lock: each makes it for itself
                lock = held.enter_context((self.folder("locks") / name).open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, namespace: str, key_hex: str, write: Callable[[Path], None]) -> bool:
        if self.root is None or not self._writable:
            return False
        try:
            write(self._path(self.root, namespace, key_hex))
        except OSError as error:
            self._give_up(error)
            return False
        if not self._pruned:
            self._pruned = True
            prune_if_due(self.base or self.root, self.limit_bytes)
        return True

    def _path(self, root: Path, namespace: str, key_hex: str) -> Path:
        return root / namespace / key_hex[:2] / key_hex

    def _give_up(self, error: OSError) -> None:
        if not self._writable:
            return
        self._writable = False
        reason = error.strerror or str(error)
        self._notify(
            f"cannot write the cache folder {self.base} ({reason}): going on without it, slower; "
            "set IRSAN_CACHE_DIR to a writable folder"
        )


def open_cache(environment: Mapping[str, str] | None = None) -> Cache:
    """The user's cache. IRSAN_CACHE_LIMIT_MB changes its size limit (default 4096)."""
    environment = os.environ if environment is None else environment
    limit_mb = environment.get("IRSAN_CACHE_LIMIT_MB", "")
    limit_bytes = int(limit_mb) << 20 if limit_mb.isdecimal() else DEFAULT_LIMIT_BYTES
    return Cache(cache_base(environment), limit_bytes=limit_bytes)


@dataclass(frozen=True, slots=True)
class _Item:
    """Pruned as a whole: one entry, or one folder of another tool."""

    path: Path
    size_bytes: int
    used_ns: int


def prune_if_due(base: Path, limit_bytes: int) -> None:
    """Prune, unless any process has done so within the last hour with this or a lower limit."""
    stamp = base / _PRUNE_STAMP
    with contextlib.suppress(OSError, ValueError):
        is_recent = 0 <= time.time() - stamp.stat().st_mtime < _PRUNE_EVERY_S
        if is_recent and int(stamp.read_text()) <= limit_bytes:
            return
    with contextlib.suppress(OSError):
        stamp.write_text(str(limit_bytes))
    prune(base, limit_bytes)


def prune(base: Path, limit_bytes: int) -> int:
    """Delete least recently used items until the folder is well under its limit.

    Returns the bytes freed. Other irsan versions' folders count and go the same way.
    """
    items = sorted(_items(base), key=lambda item: item.used_ns)
    total = sum(item.size_bytes for item in items)
    if total <= limit_bytes:
        return 0
    freed = 0
    for item in items:
        if total - freed <= limit_bytes * _PRUNE_TO:
            break
        _delete(item.path)
        freed += item.size_bytes
    return freed


def folder_size_bytes(base: Path) -> int:
    """Bytes held by all entries and tool folders under `base`."""
    return sum(item.size_bytes for item in _items(base))


def _items(base: Path) -> Iterator[_Item]:
    for namespace in base.glob("*/*"):
        if namespace.name in ("numba", "tools"):
            yield from (_folder_item(folder) for folder in _listed(namespace))
            continue
        for shard in _listed(namespace):
            yield from (_folder_item(entry) for entry in _listed(shard))


def _folder_item(path: Path) -> _Item:
    size_bytes, used_ns = 0, 0
    for part in (path, *path.rglob("*")) if path.is_dir() else (path,):
        with contextlib.suppress(OSError):  # another process may prune at the same time
            status = part.stat()
            used_ns = max(used_ns, status.st_mtime_ns)
            size_bytes += status.st_size if part.is_file() else 0
    return _Item(path, size_bytes, used_ns)


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        path.unlink()
