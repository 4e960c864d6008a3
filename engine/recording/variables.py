"""Accesses to memory as reads and writes of variables: which names they get, exact to the byte.

A variable of a trace is a whole thing, memory is bytes.  Each cell of 4 aligned bytes has one
variable for itself and, once less than all of it has been accessed, one for each of its bytes:

    write of a cell      w(cell)
    read of a cell       r(cell)                 and r(byte) of all 4 if the cell has such variables
    write of some bytes  w(byte) of each one     and r(cell)
    read of some bytes   r(byte) of each one     and r(cell)
    atomic access        as a read of the same bytes
    atomic write         w(unit@me) and r(unit?other) of all others      } from the first atomic
    plain read           w(unit?me) and r(unit@other) of all others      } write of the unit on

A unit is a cell that is written whole, else a byte; `@` and `?` variables belong to one thread.  So
two accesses conflict in the trace iff they share a byte and one is a plain write, or one an atomic
write and the other a plain read: two atomic ones never do.  An access of a range (memcpy) reads the
bytes of every cell.

A cell is called by its address in hexadecimal, a byte `cell.0` to `cell.3`.  Memory that begins a
new life has new variables, `address#number`, but for a block that the very thread hands out again
that has freed it: there all old accesses come before the new ones, or race with the free already.

**May miss**: a plain read followed by the first atomic write ever of the place; a read of a whole
cell followed by the first access ever to a part of it; the allocation itself as an access; accesses
to a freed block behind its first MARKED_BYTES (ThreadSanitizer's number) that had no access.
**May falsely report**: nothing.
"""

from __future__ import annotations

from irsan.engine.recording.memory_lives import is_freed_next, restart_memory
from irsan.engine.recording.memory_tables import (
    AT_BYTE,
    AT_EVENT,
    CELL_BYTES,
    N_ENTRIES,
    N_NAMES,
    N_OUT,
    N_ROWS,
    N_SITES,
    N_TEXT,
    Memory,
    StdEvents,
    entry_of,
    put_event,
    site_to_location,
    variable_of,
)
from irsan.engine.recording.mixed_accesses import (
    ATOMIC_WRITE,
    MOST_UNITS,
    NO_ROLE,
    PLAIN_READ,
    meet_in_cell,
)
from irsan.runtime.kernels.scalars import Matrix, Vector, i64, u64
from irsan.runtime.records.race import trace_records
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.key_map import ABSENT, find_key, has_room
from irsan.traces.kernels.operations import NONE, READ, WRITE

ACCESS = trace_records.ACCESS
RESTART = trace_records.RESTART
KIND_SHIFT = trace_records.KIND_SHIFT

MOST_EVENTS = 16  # that one cell of an access can become, beside those that other threads add
MOST_NAMES = 16  # new ones of a cell
MOST_NAME_BYTES = 40
SIZE_MASK = (1 << KIND_SHIFT) - 1
MARKED_BYTES = 1024  # of a freed block are written by free(), and what has been accessed
IS_WRITE, IS_ATOMIC = 1, 2


@kernel
def access_cell(
    memory: Memory,
    out: StdEvents,
    at: Vector[i64],
    key: i64,
    mask: i64,
    how: i64,
    thread: i64,
    location: i64,
) -> None:
    """The events of an access to the bytes `mask` of one cell; how: 0 read, 1 write, 2 read all.

    "Read all" is a read that takes the bytes one by one, too.
    """
    cell = entry_of(memory, key)
    operation = WRITE if how == 1 else READ
    is_whole = mask == 15
    if is_whole:
        put_event(out, at, operation, thread, variable_of(memory, key, cell), location)
        if how == 1 or (how == 0 and not memory.is_split[cell]):
            return
    else:
        memory.is_split[cell] = 1
    for k in range(CELL_BYTES):
        if mask >> k & 1:
            name = variable_of(memory, key + 1 + k, cell)
            put_event(out, at, operation, thread, name, location)
    if not is_whole:
        put_event(out, at, READ, thread, variable_of(memory, key, cell), location)


@kernel(callable_too=True)
def most_events(memory: Memory) -> i64:
    """Events that one cell of an access can become."""
    return i64(MOST_EVENTS + MOST_UNITS * (len(memory.threads) + 1))


@kernel
def has_room_for_cell(memory: Memory, out: StdEvents, at: Vector[i64]) -> bool:
    """Whether one cell more fits everywhere."""
    return (
        at[N_OUT] + most_events(memory) <= len(out.operation)
        and has_room(memory.entries, 8)
        and memory.counts[N_ENTRIES] + 8 <= len(memory.variable)
        and memory.counts[N_ROWS] + MOST_UNITS <= len(memory.next_row)
        and has_room(memory.sites, 2)
        and memory.counts[N_SITES] < len(memory.new_sites)
        and memory.counts[N_NAMES] + MOST_NAMES <= len(memory.ends)
        and memory.counts[N_TEXT] + MOST_NAMES * MOST_NAME_BYTES <= len(memory.text)
    )


@kernel
def translate_access(
    memory: Memory, raw: Matrix[u64], at: Vector[i64], out: StdEvents, thread: i64
) -> bool:
    """The accessed cells from byte at[AT_BYTE] on; false when there was no room for them all."""
    i = at[AT_EVENT]
    address, more = i64(raw[i, 1]), i64(raw[i, 2])
    size, kind = more & SIZE_MASK, more >> KIND_SHIFT
    is_write = kind & IS_WRITE != 0 and kind & IS_ATOMIC == 0
    is_range = size > 16 or size & (size - 1) != 0
    how = 1 if is_write else (2 if is_range else 0)
    role = NO_ROLE if kind & 3 == 1 or kind & 3 == 2 else PLAIN_READ
    if kind & 3 == 3:
        role = ATOMIC_WRITE
    tid = i64(raw[i, 0]) >> 8 & 0xFFFFFF
    is_freed = is_write and is_freed_next(raw, i, address, size)
    end = address + size
    here = address + at[AT_BYTE]
    while here < end:
        if not has_room_for_cell(memory, out, at):
            at[AT_BYTE] = here - address
            return False
        first = here & 3
        n = min(CELL_BYTES - first, end - here)
        key = (here - first) * 2
        is_marked = here - address < MARKED_BYTES or find_key(memory.entries, key) != ABSENT
        if is_marked or not is_freed:
            location = site_to_location(memory, i64(raw[i, 0] >> 32))
            mask = ((1 << n) - 1) << first
            access_cell(memory, out, at, key, mask, how, thread, location)
            if role != NO_ROLE:
                meet_in_cell(memory, out, at, key, mask, role, thread | tid << 32, location)
        here += n
    at[AT_BYTE] = 0
    return True


@kernel
def translate_memory(memory: Memory, raw: Matrix[u64], at: Vector[i64], out: StdEvents) -> None:
    """Accesses and lives of memory from raw event at[AT_EVENT] on, as far as there is room.

    Stops at any other event, and at one of a thread that has no name yet.
    """
    while at[AT_EVENT] < len(raw):
        word = i64(raw[at[AT_EVENT], 0])
        operation, tid = word & 255, word >> 8 & 0xFFFFFF
        if operation != ACCESS and operation != RESTART:
            return
        thread = i64(NONE)
        if tid < len(memory.threads):
            thread = i64(memory.threads[tid])
        if thread == NONE:
            return
        if operation == RESTART:
            lo, more = i64(raw[at[AT_EVENT], 1]), i64(raw[at[AT_EVENT], 2])
            restart_memory(memory, lo, lo + (more & SIZE_MASK), more >> KIND_SHIFT, thread)
        elif not translate_access(memory, raw, at, out, thread):
            return
        at[AT_EVENT] += 1
