"""Atomic writes against plain reads, which race with each other but not among themselves.

    atomic write by T3    w(unit@3), its own, and r(unit?t) of all threads t that have read plainly
    plain read by T4      w(unit?4), its own, and r(unit@t) of all threads t that have written

Only one thread writes such a variable, so two accesses meet iff one is an atomic write and the
other a plain read of another thread.  A unit is a cell that atomics write whole, else a byte.
Nothing is put out before the first atomic write of a unit.

**May miss**: plain reads before the first atomic write ever of the unit.
"""

from __future__ import annotations

from irsan.engine.recording.memory_tables import (
    CELL_BYTES,
    N_ROWS,
    Memory,
    StdEvents,
    entry_of,
    new_variable,
    put_event,
)
from irsan.runtime.kernels.scalars import Vector, i64
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.key_map import ABSENT, find_key
from irsan.traces.kernels.operations import NONE, READ, WRITE

NO_ROLE, PLAIN_READ, ATOMIC_WRITE = 0, 1, 2
MOST_UNITS = 5  # of a cell: itself and its bytes


@kernel(inlined=True)
def row_of(memory: Memory, unit: i64, thread: i64) -> i64:
    """The row of a thread in a unit's list, a new one at first.  O(threads there)."""
    row = i64(memory.first[unit])
    while row != NONE:
        if memory.row_thread[row] == thread:
            return row
        row = i64(memory.next_row[row])
    row = memory.counts[N_ROWS]
    memory.counts[N_ROWS] = row + 1
    memory.row_thread[row] = thread
    memory.next_row[row] = memory.first[unit]
    memory.first[unit] = row
    return row


@kernel
def meet_others(
    memory: Memory,
    out: StdEvents,
    at: Vector[i64],
    key: i64,
    unit: i64,
    role: i64,
    thread: i64,
    location: i64,
) -> None:
    """An atomic write or a plain read of a unit, in the words that set the two against each other.

    thread: number of the name | number of the thread << 32
    """
    if role == ATOMIC_WRITE:
        memory.is_atomic[unit] = 1
    if not memory.is_atomic[unit]:
        return
    name, tid = thread & 0xFFFFFFFF, thread >> 32
    is_write = role == ATOMIC_WRITE
    own = row_of(memory, unit, name)
    variables, others = memory.row_read, memory.row_write
    if is_write:
        variables, others = memory.row_write, memory.row_read
    if variables[own] == NONE:
        mark = i64(64 if is_write else 63)  # @ ?
        variables[own] = new_variable(memory, key, i64(memory.life[unit]), mark, tid)
    put_event(out, at, WRITE, name, i64(variables[own]), location)
    row = i64(memory.first[unit])
    while row != NONE:
        if row != own and others[row] != NONE:
            put_event(out, at, READ, name, i64(others[row]), location)
        row = i64(memory.next_row[row])


@kernel
def meet_in_cell(
    memory: Memory,
    out: StdEvents,
    at: Vector[i64],
    key: i64,
    mask: i64,
    role: i64,
    thread: i64,
    location: i64,
) -> None:
    """`meet_others` for the units of the bytes `mask` of a cell."""
    cell = entry_of(memory, key)
    if role == PLAIN_READ or mask == 15:
        meet_others(memory, out, at, key, cell, role, thread, location)
    if not memory.is_split[cell] or (role == ATOMIC_WRITE and mask == 15):
        return
    for k in range(CELL_BYTES):
        unit = find_key(memory.entries, key + 1 + k)
        if mask >> k & 1 and unit != ABSENT and memory.life[unit] == memory.life[cell]:
            meet_others(memory, out, at, key + 1 + k, unit, role, thread, location)
