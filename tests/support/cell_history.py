"""Threads whose accesses go the exact way, and what the cells of the race shadow remember."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import access, sync_clocks, thread_clocks
from irsan.runtime.kernels.race.cells import cell_words, paired_cells, race_records
from irsan.runtime.kernels.race.clocks import race_words
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind

LOCK = memory_map.GLOBALS_LO + 4096


def fork_threads(guest: Any, n: int) -> list[Any]:
    """The records of `n` threads: the main one, and those that it starts."""
    records = [guest.main]
    for number in range(1, n):
        records.append(guest.new_thread(number))
        at = memory_map.THREADS + number * memory_map.THREAD_STRIDE
        assert thread_clocks.thread_fork(guest.ctx, at)
    return records


def begin_epoch(ctx: Any) -> None:
    """The running thread takes and releases the one lock: what was before happens before."""
    sync_clocks.sync_acquire(ctx, LOCK)
    sync_clocks.sync_release(ctx, LOCK)


def take_race(ctx: Any) -> bool:
    """Whether the last access has raced; the next one begins anew."""
    has_raced = bool(ctx["race"]["n_found"])
    ctx["action"], ctx["race"]["n_found"] = actions.NONE, 0
    return has_raced


def is_told(ctx: Any) -> bool:
    """Whether the last call left a race; takes it away."""
    action = int(ctx["action"])
    ctx["action"] = actions.NONE
    return action == actions.REPORT and int(ctx["fault"][0]) == FaultKind.DATA_RACE


def exact_access(ctx: Any, addr: int, size: int, is_write: bool) -> bool:
    """Check and record an access; whether it races."""
    access.race_access_slow(ctx, addr, size, int(is_write))
    return take_race(ctx)


def reported_access(guest: Any, site: int, addr: int, size: int, kind: int) -> bool:
    """An access of the running thread at a site, the exact way; whether it is reported."""
    guest.ctx["site"], guest.ctx["action"] = site, actions.NONE
    access.race_access_slow(guest.ctx, addr, size, kind)
    return bool(guest.ctx["action"] == actions.REPORT)


def cell_halves(addr: int) -> tuple[int, int]:
    """The two words of the cell of an address."""
    write, read = words_at(cell_words.addr_to_cell(addr), 2)
    return write, read


def words_at(addr: int, n: int) -> list[int]:
    """So many words of 8 bytes of the runtime's memory."""
    return list((ctypes.c_uint64 * n).from_address(addr))


def load(addr: int, size_bytes: int = 8) -> int:
    """An unsigned number of the runtime's memory."""
    return int.from_bytes(ctypes.string_at(int(addr), size_bytes), "little")


def is_expanded(cell: int) -> bool:
    """Whether a cell has a record."""
    return bool(cell_words.is_expanded(load(cell + 8)))


def entries_of(cell: int) -> list[tuple[int, int]]:
    """(epoch, bytes and stack; kind) of all that a cell remembers, in the order of its record.

    Marks of a compact cell's write (malloc, free) are left out.
    """
    w, r = words_at(cell, 2)
    if not is_expanded(cell):
        halves = [(w, int(race_words.WRITE)), (r, int(race_words.READ))]
        if cell_words.is_paired(w):
            kind = int(paired_cells.are_writes(w))
            newer, older = int(paired_cells.newer_of(w, r)), int(paired_cells.older_of(w, r))
            halves = [(older, kind), (newer, kind)]
        return [(half, kind) for half, kind in halves if half >> 60]
    record = int(race_records.record_to_address(cell_words.record_of(w)))
    places = [record + 4 + 12 * i for i in range(load(record, 2))]
    return [(load(place), load(place + 8, 4)) for place in places]


def history(addr: int) -> tuple[Any, ...]:
    """What the cell of an address remembers, whatever record has it."""
    w, r = words_at(int(cell_words.addr_to_cell(addr)), 2)
    if not cell_words.is_expanded(r):
        return w, r
    return w & ~(0xFFF_FFFF << 32), tuple(sorted(entries_of(int(cell_words.addr_to_cell(addr)))))
