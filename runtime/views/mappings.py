"""The host's side of foreign addresses: fill the kernels' table of mappings, confirm faults.

Reads /proc/self/maps.  irsan's own ranges (arena, shadows, tables) are left out, so a guest pointer
into them is wild.  Rows and kinds are those of kernels/checks/foreign.py; numba is not imported.
"""

from __future__ import annotations

import bisect
import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.mapping_zone import zone_range
from irsan.runtime.process_files import read_areas, read_maps

# As in kernels/checks/foreign.py and report_fault.py, which are not imported: they would bring
# numba.
READABLE: Final = 1
WRITABLE: Final = 2
LIBC_HEAP: Final = 4
ANONYMOUS: Final = 8
STEADY: Final = 16
MAPPINGS_MAY_BE_STALE: Final = 16
#: files that have taken the place of the C library's heap and of anonymous memory (explore/)
FROZEN_HEAP: Final = "irsan-heap"
FROZEN_MEMORY: Final = "irsan-memory"
#: files that nobody makes shorter: libraries, the C library's tables, pages of a saved process
_STEADY_FILE: Final = re.compile(r"/locale/|\.so[.\d]*$|/tools/[^/]+/pages$")
#: lo, hi, permissions and name of a line of /proc/self/maps
_AREA: Final = re.compile(r"^(\w+)-(\w+) (\S+) \S+ \S+ \S+ *(.*)$", re.MULTILINE)
_WRITE: Final = 1
_WORDS_PER_ROW: Final = 3
_ROW_BYTES: Final = 8 * _WORDS_PER_ROW
_MAX_ROWS: Final = memory_map.room("foreign ranges") // _ROW_BYTES  # more than Linux can have
_ROWS: Final = memory_map.table("foreign ranges", _MAX_ROWS * _ROW_BYTES)

_PREV_IN_USE, _IS_MMAPPED, _NON_MAIN = 1, 2, 4
_MIN_CHUNK: Final = 32
_ARENA_HEAP_BYTES: Final = 64 << 20
_PAGE: Final = 4096
_START_BRK_AT: Final = 44  # of the fields behind the name in /proc/self/stat
_ADDRESSES_END: Final = 1 << 47


@dataclass(frozen=True, slots=True)
class Mapping:
    """A range [lo, hi) of this process, its kind bits and the file it came from."""

    lo: int
    hi: int
    kind: int
    name: str = ""


def read_mappings() -> list[Mapping]:
    """Accessible mappings of this process by address; of irsan's own ranges only the program's."""
    return list(_parse(read_maps()))


def refresh_mappings(ctx: Any) -> list[Mapping]:
    """Write the mappings to the kernels' table; returns them."""
    mappings = read_mappings()
    _write_rows(ctx, _merged(mappings))
    return mappings


def confirm_fault(ctx: Any) -> bool:
    """Whether the finding in ctx.fault is real, looked at with fresh mappings.

    A doubtful wild access turns out fine when its range is mapped by now, and a doubtful bad free
    when the pointer is one of the C library's malloc.  The kernel is then asked again.
    """
    kind, addr, size_bytes, flags = (int(word) for word in ctx["fault"][:4])
    if not flags & MAPPINGS_MAY_BE_STALE:
        return True
    if kind == FaultKind.WILD_ACCESS:
        wanted = READABLE | (WRITABLE if flags & _WRITE else 0)
        rows = _refreshed(ctx, addr, addr + size_bytes)
        return not allows(rows, addr, size_bytes, wanted)
    rows = _merged(refresh_mappings(ctx))
    return not (kind == FaultKind.BAD_FREE and is_libc_chunk(rows, addr))


def _refreshed(ctx: Any, lo: int, hi: int) -> list[Mapping]:
    """Rows about [lo, hi), which the kernels' table has from now on; where the kernel cannot be
    asked for a part, all rows."""
    text = read_areas(lo, hi)
    if text is None:
        return _merged(refresh_mappings(ctx))
    rows = _merged(list(_parse(text)))
    _enter(ctx, min([lo, *(row.lo for row in rows)]), max([hi, *(row.hi for row in rows)]), rows)
    return rows


def let_happen(ctx: Any, addr: int, size_bytes: int) -> bool:
    """Enter a range as if it were mapped, so that kernels let an access come to what the processor
    makes of it; whether there can be such a range."""
    if addr + size_bytes > _ADDRESSES_END:
        return False
    row = Mapping(addr, addr + size_bytes, READABLE | WRITABLE)
    _enter(ctx, row.lo, row.hi, [row])
    return True


def enter_heap(ctx: Any) -> tuple[int, int]:
    """Enter the C library's heap, which is accessible as a whole; its range, as heap_range's."""
    lo, hi = heap_range()
    if lo < hi:
        _enter(ctx, lo, hi, [Mapping(lo, hi, READABLE | WRITABLE | LIBC_HEAP)])
    return lo, hi


def _enter(ctx: Any, lo: int, hi: int, rows: list[Mapping]) -> None:
    """Make these the kernels' rows between lo and hi."""
    words = arena.view_words(_ROWS, int(ctx["foreign"]["n_ranges"]) * _WORDS_PER_ROW).tolist()
    known = [Mapping(*words[at : at + _WORDS_PER_ROW]) for at in range(0, len(words), 3)]
    kept = [part for one in known for part in _without(one, lo, hi)]
    _write_rows(ctx, _merged(sorted([*kept, *rows], key=lambda row: row.lo)))


def _without(row: Mapping, lo: int, hi: int) -> list[Mapping]:
    """What of a row lies outside [lo, hi)."""
    parts = (row.lo, min(row.hi, lo)), (max(row.lo, hi), row.hi)
    return [Mapping(start, end, row.kind) for start, end in parts if start < end]


def _write_rows(ctx: Any, rows: list[Mapping]) -> None:
    rows = rows[:_MAX_ROWS]
    words = arena.view_words(_ROWS, max(len(rows), 1) * _WORDS_PER_ROW)
    for index, row in enumerate(rows):
        words[index * 3 : index * 3 + 3] = (row.lo, row.hi, row.kind)
    ctx["foreign"]["n_ranges"] = len(rows)
    ctx["foreign"]["last_lo"] = ctx["foreign"]["last_hi"] = 0


def processor_allows(addr: int, wanted: int) -> bool:
    """Whether the processor lets an access with the `wanted` kind bits happen, irsan's own ranges
    included."""
    part = read_areas(addr, addr + 1)
    for line in (read_maps() if part is None else part).splitlines():
        bounds, permissions = line.split(maxsplit=2)[:2]
        lo, hi = (int(part, 16) for part in bounds.split("-"))
        if lo <= addr < hi:
            return _kind(permissions, "") & wanted == wanted
    return False


def mapping_at(rows: list[Mapping], addr: int) -> Mapping | None:
    """The mapping that holds `addr`; `rows` are sorted by address."""
    index = bisect.bisect_right(rows, addr, key=lambda row: row.lo) - 1
    if index < 0 or addr >= rows[index].hi:
        return None
    return rows[index]


def allows(rows: list[Mapping], addr: int, size_bytes: int, wanted: int) -> bool:
    """Whether all of [addr, addr + size_bytes) lies in mappings with the `wanted` kind bits."""
    end = addr + size_bytes
    while addr < end:
        row = mapping_at(rows, addr)
        if row is None or row.kind & wanted != wanted:
            return False
        addr = row.hi
    return True


def is_libc_chunk(rows: list[Mapping], addr: int) -> bool:
    """Whether `addr` looks like a live pointer of the C library's malloc, from its chunk header."""
    both = READABLE | WRITABLE
    if addr % 16 or not allows(rows, addr - 16, 32, both):
        return False
    before, header = (ctypes.c_uint64 * 2).from_address(addr - 16)
    size = header & ~7
    if size < _MIN_CHUNK or size % 16:
        return False
    if header & _IS_MMAPPED:
        return (addr - 16 - before) % _PAGE == 0 and (before + size) % _PAGE == 0
    if not allows(rows, addr, size, both):
        return False
    if not ctypes.c_uint64.from_address(addr - 8 + size).value & _PREV_IN_USE:
        return False
    row = mapping_at(rows, addr if not header & _NON_MAIN else addr // _ARENA_HEAP_BYTES
                     * _ARENA_HEAP_BYTES)  # fmt: skip
    return row is not None and bool(row.kind & (ANONYMOUS if header & _NON_MAIN else LIBC_HEAP))


def _parse(text: str) -> Iterator[Mapping]:
    facts = (*zone_range(), *heap_range(), len(arena.RANGES))
    return filter(None, (_parsed(*area, *facts) for area in joined_areas(text)))


def heap_range() -> tuple[int, int]:
    """Where the C library's heap begins and ends; (0, 0) when the kernel does not tell.

    In a process that goes on from a saved one most of it has the name of the file of its pages.
    """
    start = _heap_start()
    return (start, heap_end()) if start else (0, 0)


def heap_end() -> int:
    """The break: where the C library's heap ends this moment."""
    libc = ctypes.CDLL(None)
    libc.sbrk.restype = ctypes.c_uint64
    return int(libc.sbrk(0))


@cache
def _heap_start() -> int:
    """A saved process has asked before it was saved, and is the same when it goes on."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[_START_BRK_AT])


def joined_areas(text: str) -> Iterator[tuple[str, str, str, str]]:
    """(lo, hi, permissions, name) of the lines of a list of mappings, numbers as they stand there.

    Neighbours that differ in nothing of that are one: of the thousands of mappings of a process
    that goes on from a saved one, which are pieces of one file, a few hundred are left.
    """
    lo = hi = permissions = name = ""
    for first, end, its_permissions, its_name in _AREA.findall(text):
        if first == hi and its_name == name and its_permissions == permissions:
            hi = end
            continue
        if hi:
            yield lo, hi, permissions, name
        lo, hi, permissions, name = first, end, its_permissions, its_name
    if hi:
        yield lo, hi, permissions, name


@lru_cache(maxsize=4096)
def _parsed(
    lo_text: str, hi_text: str, permissions: str, name: str,
    zone_lo: int, zone_hi: int, heap_lo: int, heap_hi: int, _n_ranges: int,
) -> Mapping | None:  # fmt: skip
    """What an area is, remembered: from one query to the next few differ."""
    lo, hi = int(lo_text, 16), int(hi_text, 16)
    if lo < memory_map.ARENA_LO:  # the kernel makes one area of neighbours that are alike
        hi = min(hi, memory_map.ARENA_LO)
    kind = _kind(permissions, name)
    if kind and max(lo, heap_lo) < min(hi, heap_hi):
        kind = kind & ~ANONYMOUS | LIBC_HEAP
    if kind and not _is_own(lo, hi):
        return Mapping(lo, hi, kind, name)
    if kind and max(lo, zone_lo) < min(hi, zone_hi):
        return Mapping(max(lo, zone_lo), min(hi, zone_hi), kind, name)
    return None


def _kind(permissions: str, name: str) -> int:
    if permissions[0] != "r":
        return 0
    kind = READABLE | (WRITABLE if permissions[1] == "w" else 0)
    if name == "[heap]" or name.startswith(f"/memfd:{FROZEN_HEAP}"):
        return kind | LIBC_HEAP
    if not name or name.startswith(f"/memfd:{FROZEN_MEMORY}"):
        return kind | ANONYMOUS
    return kind | (STEADY if name == "[stack]" or _STEADY_FILE.search(name) else 0)


def _is_own(lo: int, hi: int) -> bool:
    return any(lo < part.lo + part.size_bytes and part.lo < hi for part in arena.RANGES)


def _merged(mappings: list[Mapping]) -> list[Mapping]:
    """Neighbours of one kind as one row."""
    rows: list[Mapping] = []
    for mapping in mappings:
        last = rows[-1] if rows else None
        if last is not None and last.hi == mapping.lo and last.kind == mapping.kind:
            rows[-1] = Mapping(last.lo, mapping.hi, last.kind)
        else:
            rows.append(mapping)
    return rows
