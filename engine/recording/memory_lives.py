"""Memory that ends or begins a life: what a recorded run's variables are called after it.

A block that its own thread hands out again keeps its variables: all old accesses come before the
new ones, or race with free().  Any other memory that begins anew gets new ones.
"""

from __future__ import annotations

from irsan.engine.recording.memory_tables import CELL_BYTES, Memory, forget_unit
from irsan.runtime.kernels.scalars import Matrix, i64, u64
from irsan.runtime.records.race import trace_records
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.key_map import ABSENT, EMPTY, find_key
from irsan.traces.kernels.operations import NONE

RESTART = trace_records.RESTART
KIND_SHIFT = trace_records.KIND_SHIFT
IS_FREE, IS_ALLOCATION = 4, 16


@kernel(inlined=True)
def begin_life(memory: Memory, cell: i64) -> None:
    """The memory of a cell's entry begins anew."""
    memory.life[cell] += 1
    forget_unit(memory, cell)
    memory.freed_by[cell] = NONE
    memory.is_split[cell] = 0


@kernel
def restart_cell(memory: Memory, cell: i64, kind: i64, thread: i64) -> None:
    """What the end or the beginning of a life does to the entry of a cell."""
    if kind == IS_FREE:
        memory.freed_by[cell] = thread
    elif kind == IS_ALLOCATION and memory.freed_by[cell] == thread:
        memory.freed_by[cell] = NONE
    else:
        begin_life(memory, cell)


@kernel
def restart_memory(memory: Memory, lo: i64, hi: i64, kind: i64, thread: i64) -> None:
    """Bytes [lo, hi) end or begin a life.  O(the smaller one of cells there and entries)."""
    lo, hi = lo & ~3, hi + 3 & ~3
    if (hi - lo) // CELL_BYTES < len(memory.entries.keys):
        for address in range(lo, hi, CELL_BYTES):
            entry = find_key(memory.entries, address * 2)
            if entry != ABSENT:
                restart_cell(memory, entry, kind, thread)
        return
    for place in range(len(memory.entries.keys)):
        key = memory.entries.keys[place]
        if key != EMPTY and key & 7 == 0 and lo * 2 <= key < hi * 2:
            restart_cell(memory, i64(memory.entries.values[place]), kind, thread)


@kernel
def is_freed_next(raw: Matrix[u64], i: i64, address: i64, size: i64) -> bool:
    """Whether the event after this one says that just these bytes are free."""
    if i + 1 >= len(raw):
        return False
    more = i64(raw[i + 1, 2])
    return (
        i64(raw[i + 1, 0]) & 255 == RESTART
        and i64(raw[i + 1, 1]) == address
        and more == size | IS_FREE << KIND_SHIFT
    )
