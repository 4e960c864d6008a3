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
to a freed block behind its first MARKED_BYTES (ThreadSanitizer's number) where nobody had been.
**May falsely report**: nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.runtime import trace_records
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.key_map import ABSENT, EMPTY, KeyMap, find_key, has_room, put_key
from irsan.traces.kernels.operations import NONE, READ, WRITE

ACCESS = trace_records.ACCESS
RESTART = trace_records.RESTART
KIND_SHIFT = trace_records.KIND_SHIFT

# counts of Memory
N_ENTRIES, N_VARIABLES, N_NAMES, N_TEXT, N_SITES, N_ROWS = range(6)
# where translate_memory is: raw event, byte of it, events put out
AT_EVENT, AT_BYTE, N_OUT = range(3)

MOST_EVENTS = 16  # that one cell of an access can become, beside those that other threads add
MOST_UNITS = 5  # of a cell: itself and its bytes
MOST_NAMES = 16  # new ones of a cell
MOST_NAME_BYTES = 40
NO_ROLE, PLAIN_READ, ATOMIC_WRITE = 0, 1, 2
SIZE_MASK = (1 << KIND_SHIFT) - 1
CELL_BYTES = 4
MARKED_BYTES = 1024  # of a freed block are written by free(), and what has been accessed
IS_WRITE, IS_ATOMIC, IS_FREE, IS_ALLOCATION = 1, 2, 4, 16


@table("memory")
class Memory(NamedTuple):
    """What is known of cells and bytes, by entry, and the names not taken away yet.

    entries   key -> entry; a cell's key is its address * 2, byte k's that + 1 + k
    variable  number of the variable, NONE before the first access of this life
    life      how often the memory has begun anew; a byte follows its cell
    freed_by  thread that has freed the cell, NONE: nobody
    is_split  1: the cell's bytes have variables
    is_atomic 1: there have been atomic writes of this unit; its rows, one per thread:
    first, next_row, row_thread   their list
    row_write, row_read           the `@` and the `?` variable
    sites     site -> number of the location
    threads   thread number of the run -> number of its name, NONE: not met yet
    text, ends    the new names of variables, one after the other
    new_sites     the new locations
    """

    entries: Any = part(KeyMap, places="entry_places")
    variable: Any = column("i32", "entries", fill=NONE)
    life: Any = column("i32", "entries")
    freed_by: Any = column("i32", "entries", fill=NONE)
    is_split: Any = column("u8", "entries")
    is_atomic: Any = column("u8", "entries")
    first: Any = column("i32", "entries", fill=NONE)
    next_row: Any = column("i32", "rows", fill=NONE)
    row_thread: Any = column("i32", "rows")
    row_write: Any = column("i32", "rows", fill=NONE)
    row_read: Any = column("i32", "rows", fill=NONE)
    sites: Any = part(KeyMap, places="site_places")
    threads: Any = column("i32", "tids", fill=NONE)
    text: Any = column("u8", "text")
    ends: Any = column("i64", "names")
    new_sites: Any = column("i64", "new_sites")
    counts: Any = column("i64", 6)


@table("stdevents")
class StdEvents(NamedTuple):
    """Columns of events that are put out."""

    operation: Any = column("u8", "events")
    thread: Any = column("i32", "events")
    target: Any = column("i32", "events")
    location: Any = column("i32", "events")


@kernel("i64(memory,i64)", inlined=True)
def entry_of(memory: Any, key: Any) -> Any:
    """The entry of a key, made if there is none."""
    entry = find_key(memory.entries, key)
    if entry == ABSENT:
        entry = memory.counts[N_ENTRIES]
        memory.counts[N_ENTRIES] += 1
        put_key(memory.entries, key, entry)
    return entry


@kernel("i64(memory,i64)", callable_too=True)
def site_to_location(memory: Any, site: Any) -> Any:
    """The number of a location, a new one at first."""
    number = find_key(memory.sites, site)
    if number == ABSENT:
        number = memory.sites.counts[0]
        put_key(memory.sites, site, number)
        memory.new_sites[memory.counts[N_SITES]] = site
        memory.counts[N_SITES] += 1
    return number


@kernel("void(memory,i64,i64)", inlined=True)
def put_digits(memory: Any, value: Any, base: Any) -> Any:
    """Append a number to the text of names."""
    n_digits = 1
    rest = value // base
    while rest > 0:
        n_digits += 1
        rest //= base
    at = memory.counts[N_TEXT] + n_digits
    memory.counts[N_TEXT] = at
    for _ in range(n_digits):
        digit = value % base
        value //= base
        at -= 1
        memory.text[at] = digit + 48 if digit < 10 else digit + 87


@kernel("void(memory,i64)", inlined=True)
def put_mark(memory: Any, character: Any) -> Any:
    """Append a character to the text of names."""
    memory.text[memory.counts[N_TEXT]] = character
    memory.counts[N_TEXT] += 1


@kernel("i64(memory,i64,i64,i64,i64)")
def new_variable(memory: Any, key: Any, life: Any, mark: Any, tid: Any) -> Any:
    """A variable for a key, with its name; mark: that of a thread's own variable, 0: not one."""
    number = memory.counts[N_VARIABLES]
    memory.counts[N_VARIABLES] = number + 1
    put_digits(memory, key >> 3 << 2, np.int64(16))
    if key & 7 != 0:
        put_mark(memory, np.int64(46))  # .
        put_digits(memory, (key & 7) - 1, np.int64(10))
    if life != 0:
        put_mark(memory, np.int64(35))  # #
        put_digits(memory, life, np.int64(10))
    if mark != 0:
        put_mark(memory, mark)
        put_digits(memory, tid, np.int64(10))
    memory.ends[memory.counts[N_NAMES]] = memory.counts[N_TEXT]
    memory.counts[N_NAMES] += 1
    return number


@kernel("void(memory,i64)", inlined=True)
def forget_unit(memory: Any, entry: Any) -> Any:
    """A cell or byte has no variables any more."""
    memory.variable[entry] = NONE
    memory.is_atomic[entry] = 0
    memory.first[entry] = NONE


@kernel("i64(memory,i64,i64)", inlined=True)
def variable_of(memory: Any, key: Any, cell: Any) -> Any:
    """The variable of a key in the life that the entry `cell` of its cell is in."""
    entry = entry_of(memory, key)
    life = memory.life[cell]
    if memory.life[entry] != life:
        memory.life[entry] = life
        forget_unit(memory, entry)
    if memory.variable[entry] == NONE:
        no_mark = np.int64(0)
        memory.variable[entry] = new_variable(memory, key, np.int64(life), no_mark, no_mark)
    return np.int64(memory.variable[entry])


@kernel("void(stdevents,i64[:],i64,i64,i64,i64)", inlined=True)
def put_event(out: Any, at: Any, operation: Any, thread: Any, target: Any, location: Any) -> Any:
    """Append an event."""
    n = at[N_OUT]
    out.operation[n] = operation
    out.thread[n] = thread
    out.target[n] = target
    out.location[n] = location
    at[N_OUT] = n + 1


@kernel("i64(memory,i64,i64)", inlined=True)
def row_of(memory: Any, unit: Any, thread: Any) -> Any:
    """The row of a thread in a unit's list, a new one at first.  O(threads there)."""
    row = np.int64(memory.first[unit])
    while row != NONE:
        if memory.row_thread[row] == thread:
            return row
        row = np.int64(memory.next_row[row])
    row = memory.counts[N_ROWS]
    memory.counts[N_ROWS] = row + 1
    memory.row_thread[row] = thread
    memory.next_row[row] = memory.first[unit]
    memory.first[unit] = row
    return row


@kernel("void(memory,stdevents,i64[:],i64,i64,i64,i64,i64)")
def meet_others(
    memory: Any, out: Any, at: Any, key: Any, unit: Any, role: Any, thread: Any, location: Any
) -> Any:
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
        mark = np.int64(64 if is_write else 63)  # @ ?
        variables[own] = new_variable(memory, key, np.int64(memory.life[unit]), mark, tid)
    put_event(out, at, WRITE, name, np.int64(variables[own]), location)
    row = np.int64(memory.first[unit])
    while row != NONE:
        if row != own and others[row] != NONE:
            put_event(out, at, READ, name, np.int64(others[row]), location)
        row = np.int64(memory.next_row[row])


@kernel("void(memory,stdevents,i64[:],i64,i64,i64,i64,i64)")
def meet_in_cell(
    memory: Any, out: Any, at: Any, key: Any, mask: Any, role: Any, thread: Any, location: Any
) -> Any:
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


@kernel("void(memory,stdevents,i64[:],i64,i64,i64,i64,i64)")
def access_cell(
    memory: Any, out: Any, at: Any, key: Any, mask: Any, how: Any, thread: Any, location: Any
) -> Any:
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


@kernel("void(memory,i64)", inlined=True)
def begin_life(memory: Any, cell: Any) -> Any:
    """The memory of a cell's entry begins anew."""
    memory.life[cell] += 1
    forget_unit(memory, cell)
    memory.freed_by[cell] = NONE
    memory.is_split[cell] = 0


@kernel("void(memory,i64,i64,i64)")
def restart_cell(memory: Any, cell: Any, kind: Any, thread: Any) -> Any:
    """What the end or the beginning of a life does to the entry of a cell."""
    if kind == IS_FREE:
        memory.freed_by[cell] = thread
    elif kind == IS_ALLOCATION and memory.freed_by[cell] == thread:
        memory.freed_by[cell] = NONE
    else:
        begin_life(memory, cell)


@kernel("void(memory,i64,i64,i64,i64)")
def restart_memory(memory: Any, lo: Any, hi: Any, kind: Any, thread: Any) -> Any:
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
            restart_cell(memory, np.int64(memory.entries.values[place]), kind, thread)


@kernel("b1(u64[::],i64,i64,i64)")
def is_freed_next(raw: Any, i: Any, address: Any, size: Any) -> Any:
    """Whether the event after this one says that just these bytes are free."""
    if i + 1 >= len(raw):
        return False
    more = np.int64(raw[i + 1, 2])
    return (
        np.int64(raw[i + 1, 0]) & 255 == RESTART
        and np.int64(raw[i + 1, 1]) == address
        and more == size | IS_FREE << KIND_SHIFT
    )


@kernel("i64(memory)", callable_too=True)
def most_events(memory: Any) -> Any:
    """Events that one cell of an access can become."""
    return np.int64(MOST_EVENTS + MOST_UNITS * (len(memory.threads) + 1))


@kernel("b1(memory,stdevents,i64[:])")
def has_room_for_cell(memory: Any, out: Any, at: Any) -> Any:
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


@kernel("b1(memory,u64[::],i64[:],stdevents,i64)")
def translate_access(memory: Any, raw: Any, at: Any, out: Any, thread: Any) -> Any:
    """The accessed cells from byte at[AT_BYTE] on; false when there was no room for them all."""
    i = at[AT_EVENT]
    address, more = np.int64(raw[i, 1]), np.int64(raw[i, 2])
    size, kind = more & SIZE_MASK, more >> KIND_SHIFT
    is_write = kind & IS_WRITE != 0 and kind & IS_ATOMIC == 0
    is_range = size > 16 or size & (size - 1) != 0
    how = 1 if is_write else (2 if is_range else 0)
    role = NO_ROLE if kind & 3 == 1 or kind & 3 == 2 else PLAIN_READ
    if kind & 3 == 3:
        role = ATOMIC_WRITE
    tid = np.int64(raw[i, 0]) >> 8 & 0xFFFFFF
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
            location = site_to_location(memory, np.int64(raw[i, 0] >> np.uint64(32)))
            mask = ((1 << n) - 1) << first
            access_cell(memory, out, at, key, mask, how, thread, location)
            if role != NO_ROLE:
                meet_in_cell(memory, out, at, key, mask, role, thread | tid << 32, location)
        here += n
    at[AT_BYTE] = 0
    return True


@kernel("void(memory,u64[::],i64[:],stdevents)")
def translate_memory(memory: Any, raw: Any, at: Any, out: Any) -> Any:
    """Accesses and lives of memory from raw event at[AT_EVENT] on, as far as there is room.

    Stops at any other event, and at one of a thread that has no name yet.
    """
    while at[AT_EVENT] < len(raw):
        word = np.int64(raw[at[AT_EVENT], 0])
        operation, tid = word & 255, word >> 8 & 0xFFFFFF
        if operation != ACCESS and operation != RESTART:
            return
        thread = np.int64(NONE)
        if tid < len(memory.threads):
            thread = np.int64(memory.threads[tid])
        if thread == NONE:
            return
        if operation == RESTART:
            lo, more = np.int64(raw[at[AT_EVENT], 1]), np.int64(raw[at[AT_EVENT], 2])
            restart_memory(memory, lo, lo + (more & SIZE_MASK), more >> KIND_SHIFT, thread)
        elif not translate_access(memory, raw, at, out, thread):
            return
        at[AT_EVENT] += 1
