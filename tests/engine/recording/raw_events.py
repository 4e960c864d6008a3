"""Raw events as a run would leave them, and what they become."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irsan.engine.recording.translation import Translation
from irsan.runtime.records.race import trace_records as tr
from irsan.traces.events import Chunk
from irsan.traces.std_format import chunk_to_std

CELL = 0x6000_1000
Raw = tuple[int, int, int, int, int]


def raw(operation: int, tid: int, site: int, address: int = 0, more: int = 0) -> Raw:
    """One event: what is done, by whom, where in the source, to what."""
    return operation, tid, site, address, more


def access(tid: int, site: int, address: int, size: int, kind: int = 0) -> Raw:
    """An access; kind 0 read, 1 write, 2 more for atomic."""
    return raw(tr.ACCESS, tid, site, address, size | kind << tr.KIND_SHIFT)


def restart(tid: int, address: int, size: int, kind: int = 0) -> Raw:
    """Memory ends or begins a life; kind 4 free, 16 malloc."""
    return raw(tr.RESTART, tid, 0, address, size | kind << tr.KIND_SHIFT)


def packed(events: list[Raw]) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """As they lie in the buffer."""
    rows = [[e[0] | e[1] << 8 | e[2] << 32, e[3], e[4]] for e in events]
    return np.array(rows, np.uint64).reshape(-1, 3)


def translated(events: list[Raw], most_messengers: int = 1000, block: int = 7) -> str:
    """The trace of events that come in blocks, as STD text."""
    chunks: list[Chunk] = []
    translation = Translation(chunks.append, most_messengers)
    for first in range(0, len(events), block):
        translation.feed(packed(events[first : first + block]))
    translation.flush()
    text = b"".join(chunk_to_std(chunk, translation.names) for chunk in chunks)
    assert translation.n_events == text.count(b"\n")
    return text.decode()


class Line(NamedTuple):
    """An event of STD text."""

    thread: str
    operation: str
    target: str
    site: int


def lines(text: str) -> list[Line]:
    """The events of STD text."""
    found = []
    for line in text.splitlines():
        thread, event, site = line.split("|")
        operation, _, target = event.partition("(")
        found.append(Line(thread, operation, target[:-1], int(site)))
    return found
