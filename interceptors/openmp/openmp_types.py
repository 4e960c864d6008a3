"""OpenMP's records, as kernels see them: see openmp_records.py."""

from __future__ import annotations

from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.records import record_at, record_in
from irsan.runtime.kernels.scalars import Vector, u32, u64
from irsan.runtime.records.threads import openmp_records


class OmpSettings(Placed, layout=openmp_records.SETTINGS_DTYPE):
    """What the environment says, and what the allocator needs."""

    bump: u64
    n_threads: Vector[u64]
    dynamic: u64
    schedule: u64
    chunk: u64
    max_levels: u64
    thread_limit: u64
    cancels: u64
    stack_bytes: u64
    n_procs: u64
    n_teams: u64
    teams_limit: u64
    n_unmade: u64
    privates: u64
    worker_entry: u64
    shows_affinity: u64
    shows_environment: u64
    paused: u64


class OmpThread(Placed, layout=openmp_records.THREAD_DTYPE):
    """A thread of irsan, as OpenMP sees it."""

    tid: u64
    thread: u64
    implicit: u64
    task: u64
    workers: u64
    next_worker: u64
    assigned: u64
    asked_threads: u64
    asked_teams: u64
    asked_limit: u64
    root: u64
    left: u64
    shown_threads: u64
    shown_level: u64


class OmpTeam(Placed, layout=openmp_records.TEAM_DTYPE):
    """The threads of a region."""

    even_key: u64
    odd_key: u64
    n_threads: u64
    level: u64
    active: u64
    microtask: u64
    n_arguments: u64
    arguments: u64
    master: u64
    outer: u64
    first: u64
    n_arrived: u64
    generation: u64
    n_cancellable: u64
    n_done: u64
    n_tasks: u64
    n_queued: u64
    oldest: u64
    newest: u64
    singles: u64
    loops: u64
    doacrosses: u64
    copied: u64
    cancelled: u64
    n_teams: u64
    team_number: u64
    is_league: u64
    thread_limit: u64


class OmpTask(Placed, layout=openmp_records.TASK_DTYPE):
    """A task: one that a thread has in a region, or one of the program."""

    children_key: u64
    start_key: u64
    is_explicit: u64
    team: u64
    number: u64
    outer_implicit: u64
    outer_task: u64
    parent: u64
    n_children: u64
    refs: u64
    n_threads: u64
    dynamic: u64
    schedule: u64
    chunk: u64
    max_levels: u64
    thread_limit: u64
    singles: u64
    n_loops: u64
    n_doacrosses: u64
    loop: u64
    lower: u64
    upper: u64
    turn: u64
    bumped: u64
    doacross: u64
    group: u64
    block: u64
    fiber: u64
    outer_fiber: u64
    flags: u64
    state: u64
    next: u64
    maker: u64
    goes_on: u64
    depends: u64
    entries: u64
    event: u64
    reduces: u64
    uses_thread: u64


class OmpLoop(Placed, layout=openmp_records.LOOP_DTYPE):
    """A loop whose chunks threads ask for."""

    ordered_key: u64
    next: u64
    sequence: u64
    kind: u64
    chunk: u64
    lower: u64
    stride: u64
    trips: u64
    given: u64
    n_left: u64
    ordered_turn: u64
    is_ordered: u64
    reduced: u64


class OmpDoacross(Placed, layout=openmp_records.DOACROSS_DTYPE):
    """A loop nest whose iterations wait for each other."""

    next: u64
    sequence: u64
    n_left: u64
    n_dimensions: u64
    trips: u64
    bounds: u64
    flags: u64


class OmpGroup(Placed, layout=openmp_records.GROUP_DTYPE):
    """A taskgroup."""

    key: u64
    outer: u64
    n_tasks: u64
    cancelled: u64
    reductions: u64
    gomp: u64


class OmpDepend(Placed, layout=openmp_records.DEPEND_DTYPE):
    """A member of a set."""

    next: u64
    set: u64


class OmpSet(Placed, layout=openmp_records.SET_DTYPE):
    """Tasks that depend on one address and may run side by side."""

    key: u64
    mutex_key: u64
    n_incomplete: u64
    refs: u64
    kind: u64
    is_busy: u64
    previous: u64


class OmpEntry(Placed, layout=openmp_records.ENTRY_DTYPE):
    """An address that tasks depend on, and the newest set there."""

    next: u64
    address: u64
    set: u64


class OmpReduction(Placed, layout=openmp_records.REDUCTION_DTYPE):
    """A variable that tasks reduce."""

    next: u64
    shared: u64
    original: u64
    size: u64
    init: u64
    fini: u64
    combine: u64
    copies: u64


class OmpCopy(Placed, layout=openmp_records.COPY_DTYPE):
    """A thread's part of a variable that tasks reduce."""

    next: u64
    slot: u64
    memory: u64


class OmpPrivate(Placed, layout=openmp_records.PRIVATE_DTYPE):
    """A thread's copy of a variable."""

    next: u64
    variable: u64
    owner: u64
    copy: u64
    constructor: u64
    copier: u64
    destructor: u64
    count: u64


class OmpLock(Placed, layout=openmp_records.LOCK_DTYPE):
    """A lock, or the name of a critical section, in the program's memory."""

    word: u32


settings_at = record_at(OmpSettings)
thread_of_slot = record_in(OmpThread, openmp_records.THREADS)
member_at = record_at(OmpThread)
team_at = record_at(OmpTeam)
task_at = record_at(OmpTask)
loop_at = record_at(OmpLoop)
doacross_at = record_at(OmpDoacross)
group_at = record_at(OmpGroup)
depend_at = record_at(OmpDepend)
set_at = record_at(OmpSet)
entry_at = record_at(OmpEntry)
reduction_at = record_at(OmpReduction)
copy_at = record_at(OmpCopy)
private_at = record_at(OmpPrivate)
lock_at = record_at(OmpLock)
