"""Raw events of a run to chunks of a trace, in order, in memory that the program's data bounds.

Accesses are translated by a kernel (variables.py); whatever else a thread does stops the kernel and
is taken by `Orders`, which puts its events in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irsan.engine.recording.memory_tables import (
    AT_BYTE,
    AT_EVENT,
    N_ENTRIES,
    N_NAMES,
    N_OUT,
    N_ROWS,
    N_SITES,
    N_TEXT,
    N_VARIABLES,
    Memory,
    StdEvents,
    site_to_location,
)
from irsan.engine.recording.orders import MOST_MESSENGERS, Event, Orders
from irsan.engine.recording.variables import MOST_NAME_BYTES, most_events, translate_memory
from irsan.runtime.records.race import trace_records as tr
from irsan.traces.events import Chunk, Names
from irsan.traces.kernels.columns import grown_table, new_table
from irsan.traces.kernels.operations import ACQUIRE, FORK, JOIN, READ, RELEASE, WRITE
from irsan.traces.names import NameTable

# Places in Names.tables().
_THREADS, _LOCKS, _VARIABLES, _LABELS = 0, 1, 2, 4
_SPACES = {
    READ: _VARIABLES, WRITE: _VARIABLES, ACQUIRE: _LOCKS, RELEASE: _LOCKS, FORK: _THREADS,
    JOIN: _THREADS,
}  # fmt: skip
_MOST_EVENTS = 1 << 17  # of a chunk
_ROOM = 1 << 12  # names, keys and sites that a call of the kernel has room for at least

RawEvents = NDArray[np.uint64]  # [n, 3]
OnChunk = Callable[[Chunk], None]


class Translation:
    """Takes raw events, hands chunks to `on_chunk`; `names` are those of the chunks so far."""

    def __init__(self, on_chunk: OnChunk, most_messengers: int = MOST_MESSENGERS) -> None:
        self.names = Names.empty()
        self.is_ended = False  # the run has said that it is over
        self.orders = Orders(self, most_messengers)
        self._on_chunk = on_chunk
        self._memory = new_table(Memory, text=_ROOM * MOST_NAME_BYTES, names=_ROOM, new_sites=_ROOM)
        self._out = new_table(StdEvents, events=_MOST_EVENTS)
        self._at = np.zeros(3, np.int64)
        self._n_before = 0  # events in chunks that are out
        self._known: dict[tuple[int, str], int] = {}
        self._places: dict[int, int] = {}  # site -> location, of those that the kernel need not say

    def feed(self, raw: RawEvents) -> None:
        """Translate events; complete chunks go out."""
        self._at[:2] = 0
        while (i := int(self._at[AT_EVENT])) < len(raw):
            event = _event(raw[i])
            if event.operation in (tr.ACCESS, tr.RESTART):
                self.orders.settle()
                self._thread_number(event.tid)
                at_byte = int(self._at[AT_BYTE])
                translate_memory(self._memory, raw, self._at, self._out)
                if (i, at_byte) == (self._at[AT_EVENT], self._at[AT_BYTE]):
                    self._make_room()
            else:
                self._at[AT_EVENT] += 1
                self._take(event)

    def flush(self) -> None:
        """Hand out the events that make no complete chunk."""
        self.orders.settle()
        self._hand_out()

    @property
    def n_events(self) -> int:
        """Events translated so far."""
        return self.n_put()

    def n_put(self) -> int:
        """The same, for `Orders`."""
        return self._n_before + int(self._at[N_OUT])

    def put(self, thread: str, operation: int, target: str, site: int) -> None:
        """Append an event by names."""
        if self._at[N_OUT] >= len(self._out.operation):
            self._hand_out()
        n, out = int(self._at[N_OUT]), self._out
        space = _SPACES.get(operation, _LABELS)
        out.operation[n] = operation
        out.thread[n] = self._number(_THREADS, thread)
        out.target[n] = self._number(space, target)
        out.location[n] = self._location(site)
        self._at[N_OUT] = n + 1

    def _take(self, event: Event) -> None:
        if event.operation == tr.END:
            self.is_ended = True
            return
        if event.operation == tr.FORK:
            self._thread_number(event.tid)
        self.orders.take(event)

    def _make_room(self) -> None:
        """Take new names away, let tables grow, hand a full chunk out."""
        self._take_names()
        if self._at[N_OUT] > len(self._out.operation) // 2:
            self._hand_out()
        memory = self._memory
        n_entries = int(memory.counts[N_ENTRIES]) + _ROOM
        n_rows = int(memory.counts[N_ROWS]) + _ROOM
        entries, sites = int(memory.entries.counts[0]), int(memory.sites.counts[0])
        self._out = grown_table(self._out, events=2 * most_events(memory))
        self._memory = grown_table(memory, entries=n_entries, rows=n_rows)
        self._memory = self._memory._replace(
            entries=self._memory.entries.enlarged(keys=entries + _ROOM),
            sites=self._memory.sites.enlarged(keys=sites + _ROOM),
        )

    def _take_names(self) -> None:
        """Names that the kernel has made become names of the trace."""
        counts, names = self._memory.counts, self.names
        n = int(counts[N_NAMES])
        if n:
            ends = self._memory.ends[:n]
            lengths = np.diff(ends, prepend=0)
            names.variables.extend(lengths, self._memory.text[: int(counts[N_TEXT])])
        n_sites = int(counts[N_SITES])
        for site in self._memory.new_sites[:n_sites].tolist():
            _add_name(names.locations, str(site))
        counts[N_NAMES] = counts[N_TEXT] = counts[N_SITES] = 0

    def _hand_out(self) -> None:
        self._take_names()
        n, out = int(self._at[N_OUT]), self._out
        if not n:
            return
        columns = (out.operation, out.thread, out.target, out.location)
        chunk = Chunk(self._n_before + 1, *(column[:n].copy() for column in columns))
        self._n_before += n
        self._at[N_OUT] = 0
        self._on_chunk(chunk)

    def _thread_number(self, tid: int) -> int:
        """The number of a thread of the run; the kernel knows it from now on."""
        if tid >= len(self._memory.threads) or self._memory.threads[tid] < 0:
            self._memory = grown_table(self._memory, tids=tid + 1)
            self._memory.threads[tid] = self._number(_THREADS, f"T{tid}")
        return int(self._memory.threads[tid])

    def _number(self, space: int, name: str) -> int:
        key = space, name
        number = self._known.get(key)
        if number is None:
            if space == _VARIABLES:
                self._take_names()
                self._memory.counts[N_VARIABLES] += 1
            table = self.names.tables()[space]
            number = self._known[key] = len(table)
            _add_name(table, name)
        return number

    def _location(self, site: int) -> int:
        number = self._places.get(site)
        if number is None:
            number = self._places[site] = self._new_location(site)
        return number

    def _new_location(self, site: int) -> int:
        if self._memory.counts[N_SITES] >= len(self._memory.new_sites) - 1:
            self._take_names()
        sites = self._memory.sites
        room = sites.enlarged(keys=int(sites.counts[0]) + 2)
        if room is not sites:
            self._memory = self._memory._replace(sites=room)
        return int(site_to_location(self._memory, site))


def _event(words: Any) -> Event:
    word, address, more = words.tolist()
    return Event(word & 255, word >> 8 & 0xFF_FFFF, word >> 32, address, more)


def _add_name(table: NameTable, name: str) -> None:
    raw = np.frombuffer(name.encode(), np.uint8)
    table.extend(np.array([len(raw)], np.int64), raw)
