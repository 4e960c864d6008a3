"""What the kernel says of this process, also when /proc is not where it was.

After chroot there may be none, and after setuid its files belong to root: the first is found
through a descriptor of the root, which is kept from the first question on; the second is lifted
for the moment of the question.

Source: proc(5), PR_SET_DUMPABLE in prctl(2).
"""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Final

from irsan.streams import out_of_the_way

_PR_GET_DUMPABLE: Final = 3
_PR_SET_DUMPABLE: Final = 4
_MAPS: Final = "proc/self/maps"


def read_maps() -> str:
    """The list of mappings, a line for each; "" when the kernel does not give it."""
    for is_dumpable in (False, True):
        try:
            return _read(keep_root(), is_dumpable).decode("utf-8", "replace")
        except OSError:
            continue
    return ""


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
