"""Fibers as the race detector sees them: threads of their own that take turns on one thread.

What a thread is to the detector, its *identity*, is a handful of words: number, clock, epoch, calls
in progress, locks held, depths of ignoring.  The words of whoever runs are in the Context and in
the record of the thread; everything else (stack, thread-locals, pthread_self) belongs to the
thread.

    thread M      record in use         identity of the fiber that runs
    fiber F       record, state FIBER   its identity while it sleeps; unused while it runs
    home of M     record, state FIBER   the same for the identity that M began with

    switch from F to G on M     F := identity of M;  identity of M := G

So a fiber's record is found by the handle alone, by whatever thread resumes it, and clocks and call
stacks never move: the pointers to them do.  The owner of a sid (sids.py) is the slot of the record
that holds the identity, so that a flush finds every clock.

Source: ThreadSanitizer's FiberSwitch, which exchanges whole thread states.
Deviation: a fiber's mutexes count as held by the fiber, as there, but a mutex that its fiber has
locked must be unlocked by the same one also where the library itself asks for the owner.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_table import held_base
from irsan.runtime.kernels.memory import real_memcpy
from irsan.runtime.kernels.race.clocks.generations import note_reader
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, NONE
from irsan.runtime.kernels.race.ignoring import set_ignored
from irsan.runtime.kernels.race.race_types import sid_numbered
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.thread_states import FREE
from irsan.runtime.records.race.fiber_records import FIBER
from irsan.runtime.records.race.lock_records import HELD_ENTRY_BYTES

S_FREE = FREE
S_FIBER = FIBER


@kernel
def own_tid(thread: Thread) -> u64:
    """The number that a thread began with, whatever fiber it runs: whose stack it is."""
    home = thread.fiber.home
    if home == 0 or thread.fiber.current == home:
        return thread.tid
    return thread_at(home).tid


@kernel
def move_identity(source: Thread, target: Thread) -> None:
    """`target` becomes what `source` was; `source` is unused."""
    target.tid = source.tid
    target.parent_tid = source.parent_tid
    target.creation_stack = source.creation_stack
    target.epoch = source.epoch
    target.vc = source.vc
    target.frame_base = source.frame_base
    target.frame_top = source.frame_top
    target.frame_limit = source.frame_limit
    target.ignore_depth = source.ignore_depth
    for word in range(4):
        target.name[word] = source.name[word]
    target.wait.sleep_stack = source.wait.sleep_stack
    target.race.ignore_sync = source.race.ignore_sync
    target.race.acquire_pending = source.race.acquire_pending
    target.race.release_epoch = source.race.release_epoch
    target.held = source.held
    target.n_held = source.n_held
    if source.n_held != 0:
        real_memcpy(held_base(target), held_base(source), source.n_held * HELD_ENTRY_BYTES)
    sid_numbered(source.epoch >> CLOCK_BITS).owner_slot = target.slot
    source.tid = NONE
    source.held = 0
    source.n_held = 0


@kernel
def become(ctx: Context, fiber_addr: u64) -> None:
    """The running thread, which runs a fiber, goes on as another one that no thread runs."""
    thread = thread_at(ctx.thread)
    thread.epoch = u64(ctx.epoch)
    thread.vc = ctx.vc
    thread.frame_top = ctx.frame_top
    thread.frame_limit = ctx.frame_limit
    thread.ignore_depth = ctx.ignore_depth
    current = thread_at(thread.fiber.current)
    move_identity(thread, current)
    current.fiber.runner = 0
    move_identity(thread_at(fiber_addr), thread)
    thread_at(fiber_addr).fiber.runner = ctx.thread
    thread.fiber.current = fiber_addr
    ctx.epoch = u32(thread.epoch)
    ctx.vc = thread.vc
    ctx.frame_top = thread.frame_top
    ctx.frame_limit = thread.frame_limit
    set_ignored(ctx, thread.ignore_depth)
    note_reader(ctx)


@kernel
def leave_fibers(ctx: Context) -> None:
    """The running thread ends: as itself, and its own fiber with it."""
    thread = thread_at(ctx.thread)
    home = thread.fiber.home
    if home == 0:
        return
    if thread.fiber.current != home and thread_at(home).fiber.runner == 0:
        become(ctx, home)
    if thread.fiber.current == home:
        thread_at(home).state = S_FREE
    thread.fiber.home = 0
