"""A switch of threads: the running thread's hot words go to its record, another's come from there.

With them go the thread-locals of the host and of the libraries, which the program's code uses
directly.  The stack pointer is the glue's (threads.ll).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, store_u8, store_u32
from irsan.runtime.kernels.race.clocks.generations import note_reader
from irsan.runtime.kernels.race.ignoring import set_ignored
from irsan.runtime.kernels.race.past_of_threads import watch_past
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.library_tls import load_library_tls, save_library_tls
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import THREAD_DTYPE

HOST_TLS_OFFSET = field_offset(THREAD_DTYPE, "host_tls")


@kernel(inlined=True)
def _copy_bytes(source: u64, target: u64, n: u64) -> None:
    i = u64(0)
    while i + 4 <= n:
        store_u32(target + i, load_u32(source + i))
        i = i + 4
    while i < n:
        store_u8(target + i, load_u8(source + i))
        i = i + 1


@kernel(inlined=True)
def save_thread(ctx: Context, thread_addr: u64) -> None:
    """Copy the running thread's hot words from the Context to its record."""
    thread = thread_at(thread_addr)
    thread.epoch = u64(ctx.epoch)
    thread.vc = ctx.vc
    thread.frame_top = ctx.frame_top
    thread.frame_limit = ctx.frame_limit
    thread.site = u64(ctx.site)
    thread.ignore_depth = ctx.ignore_depth
    thread.tls = ctx.tls
    saved = addr_of(thread) + HOST_TLS_OFFSET
    i = u64(0)
    while i < ctx.thread_locals.n_ranges:
        _copy_bytes(ctx.thread_locals.ranges[i * 2], saved, ctx.thread_locals.ranges[i * 2 + 1])
        saved = saved + ctx.thread_locals.ranges[i * 2 + 1]
        i = i + 1
    save_library_tls(ctx, thread.slot)


@kernel(inlined=True)
def load_thread(ctx: Context, thread_addr: u64) -> None:
    """Make a thread the running one: its hot words go to the Context."""
    thread = thread_at(thread_addr)
    ctx.thread = thread_addr
    ctx.epoch = u32(thread.epoch)
    note_reader(ctx)
    ctx.vc = thread.vc
    ctx.frame_top = thread.frame_top
    ctx.frame_limit = thread.frame_limit
    ctx.site = u32(thread.site)
    set_ignored(ctx, thread.ignore_depth)
    ctx.tls = thread.tls
    saved = addr_of(thread) + HOST_TLS_OFFSET
    i = u64(0)
    while i < ctx.thread_locals.n_ranges:
        _copy_bytes(saved, ctx.thread_locals.ranges[i * 2], ctx.thread_locals.ranges[i * 2 + 1])
        saved = saved + ctx.thread_locals.ranges[i * 2 + 1]
        i = i + 1
    load_library_tls(ctx, thread.slot)
    watch_past(ctx)


@kernel(inlined=True)
def switch_threads(ctx: Context, next_addr: u64) -> u64:
    """Save the running thread, load another; returns the record address of the old one."""
    previous = ctx.thread
    save_thread(ctx, previous)
    load_thread(ctx, next_addr)
    ctx.schedule.n_switches = ctx.schedule.n_switches + 1
    return previous
