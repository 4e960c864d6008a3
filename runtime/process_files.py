"""What the kernel says of this process, also when /proc is not where it was.

After chroot there may be none, and after setuid its files belong to root: the first is found
through a descriptor of the root, which is kept from the first question on; the second is lifted
for the moment of the question.  Where the program has used up all descriptors, one that is kept
for this is closed for that moment, and the limit is a few higher if the system lets it be.

Source: proc(5), PR_SET_DUMPABLE in prctl(2), RLIMIT_NOFILE in getrlimit(2).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import functools
import os
import resource
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from irsan.streams import out_of_the_way

_PR_GET_DUMPABLE: Final = 3
_PR_SET_DUMPABLE: Final = 4
_MAPS: Final = "proc/self/maps"
_MORE_DESCRIPTORS: Final = 8
_READ_BYTES: Final = 1 << 20
_PROCMAP_QUERY: Final = 0xC0686611  # _IOWR('f', 17, struct procmap_query)
_COVERING_OR_NEXT: Final = 0x10
_IS_SHARED: Final = 8
_NAME_BYTES: Final = 4096
_MAX_AREAS: Final = 64  # a list of more is read as a whole

T = TypeVar("T")


def read_maps() -> str:
    """The list of mappings, a line for each; "" when the kernel does not give it."""
    return _asked(_whole) or ""


def read_areas(lo: int, hi: int) -> str | None:
    """The lines of that list about [lo, hi), and of what lies behind and is the same to a program.

    None where the kernel cannot be asked for a part: the whole list of a process that goes on from
    a saved one takes milliseconds.  Source: PROCMAP_QUERY of linux/fs.h, since Linux 6.11.
    """
    return _asked(lambda descriptor: _areas(descriptor, lo, hi))


def _asked(ask: Callable[[int], T]) -> T | None:
    """What a question to the open list of mappings gives; None when it cannot be opened."""
    spare = keep_spare()
    for is_dumpable in (False, True):
        try:
            return _with_maps(keep_root(), is_dumpable, ask)
        except OSError as error:
            if error.errno == errno.EMFILE:
                return _asked_without_descriptors(spare, ask)
    return None


def _asked_without_descriptors(spare: list[int], ask: Callable[[int], T]) -> T | None:
    while spare:
        _close_if_ours(spare.pop())
    try:
        with more_descriptors(), contextlib.suppress(OSError):
            return _with_maps(keep_root(), True, ask)
    finally:
        spare.extend(_spare_copies())
    return None


@functools.cache
def keep_spare() -> list[int]:
    """A descriptor whose place is needed when there is no other; empty when there was no room."""
    return _spare_copies()


def _spare_copies() -> list[int]:
    with contextlib.suppress(OSError):
        copy = out_of_the_way(keep_root())
        return [] if copy is None else [copy]
    return []


def _close_if_ours(descriptor: int) -> None:
    """Close a spare descriptor, unless the program has closed it and got its number since."""
    with contextlib.suppress(OSError):
        is_path = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_PATH
        if is_path and os.path.samestat(os.fstat(descriptor), os.fstat(keep_root())):
            os.close(descriptor)


@contextlib.contextmanager
def more_descriptors() -> Iterator[None]:
    """The limit of descriptors is a few higher, where the system lets it."""
    soft, hard = before = resource.getrlimit(resource.RLIMIT_NOFILE)
    higher = soft + _MORE_DESCRIPTORS
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (higher, max(hard, higher)))
    except (OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@functools.cache
def keep_root() -> int:
    """A descriptor of the root as it is at the first call, out of a program's way."""
    opened = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    copy = out_of_the_way(opened)
    if copy is None:
        return opened
    os.close(opened)
    return copy


def _with_maps(root: int, is_dumpable: bool, ask: Callable[[int], T]) -> T:
    libc = ctypes.CDLL(None)
    before = libc.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
    if is_dumpable:
        libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
    try:
        descriptor = os.open(_MAPS, os.O_RDONLY | os.O_CLOEXEC, dir_fd=root)
    finally:
        if is_dumpable:
            libc.prctl(_PR_SET_DUMPABLE, before, 0, 0, 0)
    try:
        return ask(descriptor)
    finally:
        os.close(descriptor)


def _whole(descriptor: int) -> str:
    parts = iter(lambda: os.read(descriptor, _READ_BYTES), b"")
    return b"".join(parts).decode("utf-8", "replace")


class _AreaQuery(ctypes.Structure):
    """struct procmap_query."""

    _fields_ = [
        *((name, ctypes.c_uint64) for name in (
            "size", "query_flags", "query_addr", "start", "end", "flags", "page_size", "offset",
            "inode",
        )),
        *((name, ctypes.c_uint32) for name in ("major", "minor", "name_size", "build_id_size")),
        *((name, ctypes.c_uint64) for name in ("name_addr", "build_id_addr")),
    ]  # fmt: skip


def _areas(descriptor: int, lo: int, hi: int) -> str | None:
    lines: list[str] = []
    at, last = lo, ""
    while len(lines) < _MAX_AREAS:
        try:
            found = _area_from(descriptor, at)
        except OSError as error:
            return "\n".join(lines) if error.errno == errno.ENOENT else None
        start, end, what = found
        if start >= hi and (start != at or what != last):
            return "\n".join(lines)
        lines.append(f"{start:x}-{end:x} {what}")
        at, last = end, what
    return None


def _area_from(descriptor: int, address: int) -> tuple[int, int, str]:
    """The first area that ends above an address: start, end and the rest of its line."""
    name = ctypes.create_string_buffer(_NAME_BYTES)
    query = _AreaQuery(
        size=ctypes.sizeof(_AreaQuery), query_flags=_COVERING_OR_NEXT, query_addr=address,
        name_size=_NAME_BYTES, name_addr=ctypes.addressof(name),
    )  # fmt: skip
    fcntl.ioctl(descriptor, _PROCMAP_QUERY, query)
    marks = [mark if query.flags & 1 << bit else "-" for bit, mark in enumerate("rwx")]
    kind = "s" if query.flags & _IS_SHARED else "p"
    text = name.value.decode("utf-8", "replace") if query.name_size else ""
    return query.start, query.end, f"{''.join(marks)}{kind} 0 0:0 0 {text}".rstrip()
