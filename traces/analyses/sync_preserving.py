"""SyncP: the tables of `irsan.traces.kernels.syncp`, and their growth."""

from __future__ import annotations

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.arrays import capacity, grown, reshaped
from irsan.traces.events import Chunk
from irsan.traces.kernels.key_map import with_room
from irsan.traces.kernels.operations import NONE
from irsan.traces.kernels.sync_closure import N_ACQUIRES, N_POOL, Acquires, new_acquires
from irsan.traces.kernels.sync_closure import N_LISTS as N_ACQUIRE_LISTS
from irsan.traces.kernels.syncp import (
    N_ACCESSES,
    N_LISTS,
    N_ROWS,
    Order,
    new_accesses,
    new_order,
    syncp_events,
)


class SyncPreserving(Analysis):
    """All sync-preserving races."""

    def __init__(self) -> None:
        super().__init__()
        self._order = new_order(1, 1, 64)
        self._acquires = new_acquires(1, 1, 64)
        self._accesses = new_accesses(1, 64, 64)

    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None:
        order, acquires, accesses = self._order, self._acquires, self._accesses
        if n_threads > len(order.row_of):
            order = _with_threads(order, capacity(len(order.row_of), n_threads))
        order.n_threads[0] = max(n_threads, int(order.n_threads[0]))
        self._order = order._replace(
            writer=grown(order.writer, n_variables, NONE),
            write_time=grown(order.write_time, n_variables),
            write_row=grown(order.write_row, n_variables),
        )
        self._acquires = acquires._replace(
            first_list=grown(acquires.first_list, n_locks, NONE),
            opened=grown(acquires.opened, n_locks, NONE),
            shared=grown(acquires.shared, n_locks),
            last_in=grown(acquires.last_in, n_threads, NONE),
        )
        first_list = grown(accesses.first_list, n_variables, NONE)
        self._accesses = accesses._replace(first_list=first_list)

    def _advance(self, chunk: Chunk, at: int) -> int:
        stopped: int = syncp_events(
            self._order,
            self._acquires,
            self._accesses,
            chunk.operations,
            chunk.threads,
            chunk.targets,
            at,
            self._racy,
            self._counts,
        )
        if stopped < len(chunk):
            self._make_room()
        return stopped

    def _make_room(self) -> None:
        """Whatever is full becomes larger."""
        self._order = self._order._replace(rows=grown(self._order.rows, self._room(N_ROWS)))
        self._acquires = _with_more_acquires(self._acquires)
        accesses = self._accesses
        n_accesses, n_lists = self._room(N_ACCESSES), self._room(N_LISTS)
        self._accesses = accesses._replace(
            time=grown(accesses.time, n_accesses),
            row=grown(accesses.row, n_accesses),
            next_one=grown(accesses.next_one, n_accesses, NONE),
            thread=grown(accesses.thread, n_lists),
            is_write=grown(accesses.is_write, n_lists),
            first=grown(accesses.first, n_lists, NONE),
            last=grown(accesses.last, n_lists, NONE),
            last_segment=grown(accesses.last_segment, n_lists, NONE),
            next_list=grown(accesses.next_list, n_lists, NONE),
            list_of=with_room(accesses.list_of, 1),
            passed=with_room(accesses.passed, 2 * int(self._order.n_threads[0])),
        )

    def _room(self, count: int) -> int:
        return int(self._counts[count]) + 1


def _with_threads(order: Order, width: int) -> Order:
    """Room for more threads. The last row of `ideal` is scratch and may land anywhere."""
    return order._replace(
        clock=reshaped(order.clock, (width, width)),
        rows=reshaped(order.rows, (len(order.rows), width)),
        row_of=grown(order.row_of, width, NONE),
        ideal=reshaped(order.ideal[:-1], (width + 1, width)),
        is_closed=grown(order.is_closed, width),
        segment=grown(order.segment, width),
    )


def _with_more_acquires(acquires: Acquires) -> Acquires:
    n_acquires = int(acquires.counts[N_ACQUIRES]) + 1
    n_lists = int(acquires.counts[N_ACQUIRE_LISTS]) + 1
    return acquires._replace(
        time=grown(acquires.time, n_acquires),
        number=grown(acquires.number, n_acquires),
        release=grown(acquires.release, n_acquires),
        row=grown(acquires.row, n_acquires),
        start=grown(acquires.start, n_lists),
        length=grown(acquires.length, n_lists),
        room=grown(acquires.room, n_lists),
        thread=grown(acquires.thread, n_lists),
        next_list=grown(acquires.next_list, n_lists, NONE),
        pool=grown(acquires.pool, int(acquires.counts[N_POOL]) + 2 * n_acquires + 4),
        list_of=with_room(acquires.list_of, 1),
    )
