"""What processes that have played a schedule say of it, as bytes behind each other in one file.

    header     bytes of the message; process, status of a clean end, hash of what decided, points,
               rows
    rows       events of a clean end whose reads-from pairs are wanted
               (runtime/layout/explore_words.py)
    message    pickled, of any other end

A clean end is told by machine code (engine/glue/templates/threads/schedules.ll) or by Python
(child.py).  Each appends in one write, which is whole even when several processes write.
"""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from irsan.engine.guest.explored_schedule import events_in
from irsan.explore.fuzzing import reads_of
from irsan.explore.schedules import Ending, Played, Schedule
from irsan.runtime.layout.explore_words import EVENT_BYTES

_HEADER: Final = struct.Struct("<QQqQQQ")


@dataclass(frozen=True, slots=True)
class Told:
    """What a process tells of itself; its output and the time it took are seen from outside."""

    pid: int
    played: Played


@dataclass(frozen=True, slots=True)
class Pages:
    """Addresses of pages that a child has copied."""

    addresses: Sequence[int]


def packed_end(status: int, interleaving: int, steps: int) -> bytes:
    """A clean end of this process."""
    return _HEADER.pack(0, os.getpid(), status, interleaving, steps, 0)


def packed_message(message: Told | Pages, interleaving: int, steps: int) -> bytes:
    """Any other end of this process, or pages."""
    raw = pickle.dumps(message)
    return _HEADER.pack(len(raw), os.getpid(), 0, interleaving, steps, 0) + raw


def read_answers(raw: bytes, schedule: Schedule) -> tuple[list[Told], Sequence[int]]:
    """What all processes of a schedule have told, in the order in which they ended; pages."""
    found: list[Told] = []
    pages: Sequence[int] = ()
    at = 0
    while at + _HEADER.size <= len(raw):
        n_bytes, pid, status, interleaving, steps, n_rows = _HEADER.unpack_from(raw, at)
        rows_at = at + _HEADER.size
        message_at = rows_at + n_rows * EVENT_BYTES
        at = message_at + n_bytes
        if not n_bytes:
            rows = raw[rows_at:message_at]
            found.append(Told(pid, _clean(schedule, status, interleaving, steps, rows)))
            continue
        message = pickle.loads(raw[message_at:at])
        if isinstance(message, Pages):
            pages = message.addresses
        else:
            played = replace(message.played, interleaving=interleaving, steps=steps)
            found.append(Told(message.pid, played))
    return found, pages


def _clean(
    schedule: Schedule, status: int, interleaving: int, steps: int, rows: bytes
) -> Played:
    return Played(
        schedule.index,
        clean_end(status),
        interleaving=interleaving,
        steps=steps,
        reads=reads_of(events_in(rows)) if rows else (),
    )


@cache
def clean_end(status: int) -> Ending:
    """The ending of a program that has called exit, or returned from main."""
    return Ending(f"exit status {status}", status, is_bad=status != 0)
