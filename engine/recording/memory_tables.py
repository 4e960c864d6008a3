"""The memory of a recorded run, and how its variables get their names.

A key is the address of a cell of 4 aligned bytes * 2, or that + 1 + k for byte k of it; each key
that was accessed has an entry.  variables.py decides what becomes of accesses.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64, u8
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.key_map import ABSENT, KeyMap, find_key, put_key
from irsan.traces.kernels.operations import NONE

# counts of Memory
N_ENTRIES, N_VARIABLES, N_NAMES, N_TEXT, N_SITES, N_ROWS = range(6)
# where the translation is: raw event, byte of it, events put out
AT_EVENT, AT_BYTE, N_OUT = range(3)

CELL_BYTES = 4


@table
class Memory(NamedTuple):
    """The tables of cells and bytes, by entry, and the names not taken away yet.

    entries   key -> entry; a cell's key is its address * 2, byte k's that + 1 + k
    variable  number of the variable, NONE before the first access of this life
    life      how often the memory has begun anew; a byte follows its cell
    freed_by  thread that has freed the cell, or NONE
    is_split  1: the cell's bytes have variables
    is_atomic 1: there have been atomic writes of this unit; its rows, one per thread:
    first, next_row, row_thread   their list
    row_write, row_read           the `@` and the `?` variable
    sites     site -> number of the location
    threads   thread number of the run -> number of its name, NONE: not met yet
    text, ends    the new names of variables, one after the other
    new_sites     the new locations
    """

    entries: KeyMap = part(KeyMap, places="entry_places")
    variable: Vector[i32] = column("i32", "entries", fill=NONE)
    life: Vector[i32] = column("i32", "entries")
    freed_by: Vector[i32] = column("i32", "entries", fill=NONE)
    is_split: Vector[u8] = column("u8", "entries")
    is_atomic: Vector[u8] = column("u8", "entries")
    first: Vector[i32] = column("i32", "entries", fill=NONE)
    next_row: Vector[i32] = column("i32", "rows", fill=NONE)
    row_thread: Vector[i32] = column("i32", "rows")
    row_write: Vector[i32] = column("i32", "rows", fill=NONE)
    row_read: Vector[i32] = column("i32", "rows", fill=NONE)
    sites: KeyMap = part(KeyMap, places="site_places")
    threads: Vector[i32] = column("i32", "tids", fill=NONE)
    text: Vector[u8] = column("u8", "text")
    ends: Vector[i64] = column("i64", "names")
    new_sites: Vector[i64] = column("i64", "new_sites")
    counts: Vector[i64] = column("i64", 6)


@table
class StdEvents(NamedTuple):
    """Columns of events that are put out."""

    operation: Vector[u8] = column("u8", "events")
    thread: Vector[i32] = column("i32", "events")
    target: Vector[i32] = column("i32", "events")
    location: Vector[i32] = column("i32", "events")


@kernel(inlined=True)
def entry_of(memory: Memory, key: i64) -> i64:
    """The entry of a key, made if there is none."""
    entry = find_key(memory.entries, key)
    if entry == ABSENT:
        entry = memory.counts[N_ENTRIES]
        memory.counts[N_ENTRIES] += 1
        put_key(memory.entries, key, entry)
    return entry


@kernel(callable_too=True)
def site_to_location(memory: Memory, site: i64) -> i64:
    """The number of a location, a new one at first."""
    number = find_key(memory.sites, site)
    if number == ABSENT:
        number = memory.sites.counts[0]
        put_key(memory.sites, site, number)
        memory.new_sites[memory.counts[N_SITES]] = site
        memory.counts[N_SITES] += 1
    return number


@kernel(inlined=True)
def put_digits(memory: Memory, value: i64, base: i64) -> None:
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


@kernel(inlined=True)
def put_mark(memory: Memory, character: i64) -> None:
    """Append a character to the text of names."""
    memory.text[memory.counts[N_TEXT]] = character
    memory.counts[N_TEXT] += 1


@kernel
def new_variable(memory: Memory, key: i64, life: i64, mark: i64, tid: i64) -> i64:
    """A variable for a key, with its name; mark: that of a thread's own variable, 0: not one."""
    number = memory.counts[N_VARIABLES]
    memory.counts[N_VARIABLES] = number + 1
    put_digits(memory, key >> 3 << 2, 16)
    if key & 7 != 0:
        put_mark(memory, 46)  # .
        put_digits(memory, (key & 7) - 1, 10)
    if life != 0:
        put_mark(memory, 35)  # #
        put_digits(memory, life, 10)
    if mark != 0:
        put_mark(memory, mark)
        put_digits(memory, tid, 10)
    memory.ends[memory.counts[N_NAMES]] = memory.counts[N_TEXT]
    memory.counts[N_NAMES] += 1
    return number


@kernel(inlined=True)
def forget_unit(memory: Memory, entry: i64) -> None:
    """A cell or byte has no variables any more."""
    memory.variable[entry] = NONE
    memory.is_atomic[entry] = 0
    memory.first[entry] = NONE


@kernel(inlined=True)
def variable_of(memory: Memory, key: i64, cell: i64) -> i64:
    """The variable of a key in the life that the entry `cell` of its cell is in."""
    entry = entry_of(memory, key)
    life = memory.life[cell]
    if memory.life[entry] != life:
        memory.life[entry] = life
        forget_unit(memory, entry)
    if memory.variable[entry] == NONE:
        no_mark = i64(0)
        memory.variable[entry] = new_variable(memory, key, i64(life), no_mark, no_mark)
    return i64(memory.variable[entry])


@kernel(inlined=True)
def put_event(
    out: StdEvents, at: Vector[i64], operation: i64, thread: i64, target: i64, location: i64
) -> None:
    """Append an event."""
    n = at[N_OUT]
    out.operation[n] = operation
    out.thread[n] = thread
    out.target[n] = target
    out.location[n] = location
    at[N_OUT] = n + 1
