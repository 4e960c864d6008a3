"""The records of locks, as kernels see them (record.py)."""

from __future__ import annotations

from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.scalars import Vector, u32, u64
from irsan.runtime.records.race import lock_records


class Lock(Placed, layout=lock_records.LOCK_DTYPE):
    """A lock of the program."""

    address: u64
    creation_stack: u32
    newest_stack: u32
    owner: u32
    depth: u32
    n_readers: u32
    flags: u32
    spare: Vector[u64]


class HeldLock(Placed, layout=lock_records.HELD_DTYPE):
    """A lock that a thread holds."""

    number: u32
    stack: u32
    mode: u32
    depth: u32


class LockEdge(Placed, layout=lock_records.EDGE_DTYPE):
    """That a lock was taken while another one was held."""

    pair: u64
    held: u32
    taken: u32
    who: u64
    tid: u32
    lockset: u32
    held_stack: u32
    taken_stack: u32
    next: u32
    mode: u32
