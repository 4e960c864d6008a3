"""OpenMP's teams, tasks, loops and locks as the runtime keeps them: the plain layout, no numba.

    TABLE        settings (SETTINGS_DTYPE), from the environment, and the allocator's words
    + 4096       heads of its lists of free records, one per power of two
    + 8192       the format of affinities, texts that it may name, and the text made of it
    + 1 MiB      a THREAD_DTYPE for each slot of a thread
    + 4 MiB      records, one after the other
    LABELS       what reports call a thread of a team and a task, by thread number

All of it lies outside the arena: no check sees it, and a record's address is a name for a clock.
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np

from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset

TABLE: Final = memory_map.table("openmp", 16 * memory_map.GIB)
ATOMIC_LOCK: Final = TABLE + 2048
CRITICAL_LOCK: Final = TABLE + 2048 + 64  # of GOMP_critical_start
FREE_LISTS: Final = TABLE + 4096
AFFINITY_FORMAT: Final = TABLE + 8192
FORMAT_BYTES: Final = 4096
HOST_NAME: Final = AFFINITY_FORMAT + FORMAT_BYTES
PROCESSORS: Final = HOST_NAME + 256
UNDEFINED: Final = PROCESSORS + 64
FIELD_NAMES: Final = UNDEFINED + 64  # rows of a name and its letter
FIELD_NAME_BYTES: Final = 32
N_FIELD_NAMES: Final = 10
AFFINITY_FIELD: Final = FIELD_NAMES + N_FIELD_NAMES * FIELD_NAME_BYTES  # a number as text
AFFINITY_TEXT: Final = TABLE + 16384
AFFINITY_TEXT_BYTES: Final = 8192
THREADS: Final = TABLE + memory_map.MIB
RECORDS: Final = TABLE + 4 * memory_map.MIB
RECORDS_END: Final = TABLE + 16 * memory_map.GIB
MOST_PENDING: Final = 256  # tasks of a team that wait; the next one runs at once

LABEL_BYTES: Final = 8
MAX_LABELS: Final = memory_map.GIB // LABEL_BYTES
LABELS: Final = memory_map.table("openmp labels", MAX_LABELS * LABEL_BYTES)
IS_TASK: Final = 0xFFFF_FFFF  # in a label, where the size of a team stands otherwise

# Schedules of loops, as clang numbers them.
STATIC_CHUNKED: Final = 33
STATIC: Final = 34
DYNAMIC: Final = 35
GUIDED: Final = 36
RUNTIME: Final = 37
AUTO: Final = 38

# What a thread of a team waits for.
BARRIER: Final = 1
TASKWAIT: Final = 2
GROUP: Final = 3
DEPENDS: Final = 4
JOIN: Final = 5
CANCELLABLE: Final = 6

N_LEVELS: Final = 8  # of OMP_NUM_THREADS that are kept


def _words(*names: str) -> np.dtype[np.void]:
    return np.dtype([(name, "u8") for name in names], align=True)


SETTINGS_DTYPE: Final = np.dtype(
    [
        ("bump", "u8"),  # where the next new record begins; 0: nothing has used OpenMP yet
        ("n_threads", "u8", (N_LEVELS,)),  # by level; 0: as the level above
        ("dynamic", "u8"),
        ("schedule", "u8"),
        ("chunk", "u8"),
        ("max_levels", "u8"),
        ("thread_limit", "u8"),
        ("cancels", "u8"),
        ("stack_bytes", "u8"),
        ("n_procs", "u8"),
        ("n_teams", "u8"),
        ("teams_limit", "u8"),
        ("n_unmade", "u8"),  # threads that a region wanted and did not get
        ("privates", "u8"),  # first variable that has copies by thread
        ("worker_entry", "u8"),  # in the glue: what a worker does
        ("shows_affinity", "u8"),
        ("shows_environment", "u8"),
        ("paused", "u8"),  # 1: omp_pause_resource was called, and no region has begun since
    ],
    align=True,
)

#: what a thread is to OpenMP
THREAD_DTYPE: Final = _words(
    "tid",  # own number + 1 of whom this is about
    "thread",  # address of its record
    "implicit",  # task of the region that it is in
    "task",  # task that it runs
    "workers",  # first of the threads that it has made
    "next_worker",
    "assigned",  # task of the region that it is to begin
    "asked_threads",  # for the next region
    "asked_teams",
    "asked_limit",
    "root",  # its first task, if no region has made it
    "left",  # team that it has left and that was not joined yet
    "shown_threads", "shown_level",  # of the team whose affinity it has shown last
)

TEAM_DTYPE: Final = _words(
    "even_key", "odd_key",  # clocks of its barrier, by the parity of the generation
    "n_threads", "level", "active", "microtask", "n_arguments", "arguments",
    "master",  # thread that has made it
    "outer",  # the team around it
    "first",  # task of thread 0
    "n_arrived", "generation",
    "n_cancellable",  # of those that have arrived, who goes on if the region is cancelled
    "n_done",  # threads that have left for ever
    "n_tasks",  # explicit, not yet complete
    "n_queued",
    "oldest", "newest",  # of tasks that wait
    "singles",  # single constructs that somebody has taken
    "loops", "doacrosses",  # first that some thread has not left yet
    "copied",  # of copyprivate
    "cancelled",  # kind of the construct
    "n_teams", "team_number", "is_league", "thread_limit",
)  # fmt: skip

MICROTASK_AT: Final = field_offset(TEAM_DTYPE, "microtask")
N_ARGUMENTS_AT: Final = field_offset(TEAM_DTYPE, "n_arguments")
ARGUMENTS_AT: Final = field_offset(TEAM_DTYPE, "arguments")

TASK_DTYPE: Final = _words(
    "children_key", "start_key",  # clocks: of children that are complete, of whoever made it
    "is_explicit", "team", "number",
    "outer_implicit", "outer_task",  # what the thread goes back to
    "parent", "n_children", "refs",
    "n_threads", "dynamic", "schedule", "chunk", "max_levels",
    "thread_limit",  # of a target region; 0: none
    "singles", "n_loops", "n_doacrosses",
    "loop", "lower", "upper", "turn", "bumped",  # of the loop that it is in, and its chunk there
    "doacross",
    "group",
    "block",  # kmp_task_t of the program
    "fiber", "outer_fiber", "flags", "state", "next", "maker",
    "goes_on",  # 1: an untied task has come to the end of a part, and begins the next one at once
    "depends",  # first of its dependences
    "entries",  # first of the addresses that its children depend on
    "event",
    "reduces",  # function that combines, of the reduction that it takes part in
    "uses_thread",  # 1: it has asked for what belongs to its thread: its number, a copy
)  # fmt: skip

#: a loop whose chunks are given out
LOOP_DTYPE: Final = _words(
    "ordered_key", "next", "sequence", "kind", "chunk", "lower", "stride", "trips",
    "given",  # iterations
    "n_left", "ordered_turn", "is_ordered",
    "reduced",  # list of the first thread, of variables that GCC's tasks reduce
)  # fmt: skip

DOACROSS_DTYPE: Final = _words(
    "next", "sequence", "n_left", "n_dimensions", "trips",
    "bounds",  # lower, upper, step of each dimension
    "flags",  # a byte for each iteration; its address is the iteration's clock
)  # fmt: skip

GROUP_DTYPE: Final = _words(
    "key", "outer", "n_tasks", "cancelled", "reductions",
    "gomp",  # list of variables that GCC's tasks reduce
)  # fmt: skip

#: a task's part in a set of tasks that depend on one address
DEPEND_DTYPE: Final = _words("next", "set")
SET_DTYPE: Final = _words(
    "key", "mutex_key", "n_incomplete", "refs", "kind", "is_busy", "previous"
)
ENTRY_DTYPE: Final = _words("next", "address", "set")

#: a variable that tasks of a group reduce: copies by number of the thread
REDUCTION_DTYPE: Final = _words(
    "next", "shared", "original", "size", "init", "fini", "combine",
    "copies",  # first, and the next in each
)  # fmt: skip
COPY_DTYPE: Final = _words("next", "slot", "memory")
#: a variable with a copy for each thread; or, without a copy, what makes and ends its copies
PRIVATE_DTYPE: Final = _words(
    "next", "variable", "owner", "copy", "constructor", "copier", "destructor",
    "count",  # elements, for functions that take a number of them; 0: they do not
)  # fmt: skip
#: owner in the low bits, how often it has the lock above; only so much of a lock is the same in
#: all compilers' headers
LOCK_DTYPE: Final = np.dtype([("word", "u4")], align=True)
OWNER_BITS: Final = 24


def label_of(tid: int) -> tuple[int, int] | None:
    """Number in its team, and size of the team or IS_TASK; None for a thread of no team."""
    if not 0 <= tid < MAX_LABELS:
        return None
    number, size = (ctypes.c_uint32 * 2).from_address(LABELS + tid * LABEL_BYTES)
    return (number, size) if size else None
