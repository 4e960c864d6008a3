"""What the kernels know about locks, read for reports: records and edges of the lock order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irsan.reports.model.report import Frame, HeldMutex, MutexFacts, Stack
from irsan.runtime import arena
from irsan.runtime.records.race import lock_records as lr
from irsan.runtime.views.lock_graph import LockEdge
from irsan.runtime.views.stackdepot import lockset_to_locks

_TAKEN_FOR_WRITE = 4  # bit of an edge's mode, see runtime/kernels/locks/lock_order.py

StackToFrames = Callable[[int], tuple[Frame, ...]]


@dataclass(frozen=True, slots=True)
class LockFacts:
    """A lock: where it is, the stack ids of its creation and of its newest acquisition, or end."""

    number: int
    address: int
    creation_stack: int
    newest_stack: int
    is_destroyed: bool


def lock_facts(number: int) -> LockFacts:
    """The record of a lock by its number."""
    lock = _lock(number)
    return LockFacts(
        number,
        int(lock["address"]),
        int(lock["creation_stack"]),
        int(lock["newest_stack"]),
        bool(lock["flags"] & lr.DESTROYED),
    )


def destroyed_before(number: int) -> int:
    """The newest lock destroyed where this one, made later, lies; 0 if none was.  O(locks)."""
    address = lock_facts(number).address
    for older in range(number - 1, 0, -1):
        lock = _lock(older)
        if int(lock["address"]) == address and lock["flags"] & lr.DESTROYED:
            return older
    return 0


def edge_columns(n_edges: int) -> tuple[Any, Any, Any]:
    """(held, taken, tid) of the first `n_edges` edges: u32 arrays[n_edges], index 0 is edge 1."""
    words = arena.view_words(lr.EDGES + lr.EDGE_BYTES, n_edges * lr.EDGE_BYTES // 8)
    edges = words.view(lr.EDGE_DTYPE)
    return edges["held"], edges["taken"], edges["tid"]


def edge_at(position: int) -> LockEdge:
    """The edge at a position of `edge_columns`."""
    edge = arena.view_record(lr.EDGES + (position + 1) * lr.EDGE_BYTES, lr.EDGE_DTYPE)
    held = int(edge["held"])
    return LockEdge(
        held=held,
        taken=int(edge["taken"]),
        tid=int(edge["tid"]),
        gates=_gates(int(edge["lockset"])) - {held},
        held_for_write=bool(edge["mode"] & lr.MODE_WRITE),
        taken_for_write=bool(edge["mode"] & _TAKEN_FOR_WRITE),
        held_stack=int(edge["held_stack"]),
        taken_stack=int(edge["taken_stack"]),
    )


def mark_in_cycle(number: int) -> None:
    """Ask for every new edge between this lock and others that are marked."""
    _lock(number)["flags"] |= lr.IN_CYCLE


def _lock(number: int) -> Any:
    return arena.view_record(lr.LOCKS + number * lr.RECORD_BYTES, lr.LOCK_DTYPE)


def _gates(lockset: int) -> frozenset[int]:
    return frozenset(number for number, _ in lockset_to_locks(lockset))


class LockNames:
    """Names M0, M1, ... of the locks of one finding, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def name(self, number: int) -> str:
        """The name of a lock in this finding."""
        return self._names.setdefault(number, f"M{len(self._names)}")

    def held(self, lockset: int) -> tuple[HeldMutex, ...]:
        """The locks of a lockset."""
        return tuple(HeldMutex(self.name(n), write) for n, write in lockset_to_locks(lockset))

    def facts(self) -> tuple[MutexFacts, ...]:
        """All locks named so far."""
        known = [(name, lock_facts(number)) for number, name in self._names.items()]
        return tuple(MutexFacts(name, lock.address, lock.is_destroyed) for name, lock in known)

    def creation_stacks(self, stack_to_frames: StackToFrames) -> tuple[Stack, ...]:
        """Where they were made."""
        found = []
        for number, name in self._names.items():
            frames = stack_to_frames(lock_facts(number).creation_stack)
            found.append(Stack("mutex-creation", frames=frames, mutex=name))
        return tuple(found)
