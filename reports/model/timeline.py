"""What the threads of a finding did before it: with threads, locks and signals, in order.

    events      of the threads that took part, oldest first; `order` counts operations of the run
    edges       which operation of another thread each one has learned from: happens-before
    previous    `order` of the earlier access: behind all events of a smaller one, before the rest

An access B is not ordered behind an access A of another thread when no path of edges and of steps
of one thread leads from A to B. A path leaves the thread of A by a release behind A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irsan.reports.model.locations import Address, Frame

Action = Literal[
    "lock", "read lock", "unlock", "acquire", "release", "create thread", "join thread", "end",
    "send signal", "set handler", "begin handler", "end handler",
]


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """An operation of a thread on a lock, another sync object (`address`) or a thread (`other`).

    mutex: its name in the finding, empty when the finding does not name it.
    object_name: of the global variable that the lock or object is, where it is one.
    signal: number of the one that is sent to `other`, or handled; a handler begins at the place
    that it has interrupted.
    frame: the innermost frame that is the program's own, None when none is known.
    """

    order: int
    thread: str
    action: Action
    address: Address = 0
    mutex: str = ""
    other: str = ""
    frame: Frame | None = None
    signal: int = 0
    object_name: str = ""


@dataclass(frozen=True, slots=True)
class TimelineEdge:
    """Event `after` has learned all that was done before event `before`; both are orders."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """See the module.

    n_omitted: events of these threads that are known and left out.
    is_cut: what the run did first is forgotten.
    """

    events: tuple[TimelineEvent, ...]
    edges: tuple[TimelineEdge, ...] = ()
    previous: int | None = None
    n_omitted: int = 0
    is_cut: bool = False
