"""The memory of a host, frozen: what it has is kept in a file, and a fork copies none of it.

fork(2) copies an entry for each page that a process has of its own, and the child's end takes them
back: half of what a fork costs, for the 30 MB of Python and its modules.  Pages of a file that is
mapped privately and was not written to are not copied; a child that touches one finds it there.  So
each large range of the host's own is written to a file in memory, which then takes its place:

    pwrite(file, range)      mmap(range, MAP_FIXED | MAP_PRIVATE, file)      close(file)

Python lies in this memory, so nothing may run between them: machine code of the runtime makes
all calls (irsan_system_calls).  What the host writes later is its own again.

The list of mappings is older than these calls: what was read into to make it has been freed, and a
range that had it in the middle has a hole.  A range that cannot be written whole stays as it is.

The files' names say what the ranges were: a look at the mappings (runtime/views/mappings.py) takes
them for that.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from irsan.runtime import arena
from irsan.runtime.process_files import read_maps
from irsan.runtime.views.mappings import FROZEN_HEAP, FROZEN_MEMORY

_CLOSE: Final = 3
_PWRITE64: Final = 18
_MMAP: Final = 9
_ROW_WORDS: Final = 8
_MIN_BYTES: Final = 64 << 10
_MAX_BYTES: Final = 256 << 20  # a larger range is reserved rather than used: no file has its room
_PAGE_BYTES: Final = 4096
_HEAP: Final = "[heap]"
_READ_WRITE: Final = mmap.PROT_READ | mmap.PROT_WRITE
_FIXED: Final = 0x10 | mmap.MAP_PRIVATE
_ENTRY_BYTES: Final = 8
_PRESENT: Final = 1 << 63  # of an entry of pagemap, proc(5)
_OWN: Final = _PRESENT | 1 << 61  # with the bit of pages that are a file's
_FROZEN: Final = tuple(f"/memfd:{name}" for name in (FROZEN_HEAP, FROZEN_MEMORY))
_CALLS_OF_RANGE: Final = 3
_ROOM_BYTES: Final = 4 * _PAGE_BYTES
_MAX_RANGES: Final = _ROOM_BYTES // (_CALLS_OF_RANGE * 8 * _ROW_WORDS)

#: makes system calls: address of rows of eight words, how many, signals to be blocked behind them
MakeCalls = Callable[[int, int, int], object]


@dataclass(frozen=True, slots=True)
class _Frozen:
    """A range and the file that will take its place."""

    lo: int
    size_bytes: int
    file: int


def system_calls(function: int) -> MakeCalls:
    """Makes the calls, and no more. function: address of irsan_system_calls"""
    run = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)(function)
    return lambda rows, n_rows, _mask: run(rows, n_rows)


def freeze_memory(make_calls: MakeCalls) -> int:
    """Freeze the memory of this process, which has one thread; returns how many bytes."""
    with mmap.mmap(-1, _ROOM_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as room:
        lo = _address(room)
        frozen = [one for one in map(_file_for, _ranges()) if one is not None][:_MAX_RANGES]
        words = [word for one in frozen for word in _calls(one)]
        rows = memoryview(room).cast("Q")
        rows[: len(words)] = array("Q", words)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        make_calls(lo, len(words) // _ROW_WORDS, sum(1 << number - 1 for number in before))
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        placed = rows[_ROW_WORDS : len(words) : _CALLS_OF_RANGE * _ROW_WORDS].tolist()
        rows.release()
    return sum(one.size_bytes for one, at in zip(frozen, placed, strict=True) if at == one.lo)


def own_pages() -> array[int]:
    """Addresses of pages in frozen ranges that this process has written to, or its parent had."""
    found = array("Q")
    with Path("/proc/self/pagemap").open("rb", buffering=0) as pagemap:
        for line in read_maps().splitlines():
            place, _, _, _, _, name = (*line.split(maxsplit=5), "")[:6]
            if not name.startswith(_FROZEN):
                continue
            lo, hi = (int(part, 16) for part in place.split("-"))
            pagemap.seek(lo // _PAGE_BYTES * _ENTRY_BYTES)
            entries = memoryview(pagemap.read((hi - lo) // _PAGE_BYTES * _ENTRY_BYTES)).cast("Q")
            own = (n for n, entry in enumerate(entries) if entry & _OWN == _PRESENT)
            found.extend(lo + n * _PAGE_BYTES for n in own)
    return found


def make_own(pages: Sequence[int]) -> None:
    """Write to frozen pages what is in them: a child then copies them at once when it writes.

    Else it first finds the page when it reads it, and copies it after that.
    """
    for address in pages:
        ctypes.memmove(address, address, 1)


def _address(room: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(room))


def _ranges() -> Iterator[tuple[int, int, str]]:
    """Large ranges of this process's own memory: address, size in bytes, name of the file."""
    for line in read_maps().splitlines():
        place, permissions, *_, inode, name = (*line.split(maxsplit=5), "")[:6]
        lo, hi = (int(part, 16) for part in place.split("-"))
        is_plain = permissions == "rw-p" and inode == "0" and name in ("", _HEAP)
        is_used = _MIN_BYTES <= hi - lo <= _MAX_BYTES
        if is_plain and is_used and arena.range_at(lo) is None:
            yield lo, hi - lo, FROZEN_HEAP if name == _HEAP else FROZEN_MEMORY


def _file_for(one: tuple[int, int, str]) -> _Frozen | None:
    """A file with room for a range; None when there is no memory for it."""
    lo, size_bytes, name = one
    file = os.memfd_create(name)
    try:
        os.posix_fallocate(file, 0, size_bytes)  # so that the write behind it cannot fail
    except OSError:
        os.close(file)
        return None
    return _Frozen(lo, size_bytes, file)


def _calls(one: _Frozen) -> tuple[int, ...]:
    """The calls for a range: the second one only if the first one writes all of it."""
    write = (_PWRITE64, one.file, one.lo, one.size_bytes, 0, 0, 0, one.size_bytes)
    place = (_MMAP, one.lo, one.size_bytes, _READ_WRITE, _FIXED, one.file, 0, 0)
    return (*write, *place, _CLOSE, one.file, 0, 0, 0, 0, 0, 0)
