"""Numbers of thread states, waits and scheduling costs, shared by kernels and the host."""

from typing import Final

FREE: Final = 0
RUNNABLE: Final = 1
BLOCKED: Final = 2
FINISHED: Final = 3  # ended, not yet joined

WAIT_SIGNALLED: Final = 0
WAIT_TIMED_OUT: Final = 1
WAIT_CANCELLED: Final = 2
WAIT_INTERRUPTED: Final = 3  # by a signal

# What a thread is blocked on: (kind, address).
WAIT_MUTEX: Final = 1
WAIT_CONDITION: Final = 2
WAIT_READ_LOCK: Final = 3
WAIT_WRITE_LOCK: Final = 4
WAIT_BARRIER: Final = 5
WAIT_SEMAPHORE: Final = 6
WAIT_JOIN: Final = 7
WAIT_SLEEP: Final = 8
WAIT_ONCE: Final = 9
WAIT_GUARD: Final = 10
WAIT_SPIN: Final = 11
WAIT_FUTEX: Final = 12
WAIT_INPUT: Final = 13
WAIT_SIGNAL: Final = 14
WAIT_SHARED_MUTEX: Final = 15  # a mutex in shared memory, as glibc has it
WAIT_SHARED_LOCK: Final = 16  # the same for a reader-writer lock
WAIT_EXIT: Final = 17
WAIT_TEAM: Final = 18  # OpenMP: a barrier, tasks, other threads of the team
WAIT_REGION: Final = 19  # OpenMP: a worker that no region needs

WAIT_NAMES: Final = {
    WAIT_MUTEX: "mutex",
    WAIT_CONDITION: "condition variable",
    WAIT_READ_LOCK: "read lock",
    WAIT_WRITE_LOCK: "write lock",
    WAIT_BARRIER: "barrier",
    WAIT_SEMAPHORE: "semaphore",
    WAIT_JOIN: "thread to join",
    WAIT_SLEEP: "sleep",
    WAIT_ONCE: "once flag",
    WAIT_GUARD: "static initialisation guard",
    WAIT_SPIN: "spinlock",
    WAIT_FUTEX: "futex",
    WAIT_INPUT: "input",
    WAIT_SIGNAL: "signal",
    WAIT_SHARED_MUTEX: "mutex",
    WAIT_SHARED_LOCK: "read-write lock",
    WAIT_EXIT: "end of the program",
    WAIT_TEAM: "OpenMP team",
    WAIT_REGION: "parallel region to begin",
}

SHARED_TICK_NS: Final = 5000  # virtual time of a turn, about a thousand safepoints
SYNC_FUEL: Final = 500  # safepoints that one synchronisation operation costs
EXPLORED_SWITCHES: Final = 1 << 18  # thread switches after which it costs less:
LATE_SYNC_FUEL: Final = 100
UNCONTENDED_FUEL: Final = 1 << 20  # fuel while one thread is alone
WATCHED_FUEL: Final = 1 << 16  # the same while others sleep: it may spin until they wake ...
WATCHED_NS: Final = 1 << 20  # ... so that much virtual time passes with it
DEFAULT_PREEMPT_MEAN: Final = 1000  # mean safepoints between two scheduling points

FIRST_ATTENTION: Final = 1 << 12  # points of a run at which it is drawn whether others go on
ATTENTION_WINDOW: Final = 16  # points with one mood; a new thread begins another window
CALM_QUESTIONS: Final = 8  # slices without an operation that others can see, before they grow
MAX_STRETCH: Final = 5  # and then each is twice as long as the last one, up to 2^5 times
EXIT_SAFEPOINTS: Final = 1 << 20  # what other threads may do when the program has ended

FIRST_FRAME_BYTES: Final = 80


def first_stack_pointer(stack_hi: int) -> int:
    """What the record of a thread that has not begun says of its stack pointer."""
    return (stack_hi - FIRST_FRAME_BYTES) & ~15
