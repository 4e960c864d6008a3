"""The form of a saved process on disk: a table, and the pages that it had changed.

    table   header, then arrays and texts: files that must be unchanged, mappings, fills, and what
            each run needs
    pages   page contents, as fills name them

The C side is `struct table` in restore.c. All numbers are 64 bits, little endian.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

FORMAT: Final = "IRSNAP02"
N_REGISTERS: Final = 27
CPU_BYTES: Final = 80
MAX_KEPT: Final = 8
ANONYMOUS, OF_FILE, SHARED, GROWS = 0, 1, 2, 4
_SUM_START: Final = 0xCBF29CE484222325
_SUM_FACTOR: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1
_WORD: Final = struct.Struct("<Q")

Stamp = tuple[int, int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Mapping:
    """A range of addresses; path: the file that it shows, from `offset` on."""

    lo: int
    hi: int
    protection: int
    kind: int
    path: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Fill:
    """Pages of the file of pages that lie over a mapping; is_read: copied, not mapped."""

    lo: int
    hi: int
    protection: int
    offset: int
    is_read: bool


@dataclass(frozen=True, slots=True)
class Needed:
    """A range that each run touches, or some do; is_taken: each does, and writes to most of it."""

    lo: int
    hi: int
    is_taken: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """Addresses that the kernel keeps of a process (struct prctl_mm_map, its first seven)."""

    start_code: int
    end_code: int
    start_data: int
    end_data: int
    start_brk: int
    brk: int
    start_stack: int


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """What the kernel and the C library keep of the one thread; addresses, 0 for none."""

    tid: int
    robust_list: int
    robust_bytes: int
    rseq: int
    rseq_bytes: int
    rseq_sign: int


@dataclass(frozen=True, slots=True)
class SavedProcess:
    """All that a table says.

    cpu: words of the processor's features.  kernel: its release, version and machine.
    kept: ranges of the kernel's own mappings.  files: paths that must be as they are now.
    """

    cpu: bytes
    kernel: str
    registers: tuple[int, ...]
    mailbox: int
    thread: ThreadFacts
    auxiliary: tuple[int, int]
    layout: Layout
    kept: tuple[tuple[int, int], ...]
    files: tuple[str, ...]
    mappings: tuple[Mapping, ...]
    fills: tuple[Fill, ...]
    needed: tuple[Needed, ...] = ()


def stamp_of(status: os.stat_result) -> Stamp:
    """What proves that a file is the same, unchanged one."""
    second = 1_000_000_000
    return (
        status.st_dev, status.st_ino, status.st_size, *divmod(status.st_mtime_ns, second),
        *divmod(status.st_ctime_ns, second),
    )  # fmt: skip


def encode(saved: SavedProcess, pages: Stamp) -> bytes:
    """The table's bytes. OSError when a file that it names is not there."""
    places = {path: number for number, path in enumerate(saved.files)}
    texts, at = _texts([saved.kernel, *saved.files])
    head_bytes = len(_head(saved, pages, 0, (0, 0, 0, 0)))
    text_lo = head_bytes
    arrays_lo = text_lo + len(texts)
    files = b"".join(
        _words(*stamp_of(os.stat(path)), text_lo + at[1 + number])  # noqa: PTH116
        for path, number in places.items()
    )
    mappings = b"".join(
        _words(one.lo, one.hi, one.protection, one.kind, places.get(one.path, 0), one.offset)
        for one in saved.mappings
    )
    fills = b"".join(
        _words(one.lo, one.hi, one.protection, one.is_read, one.offset) for one in saved.fills
    )
    needed = b"".join(_words(one.lo, one.hi, one.is_taken) for one in saved.needed)
    starts = tuple(accumulate(map(len, (files, mappings, fills)), initial=arrays_lo))
    body = _head(saved, pages, text_lo, starts) + texts + files + mappings + fills + needed
    tail = body[24:]
    return FORMAT.encode() + _words(len(body), sum_of(tail)) + tail


def _head(
    saved: SavedProcess, pages: Stamp, kernel: int, starts: Sequence[int]
) -> bytes:
    thread, where = saved.thread, saved.layout
    kept = [word for pair in saved.kept for word in pair]
    return FORMAT.encode() + _words(0, 0, *pages) + saved.cpu + _words(
        kernel, *saved.registers, saved.mailbox,
        thread.tid, thread.robust_list, thread.robust_bytes,
        thread.rseq, thread.rseq_bytes, thread.rseq_sign, *saved.auxiliary,
        where.start_code, where.end_code, where.start_data, where.end_data,
        where.start_brk, where.brk, where.start_stack, 0, 0, 0, 0, 0, 0,
        len(saved.kept), *kept, *([0] * (2 * MAX_KEPT - len(kept))),
        len(saved.files), starts[0], len(saved.mappings), starts[1], len(saved.fills), starts[2],
        len(saved.needed), starts[3],
    )  # fmt: skip


def _texts(texts: Sequence[str]) -> tuple[bytes, list[int]]:
    """Texts that end with zero, filled up to whole words; where each begins."""
    joined, at = b"", []
    parts: list[bytes] = []
    length = 0
    for text in texts:
        at.append(length)
        parts.append(os.fsencode(text) + b"\0")
        length += len(parts[-1])
    joined = b"".join(parts)
    return joined + bytes(-length % 8), at


def sum_of(raw: bytes) -> int:
    """The check over a table's words: it finds damage, not malice."""
    total = _SUM_START
    for (word,) in _WORD.iter_unpack(raw):
        total = (total ^ word) * _SUM_FACTOR & _MASK
        total ^= total >> 29
    return total


def _words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}Q", *values)
