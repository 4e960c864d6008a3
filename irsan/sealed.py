"""Files that are only trusted when they are whole, and no other user could have written them.

    file = magic (8 bytes) + length (u64 little endian) + sha256 (32 bytes) + payload

What irsan keeps is mapped and executed, so it is read through `read_sealed`: a regular file of this
user that no one else may write, whose length and hash are right.  Anything else reads as absent
and is made anew.  Files are replaced by a rename, so that a killed process or a full disk leaves
the old file or none, and two processes may write at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import struct
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_MAGIC: Final = b"irsanC\x01\n"
_HEADER: Final = struct.Struct("<8sQ32s")
_TEMP_MARK: Final = ".tmp-"
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
    content, seal = read_own(path), read_sealed(_seal_of(path))
    return content is not None and seal == hashlib.sha256(content).digest()


def keep_beside_seal(path: Path, content: bytes) -> None:
    """Write a file that other programs read as it is; what vouches for it lies beside it.

    OSError when that cannot be done.
    """
    write_atomically(path, (content,))
    write_sealed(_seal_of(path), hashlib.sha256(content).digest())


def _seal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.seal")


def read_own(path: Path) -> bytes | None:
    """The bytes of a regular file of this user that no one else may write; None for any other."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    facts = os.fstat(descriptor)
    is_own = stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid()
    if not is_own or facts.st_mode & _OTHERS_MAY_WRITE:
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            return stream.read()
        except OSError:
            return None


def write_atomically(path: Path, parts: Iterable[bytes], mode: int = 0o600) -> None:
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
