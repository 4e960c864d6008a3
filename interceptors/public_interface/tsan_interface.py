"""ThreadSanitizer's public functions: what a program says to the race detector about itself.

    __tsan_acquire, __tsan_release       a happens-before edge through an address
    __tsan_testonly_barrier_*            threads meet without any happens-before edge
    __tsan_read4_pc(p, pc) and others    accesses with a place of their own: in the program's code,
                                         or in managed code (kernels/race/external_code.py)
    __tsan_check_no_mutexes_held()       the program promises that it holds no lock here
    __tsan_external_write(p, pc, tag)    an object's own library has changed it (external_tags.py)

What it says about locks is in lock_annotations.py, the older Annotate* names in annotations.py.

Source: sanitizer/tsan_interface.h for the contract.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import callstack_depth
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import MUTEX_MISUSE
from irsan.runtime.kernels.locks.lock_table import held_base, lock_numbered
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.external_code import external_pc_to_routine
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_release,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    sync_point,
    take_resuming,
    wake_waiters,
)
from irsan.runtime.layout.external_sites import MAX_CODE_BYTES, MAX_TAGS, PC_ROUTINES, TAG_ROUTINES
from irsan.runtime.layout.memory_map import PROGRAM_CODE_LO
from irsan.runtime.layout.thread_states import WAIT_BARRIER
from irsan.runtime.records.race.lock_records import HELD_WRONGLY

SIZES = (1, 2, 4, 8, 16)

ARRIVED = 16  # bits of the arrived count in a test barrier's first word
NEEDED = 0xFFFF
ALL = 1 << 32
W_BARRIER = WAIT_BARRIER
W_HELD_WRONGLY = HELD_WRONGLY


@kernel
def t_acquire(ctx: Context, addr: u64) -> None:
    """__tsan_acquire."""
    sync_acquire(ctx, addr)
    sync_point(ctx)


@kernel
def t_release(ctx: Context, addr: u64) -> None:
    """__tsan_release."""
    sync_release(ctx, addr)
    sync_point(ctx)


@kernel
def enter_pc(ctx: Context, pc: u64) -> None:
    """The place of the access in progress: a return address in the program's code, or managed code.

    Managed code stands for the C code that calls the hook, too.
    """
    offset = pc - 1 - PROGRAM_CODE_LO
    routine = external_pc_to_routine(pc)
    if offset < MAX_CODE_BYTES:
        ctx.routine = u32(PC_ROUTINES + offset)
    elif routine != 0:
        ctx.routine = u32(routine)
        ctx.site = 0


@kernel
def access_at_pc(ctx: Context, addr: u64, pc: u64, size_bytes: u64, kind: u64) -> None:
    """A scalar access that names its program counter."""
    routine, site = ctx.routine, ctx.site
    enter_pc(ctx, pc)
    race_access_slow(ctx, addr, size_bytes, kind)
    ctx.routine, ctx.site = routine, site


@kernel
def range_at_pc(ctx: Context, addr: u64, size_bytes: u64, pc: u64, kind: u64) -> None:
    """A range that names its program counter."""
    routine, site = ctx.routine, ctx.site
    enter_pc(ctx, pc)
    race_range(ctx, addr, size_bytes, kind)
    ctx.routine, ctx.site = routine, site


@kernel
def external_access(ctx: Context, addr: u64, pc: u64, tag: u64, kind: u64) -> None:
    """__tsan_external_read, __tsan_external_write: eight bytes stand for the object."""
    before = ctx.routine
    if tag - 1 < u64(MAX_TAGS) - 1:
        ctx.routine = u32(TAG_ROUTINES + tag)
    race_access_slow(ctx, addr, 8, kind)
    ctx.routine = before


@kernel
def test_barrier_init(ctx: Context, barrier: u64, count: u32) -> None:
    """__tsan_testonly_barrier_init: {needed u16, arrived u16}, all the room that there is."""
    store_u32(barrier, u32(count & NEEDED))


@kernel
def test_barrier_wait(ctx: Context, barrier: u64) -> None:
    """__tsan_testonly_barrier_wait: all wait for the last, and nothing is ordered."""
    if take_resuming(ctx) == W_BARRIER or wants_switch(ctx, barrier, 0):
        return
    word = load_u32(barrier)
    arrived = (word >> ARRIVED) + 1
    if arrived < (word & NEEDED):
        store_u32(barrier, u32((arrived << ARRIVED) | (word & NEEDED)))
        block_current(ctx, W_BARRIER, barrier, 0)
        return
    store_u32(barrier, u32(word & NEEDED))
    wake_waiters(ctx, W_BARRIER, barrier, ALL)


@kernel
def check_no_mutexes_held(ctx: Context) -> None:
    """__tsan_check_no_mutexes_held: locks held here are reported; the call is made again then."""
    thread = thread_at(ctx.thread)
    if ctx.sanitize_thread == 0 or thread.n_held == 0:
        return
    if thread.wait.use_checked != 0:
        thread.wait.use_checked = 0
        return
    thread.wait.use_checked = 1
    number = u64(load_u32(held_base(thread)))
    report_fault(ctx, MUTEX_MISUSE, lock_numbered(number).address, 0, 0)
    ctx.fault[6] = W_HELD_WRONGLY
    ctx.fault[8] = number
    ctx.fault[9] = thread.held


@kernel
def shadow_stack_size(ctx: Context) -> u64:
    """__tsan_testonly_shadow_stack_current_size: calls in progress."""
    return callstack_depth(ctx)


@kernel
def nothing_to_flush(ctx: Context) -> None:
    """__tsan_flush_memory: irsan keeps its history, which loses nothing."""


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, is_hook=True)


def _accesses_with_pc() -> Iterator[Export]:
    for word, kind in (("read", 0), ("write", 1)):
        for size in SIZES:
            yield _hook(f"void __tsan_{word}{size}_pc(ptr,ptr)", "access_at_pc", size, kind)
        yield _hook(f"void __tsan_{word}_range_pc(ptr,u64,ptr)", "range_at_pc", kind)


EXPORTS = (
    *_accesses_with_pc(),
    _hook("void __tsan_external_read(ptr,ptr,ptr)", "external_access", 0),
    _hook("void __tsan_external_write(ptr,ptr,ptr)", "external_access", 1),
    _hook("void __tsan_acquire(ptr)", "t_acquire"),
    _hook("void __tsan_release(ptr)", "t_release"),
    _hook("void __tsan_testonly_barrier_init(ptr,u32)", "test_barrier_init"),
    _hook("void __tsan_testonly_barrier_wait(ptr)", "test_barrier_wait"),
    _hook("u64 __tsan_testonly_shadow_stack_current_size()", "shadow_stack_size"),
    Export("void __tsan_check_no_mutexes_held()", "check_no_mutexes_held"),
    _hook("void __tsan_flush_memory()", "nothing_to_flush"),
)
