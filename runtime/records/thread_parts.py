"""What each subsystem keeps of a thread: one numpy type for each, `thread.wait.kind` in kernels."""

from __future__ import annotations

from irsan.runtime.records.subsystems import record

_U64 = "u8"

STACK_DTYPE = record(
    [
        ("lo", _U64),
        ("hi", _U64),
        ("room_lo", _U64),  # what the stack, its guard and the thread-local block lie in
        ("room_hi", _U64),
        ("guard_bytes", _U64),  # as asked for
    ]
)

WAIT_DTYPE = record(
    [
        ("kind", _U64),  # what a thread is blocked on: WAIT_* of thread_states.py, and an address
        ("addr", _U64),
        ("wake_ns", _U64),  # virtual time at which a timed wait ends, 0 = never
        ("resuming", _U64),  # wait kind whose end this thread has not looked at yet
        ("retry_word", _U64),  # what a kernel keeps between two tries of one call
        ("retry_count", _U64),
        ("status", _U64),  # how the wait ended: 0 signalled, 1 timed out
        ("use_checked", _U64),  # bits of what the call in progress uses that was checked already
        ("sleep_stack", _U64),  # stack id of the newest sleep that is over, 0 = none
        ("mutex", _U64),  # with which the thread waits on a condition variable
        ("n_polls", _U64),  # in a row, without any work between: kernels/threads/polls.py
        ("retry_mask", _U64),  # signal mask to put back when a wait ends
        ("short_count", _U64),  # bytes that a transfer moves at most: kernels/injected.py
    ]
)

CANCEL_DTYPE = record(
    [
        ("state", _U64),
        ("pending", _U64),
        ("buffer", _U64),  # newest cleanup handler's jump buffer
    ]
)

#: the handler of a signal: see signal_records.py
HANDLER_DTYPE = record([("top", _U64), ("mask", _U64), ("state", _U64), ("ran", _U64)])

#: see fiber_records.py, views/context_stacks.py
FIBER_DTYPE = record(
    [
        ("home", _U64),
        ("current", _U64),
        ("is_announced", _U64),
        ("runner", _U64),
        ("is_home", _U64),
        ("lo", _U64),
        ("hi", _U64),
        ("next_lo", _U64),
        ("next_hi", _U64),
        ("last_lo", _U64),
        ("last_hi", _U64),
    ]
)

RACE_DTYPE = record(
    [
        ("n_ignores", _U64, (2,)),  # places noted in IGNORES: of ignored accesses, of ignored sync
        ("ignore_sync", _U64),  # > 0: synchronisation of this thread is ignored
        ("acquire_pending", _U64),  # 1: relaxed loads have seen released clocks since the fence
        ("release_epoch", _U64),  # epoch of the last release fence, 0 = none
    ]
)

#: exceptions, and frames that were left
UNWIND_DTYPE = record(
    [
        ("lowest_birth", _U64),  # lowest variable made since frames that were left were looked for
        ("thrown_sp", _U64),  # stack pointer of the function that throws, 0 = none does
        ("record", _U64, (6,)),  # the unwinder's, of a thread that ends: 32 bytes, aligned
    ]
)
