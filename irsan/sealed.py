"""Files that are only trusted when they are whole, and no other user could have written them.

    file = magic (8 bytes) + length (u64 little endian) + sha256 (32 bytes) + payload

What irsan keeps is mapped and executed, so it is read through `read_sealed`: a regular file of this
user that no one else may write, whose length and hash are right.  Anything else reads as absent
and is made anew.  Files are replaced by a rename, so that a killed process or a full disk leaves
the old file or none, and two processes may write at once.

A big file that is mapped, or that other programs read, lies as it is, and a sealed one beside it
vouches for it: its hash, and what the file system said of the file when it was last hashed.  While
the file system says the same, and the machine has not started anew, it is not hashed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import stat
import struct
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Buffer = bytes | memoryview

_MAGIC: Final = b"irsanC\x01\n"
_HEADER: Final = struct.Struct("<8sQ32s")
_TEMP_MARK: Final = ".tmp-"
_DIGEST_BYTES: Final = 32
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_CLOCK_STEP_NS: Final = 20_000_000  # of the times of files
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def read_sealed(path: Path) -> bytes | None:
    """The payload of a file; None when it is absent, damaged or not ours alone."""
    payload = view_sealed(path)
    return None if payload is None else bytes(payload)


def view_sealed(path: Path) -> memoryview | None:
    """As `read_sealed`, without a copy of what was read."""
    content = read_own(path)
    return None if content is None else _payload(content)


def write_sealed(path: Path, payload: bytes) -> None:
    """Write a file that `read_sealed` reads, in one step. OSError when that cannot be done."""
    header = _HEADER.pack(_MAGIC, len(payload), hashlib.sha256(payload).digest())
    write_atomically(path, (header, payload))


def is_kept_whole(path: Path) -> bool:
    """Whether a file that `keep_beside_seal` wrote is still what it was."""
    kept = open_kept(path)
    if kept is None:
        return False
    os.close(kept.descriptor)
    return True


@dataclass(frozen=True, slots=True)
class Kept:
    """An open file that is what it was; digest: sha256 of its content."""

    descriptor: int
    size_bytes: int
    digest: bytes

    def close(self) -> None:
        """Close it; what was mapped of it stays."""
        os.close(self.descriptor)


def open_kept(path: Path) -> Kept | None:
    """Open a file that `keep_beside_seal` wrote; None when it is not what it was."""
    descriptor = _open_own(path)
    if descriptor is None:
        return None
    kept = _known_whole(path, descriptor)
    if kept is None:
        os.close(descriptor)
    return kept


def keep_beside_seal(path: Path, content: bytes | Sequence[Buffer]) -> bytes:
    """Write a file that is read as it is; what vouches for it lies beside it. Returns its sha256.

    OSError when that cannot be done.
    """
    parts = (content,) if isinstance(content, bytes) else content
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    write_atomically(path, parts)
    _vouch(path, digest.digest(), path.stat())
    return digest.digest()


def _known_whole(path: Path, descriptor: int) -> Kept | None:
    seal = read_sealed(_seal_of(path))
    if seal is None:
        return None
    facts, digest = os.fstat(descriptor), seal[:_DIGEST_BYTES]
    if seal[_DIGEST_BYTES:] != _standing(facts):
        if _digest_of(descriptor, facts.st_size) != digest:
            return None
        with contextlib.suppress(OSError):  # a cache that cannot be written: hashed each time
            _vouch(path, digest, facts)
    return Kept(descriptor, facts.st_size, digest)


def _vouch(path: Path, digest: bytes, facts: os.stat_result) -> None:
    """Write what vouches for a file; one that was just written could change and look the same."""
    changed_ns = max(facts.st_mtime_ns, facts.st_ctime_ns)
    is_old = time.time_ns() - changed_ns > _CLOCK_STEP_NS
    write_sealed(_seal_of(path), digest + (_standing(facts) if is_old else b""))


def _standing(facts: os.stat_result) -> bytes:
    """What is the same as long as nobody has written to a file, nor the machine lost its memory."""
    times = facts.st_mtime_ns, facts.st_ctime_ns
    words = facts.st_dev, facts.st_ino, facts.st_size, *times, _BOOT.read_text().strip()
    return " ".join(map(str, words)).encode()


def _digest_of(descriptor: int, size_bytes: int) -> bytes:
    if not size_bytes:
        return hashlib.sha256().digest()
    with mmap.mmap(descriptor, size_bytes, prot=mmap.PROT_READ) as content:
        return hashlib.sha256(content).digest()


def _seal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.seal")


def read_own(path: Path) -> bytes | None:
    """The bytes of a regular file of this user that no one else may write; None for any other."""
    descriptor = _open_own(path)
    if descriptor is None:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            return stream.read()
        except OSError:
            return None


def _open_own(path: Path) -> int | None:
    """A descriptor of a regular file of this user that no one else may write."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    facts = os.fstat(descriptor)
    is_own = stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid()
    if not is_own or facts.st_mode & _OTHERS_MAY_WRITE:
        os.close(descriptor)
        return None
    return descriptor


def write_atomically(path: Path, parts: Iterable[Buffer], mode: int = 0o600) -> None:
    """Write a file beside its place and rename it. OSError when that cannot be done."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=_TEMP_MARK)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            os.fchmod(descriptor, mode)
            stream.writelines(parts)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _payload(content: bytes) -> memoryview | None:
    if len(content) < _HEADER.size:
        return None
    magic, length, digest = _HEADER.unpack_from(content)
    payload = memoryview(content)[_HEADER.size :]
    if magic != _MAGIC or length != len(payload):
        return None
    return payload if hashlib.sha256(payload).digest() == digest else None
