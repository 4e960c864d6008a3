"""What irsan's own limits have refused or left out in a run: said at its end, never silently.

Every limit and its number, those of no word here as well, are in docs/limits.md.
"""

from __future__ import annotations

from typing import Any, Final

from irsan.engine.findings.races.race_limits import race_limits
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race import lock_records

_THREADS: Final = ("threads", "stacks", "huge_stacks")
_MOST: Final = f"{memory_map.MAX_LIVE_THREADS:,}"

# Subsystem of the Context, its field, what to say.
_LIMITS: Final = (
    ("refused", "threads", f"threads were refused, as {_MOST} were alive: "
     "creating them failed with EAGAIN"),
    ("refused", "stacks", "threads were refused, as there was no room for another "
     "stack: creating them failed with EAGAIN"),
    ("refused", "huge_stacks", "threads were refused, as they asked for a stack of "
     f"more than {memory_map.MAX_STACK_BYTES >> 30} GiB: creating them failed with EAGAIN"),
    ("refused", "fibers", f"fibers were refused, as {_MOST} threads and fibers were "
     "alive: races in them are missed"),
    ("refused", "exit_functions", "functions were refused by atexit and similar, as "
     "their table was full"),
    ("refused", "robust_mutexes", "robust mutexes are not recovered when their owner ends, as "
     "their table was full"),
    ("refused", "global_tables", "tables of globals were not registered, as there was "
     "no room for them: their redzones are missing"),
    ("locks", "n_unheld", "locks were not noted as held, as the thread held "
     f"{lock_records.MAX_HELD:,} already: misuse of them is missed"),
    ("locks", "n_unnumbered", "uses of locks were not followed, as there have been "
     f"{lock_records.MAX_LOCKS:,} locks: misuse and order of further ones are missed"),
    ("locks", "n_lost_edges", "orders of two locks were not kept, as their table was "
     "full: deadlocks that may happen are missed"),
    ("depot", "n_lost", "calls are missing in stacks, as their table was full"),
)  # fmt: skip


def run_limits(ctx: Any) -> str:
    """A line for each limit that was met, with how often; empty as a rule."""
    counts = ((int(ctx[part][name]), what) for part, name, what in _LIMITS)
    return race_limits(ctx) + "".join(
        f"irsan: limit: {what} ({n} times)\n" for n, what in counts if n
    )


def threads_refused(ctx: Any) -> int:
    """How many threads the program has not got that it natively would have."""
    return sum(int(ctx["refused"][name]) for name in _THREADS)
