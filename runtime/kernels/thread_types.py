"""What mypy knows of the records that subsystems keep of a thread: see record.py."""

from __future__ import annotations

from irsan.runtime.kernels.record import Record
from irsan.runtime.kernels.scalars import Vector, u64
from irsan.runtime.records import thread_parts


class Stack(Record, layout=thread_parts.STACK_DTYPE):
    """The stack of a thread."""

    lo: u64
    hi: u64
    room_lo: u64
    room_hi: u64
    guard_bytes: u64


class Wait(Record, layout=thread_parts.WAIT_DTYPE):
    """What a thread waits for, and how that ended."""

    kind: u64
    addr: u64
    wake_ns: u64
    resuming: u64
    retry_word: u64
    retry_count: u64
    status: u64
    use_checked: u64
    sleep_stack: u64
    mutex: u64
    n_polls: u64
    retry_mask: u64
    short_count: u64


class Cancel(Record, layout=thread_parts.CANCEL_DTYPE):
    """Cancellation of a thread."""

    state: u64
    pending: u64
    buffer: u64


class Handler(Record, layout=thread_parts.HANDLER_DTYPE):
    """The handler of a signal that a thread runs."""

    top: u64
    mask: u64
    state: u64
    ran: u64


class Fiber(Record, layout=thread_parts.FIBER_DTYPE):
    """Fibers of a thread, or a fiber."""

    home: u64
    current: u64
    is_announced: u64
    runner: u64
    is_home: u64
    lo: u64
    hi: u64
    next_lo: u64
    next_hi: u64
    last_lo: u64
    last_hi: u64


class RaceOfThread(Record, layout=thread_parts.RACE_DTYPE):
    """What the race detector keeps of a thread."""

    n_ignores: Vector[u64]
    ignore_sync: u64
    acquire_pending: u64
    release_epoch: u64


class Unwind(Record, layout=thread_parts.UNWIND_DTYPE):
    """Exceptions, and frames that were left."""

    lowest_birth: u64
    thrown_sp: u64
    record: Vector[u64]
