"""What irsan's own limits have refused or left out in a run: said at its end, never silently.

Every limit and its number, those of no word here as well, are in docs/limits.md.
"""

from __future__ import annotations

from typing import Any, Final

from irsan.engine.findings.race_limits import race_limits
from irsan.runtime.layout import memory_map
from irsan.runtime.records import limit_records, lock_records

_THREADS: Final = (limit_records.THREADS, limit_records.STACKS, limit_records.HUGE_STACKS)
_N_STACKS_LOST: Final = 1  # word of ctx.depot, as in kernels/depot.py
_MOST: Final = f"{memory_map.MAX_LIVE_THREADS:,}"

# Field of the Context, its word, what to say.
_LIMITS: Final = (
    ("refused", limit_records.THREADS, f"threads were refused, as {_MOST} were alive: "
     "creating them failed with EAGAIN"),
    ("refused", limit_records.STACKS, "threads were refused, as there was no room for another "
     "stack: creating them failed with EAGAIN"),
    ("refused", limit_records.HUGE_STACKS, "threads were refused, as they asked for a stack of "
     f"more than {memory_map.MAX_STACK_BYTES >> 30} GiB: creating them failed with EAGAIN"),
    ("refused", limit_records.FIBERS, f"fibers were refused, as {_MOST} threads and fibers were "
     "alive: races in them are missed"),
    ("refused", limit_records.EXIT_FUNCTIONS, "functions were refused by atexit and similar, as "
     "their table was full"),
    ("refused", limit_records.ROBUST, "robust mutexes are not recovered when their owner ends, as "
     "their table was full"),
    ("refused", limit_records.GLOBAL_TABLES, "tables of globals were not registered, as there was "
     "no room for them: their redzones are missing"),
    ("sync", lock_records.N_UNHELD, "locks were not noted as held, as the thread held "
     f"{lock_records.MAX_HELD:,} already: misuse of them is missed"),
    ("sync", lock_records.N_UNNUMBERED, "uses of locks were not followed, as there have been "
     f"{lock_records.MAX_LOCKS:,} locks: misuse and order of further ones are missed"),
    ("sync", lock_records.N_LOST_EDGES, "orders of two locks were not kept, as their table was "
     "full: deadlocks that may happen are missed"),
    ("depot", _N_STACKS_LOST, "calls are missing in stacks, as their table was full"),
)  # fmt: skip


def run_limits(ctx: Any) -> str:
    """A line for each limit that was met, with how often; empty as a rule."""
    counts = ((int(ctx[field][word]), what) for field, word, what in _LIMITS)
    return race_limits(ctx) + "".join(
        f"irsan: limit: {what} ({n} times)\n" for n, what in counts if n
    )


def threads_refused(ctx: Any) -> int:
    """How many threads the program has not got that it natively would have."""
    return sum(int(ctx["refused"][word]) for word in _THREADS)
