"""WCP: the tables of `irsan.traces.kernels.wcp`, and their growth."""

from __future__ import annotations

import numpy as np

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.analyses.stores import grown_history, with_more_vectors
from irsan.traces.arrays import capacity, grown, reshaped
from irsan.traces.events import Chunk
from irsan.traces.kernels.access_history import N_FREE, ROWS_PER_EVENT, new_history
from irsan.traces.kernels.key_map import new_key_map, with_room
from irsan.traces.kernels.operations import NONE
from irsan.traces.kernels.wcp import (
    N_PAIRS,
    N_SECTIONS,
    new_held,
    new_sections,
    new_weak,
    wcp_events,
)


class WeakCausallyPrecedes(Analysis):
    """All accesses that WCP leaves unordered with an earlier conflicting one."""

    def __init__(self) -> None:
        super().__init__()
        self._n_threads = 0
        self._weak = new_weak(1, 1)
        self._sections = new_sections(1, 1, 64)
        self._held = new_held(1, 1, 1)
        self._pair_of = new_key_map(64)
        self._pairs = np.full((64, 4), NONE, np.int32)
        self._history = new_history(1, 1, 64)

    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None:
        self._grow_clocks(n_threads, n_locks)
        held, sections = self._held, self._sections
        self._held = held._replace(
            locks=grown(held.locks, n_threads),
            since=grown(held.since, n_threads),
            n_locks=grown(held.n_locks, n_threads),
            n_log=grown(held.n_log, n_threads),
            stamp=grown(held.stamp, n_threads),
            log=grown(held.log, n_threads),
            logged=grown(held.logged, n_variables),
            opened=grown(held.opened, n_locks),
        )
        self._sections = sections._replace(
            first=grown(sections.first, n_locks, NONE), last=grown(sections.last, n_locks, NONE)
        )
        self._history = grown_history(self._history, n_variables, n_threads)

    def _grow_clocks(self, n_threads: int, n_locks: int) -> None:
        width = capacity(self._weak.hb.shape[1], n_threads)
        height = capacity(len(self._weak.lock_hb), n_locks)
        if (height, width) != self._weak.lock_hb.shape:
            shapes = ((width, width), (width, width), (height, width), (height, width))
            pairs = zip(self._weak, shapes, strict=True)
            self._weak = type(self._weak)(*(reshaped(array, shape) for array, shape in pairs))
            clock = reshaped(self._sections.clock, (len(self._sections.clock), width))
            self._sections = self._sections._replace(clock=clock)
        new = np.arange(self._n_threads, n_threads)
        self._weak.hb[new, new] = 1
        self._n_threads = n_threads

    def _advance(self, chunk: Chunk, at: int) -> int:
        stopped: int = wcp_events(
            self._weak,
            self._sections,
            self._held,
            self._pair_of,
            self._pairs,
            self._history,
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
        if self._history.counts[N_FREE] < ROWS_PER_EVENT:
            self._history = with_more_vectors(self._history)
        held = self._held
        n_threads, depth = held.locks.shape
        if int(held.n_locks.max()) == depth:
            held = held._replace(
                locks=reshaped(held.locks, (n_threads, 2 * depth)),
                since=reshaped(held.since, (n_threads, 2 * depth)),
            )
        longest = int(held.n_log.max())
        if longest == held.log.shape[1]:
            held = held._replace(log=reshaped(held.log, (n_threads, 2 * longest)))
        self._held = held
        self._pair_of = with_room(self._pair_of, longest)
        self._pairs = grown(self._pairs, int(self._counts[N_PAIRS]) + longest, NONE)
        self._make_room_for_sections()

    def _make_room_for_sections(self) -> None:
        sections, n_needed = self._sections, int(self._counts[N_SECTIONS]) + 1
        self._sections = sections._replace(
            thread=grown(sections.thread, n_needed),
            time=grown(sections.time, n_needed),
            next_one=grown(sections.next_one, n_needed, NONE),
            clock=grown(sections.clock, n_needed),
            passed=with_room(sections.passed, 1),
        )
