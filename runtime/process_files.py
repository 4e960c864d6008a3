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
from collections.abc import Iterator
from typing import Final

from irsan.streams import out_of_the_way

_PR_GET_DUMPABLE: Final = 3
_PR_SET_DUMPABLE: Final = 4
_MAPS: Final = "proc/self/maps"
_MORE_DESCRIPTORS: Final = 8


def read_maps() -> str:
    """The list of mappings, a line for each; "" when the kernel does not give it."""
    spare = keep_spare()
    for is_dumpable in (False, True):
        try:
            return _read(keep_root(), is_dumpable).decode("utf-8", "replace")
        except OSError as error:
            if error.errno == errno.EMFILE:
                return _read_without_descriptors(spare)
    return ""


def _read_without_descriptors(spare: list[int]) -> str:
    while spare:
        _close_if_ours(spare.pop())
    try:
        with more_descriptors(), contextlib.suppress(OSError):
            return _read(keep_root(), True).decode("utf-8", "replace")
    finally:
        spare.extend(_spare_copies())
    return ""


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


def _read(root: int, is_dumpable: bool) -> bytes:
    libc = ctypes.CDLL(None)
    before = libc.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
    if is_dumpable:
        libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
    try:
        file = os.open(_MAPS, os.O_RDONLY | os.O_CLOEXEC, dir_fd=root)
    finally:
        if is_dumpable:
            libc.prctl(_PR_SET_DUMPABLE, before, 0, 0, 0)
    with os.fdopen(file, "rb") as opened:
        return opened.read()
