"""The newest operations on threads, locks and signals, as the kernels left them in a ring.

Reads what kernels/race/recording.py has written (format: trace_records.py).  A lock is written as
what it acquires and as a lock, an unlock as what it releases and as an unlock: each pair is one
step here.  So is a handler's begin and what it acquires from who has set it.  What only helps an
analysis (fences, forgotten objects) is left out.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from irsan.reports.model.timeline import Action
from irsan.runtime.records.race import trace_records as tr
from irsan.runtime.records.race.lock_records import MODE_WRITE

_EVENT: Final = np.dtype([("head", "u8"), ("address", "u8"), ("more", "u8")])
_ACTIONS: Final[dict[int, Action]] = {
    tr.ACQUIRE: "acquire", tr.ACQUIRE_ALL: "acquire", tr.LOOK: "acquire",
    tr.RELEASE: "release", tr.RELEASE_STORE: "release", tr.RELEASE_READ: "release",
    tr.PUBLISH: "release", tr.LOCKED: "lock", tr.UNLOCKED: "unlock",
    tr.FORK: "create thread", tr.JOIN: "join thread", tr.THREAD_END: "end",
    tr.SIGNAL_SENT: "send signal", tr.HANDLER_SET: "set handler",
    tr.HANDLER_BEGIN: "begin handler", tr.HANDLER_END: "end handler",
}  # fmt: skip
_PAIRED: Final = {
    "lock": "acquire", "read lock": "acquire", "unlock": "release",
    "begin handler": "acquire", "set handler": "release",
}  # fmt: skip
_OF_SIGNALS: Final = frozenset({"send signal", "set handler", "begin handler", "end handler"})
#: actions that end an epoch of their thread
RELEASES: Final = frozenset({"release", "unlock", "create thread", "end", "set handler"})


@dataclass(frozen=True, slots=True)
class SyncStep:
    """One operation: its place in the run, who made it, where, and the epoch that it ends or is in.

    address: of the object;  of FORK, JOIN and SIGNAL_SENT the number of the other thread.
    """

    order: int
    tid: int
    action: Action
    address: int
    site: int
    epoch: int
    signal: int = 0


def start_ring(ctx: Any) -> None:
    """Let the kernels keep the newest operations from now on."""
    words = ctx["recording"]
    words["written_to"], words["laps"] = tr.BUFFER, 0
    words["mode"] = tr.INTO_RING


def is_kept(ctx: Any) -> bool:
    """Whether there is a ring."""
    return int(ctx["recording"]["mode"]) == tr.INTO_RING


def newest_steps(ctx: Any) -> list[SyncStep]:
    """What the ring holds, oldest first."""
    laps = int(ctx["recording"]["laps"])
    end = (int(ctx["recording"]["written_to"]) - tr.BUFFER) // tr.EVENT_BYTES
    n_kept = tr.EVENTS_PER_BUFFER if laps else end
    raw: Any = (ctypes.c_uint8 * (n_kept * tr.EVENT_BYTES)).from_address(tr.BUFFER)
    events = np.frombuffer(raw, dtype=_EVENT)
    first = (laps - 1) * tr.EVENTS_PER_BUFFER + end if laps else 0
    return paired(_steps(np.roll(events, -end) if laps else events, first))


def _steps(events: Any, first: int) -> Iterator[SyncStep]:
    rows = zip(*(events[name].tolist() for name in ("head", "address", "more")), strict=True)
    for order, (head, address, more) in enumerate(rows, start=first):
        action = _ACTIONS.get(head & 0xFF)
        if action is None:
            continue
        if action == "lock" and not more & MODE_WRITE:
            action = "read lock"
        epoch = more >> tr.RING_EPOCH_SHIFT
        signal = more & 0xFF if action in _OF_SIGNALS else 0
        yield SyncStep(order, head >> 8 & 0xFF_FFFF, action, address, head >> 32, epoch, signal)


def paired(steps: Iterator[SyncStep] | Sequence[SyncStep]) -> list[SyncStep]:
    """The steps, a lock and what it acquires as one, in either order; so with unlocks."""
    found: list[SyncStep] = []
    newest: dict[int, int] = {}  # thread -> index of its newest step
    for step in steps:
        at = newest.get(step.tid)
        before = found[at] if at is not None else None
        if before is not None and before.address == step.address and _is_pair(before, step):
            assert at is not None
            named = step if step.action in _PAIRED else before
            epoch = min(before.epoch, step.epoch)
            found[at] = replace(named, order=before.order, epoch=epoch)
            continue
        newest[step.tid] = len(found)
        found.append(step)
    return found


def _is_pair(one: SyncStep, other: SyncStep) -> bool:
    return other.action in (_PAIRED.get(one.action), *_wholes_of(one.action))


def _wholes_of(action: str) -> list[str]:
    return [whole for whole, part in _PAIRED.items() if part == action]
