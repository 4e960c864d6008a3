"""Opening, copying and closing file descriptors: who may use which number, and what it leads to.

The rules are in kernels/race/descriptors.py; reading and writing are where their buffers are
checked: read_write.py, blocking.py, sendmsg_readv.py.
"""

from __future__ import annotations

from irsan.interceptors.files.own_descriptors import is_own_descriptor
from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.combined.timer_files import (
    timer_closed,
    timer_of,
    timer_opened,
    timerfd_created,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64
from irsan.runtime.kernels.race.descriptors import (
    descriptor_closed,
    descriptor_opened,
    descriptor_publishes,
    descriptor_replaced,
    descriptor_used,
    descriptor_watched,
    new_descriptor_clock,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.race import descriptor_records as dr

REMOVES = libc.constant("EPOLL_CTL_DEL")
EVENT_BYTES = libc.size("struct epoll_event")


@kernel
def two_opened(ctx: Context, status: i32, pair: u64) -> None:
    """pipe and pipe2: both ends share a clock."""
    if status != 0:
        return
    written(ctx, pair, 8)
    if ctx.action == actions.REPORT:
        return
    clock = new_descriptor_clock(ctx)
    descriptor_opened(ctx, i32(load_u32(pair)), clock)
    descriptor_opened(ctx, i32(load_u32(pair + 4)), clock)


@kernel
def opened_with_clock(ctx: Context, descriptor: i32) -> None:
    """eventfd and epoll_create."""
    if descriptor >= 0:
        descriptor_opened(ctx, descriptor, new_descriptor_clock(ctx))


@kernel
def opened_sharing(ctx: Context, descriptor: i32, clock: u64) -> None:
    """socket, and what has no clock (inotify_init)."""
    descriptor_opened(ctx, descriptor, clock)


@kernel
def signals_described(ctx: Context, descriptor: i32, _old: i32, mask: u64) -> None:
    """signalfd: a signal for one thread that all block waits in the kernel from now on."""
    if descriptor >= 0:
        ctx.signals.described = ctx.signals.described | load_u64(mask)
    descriptor_opened(ctx, descriptor, 0)


@kernel
def copied(ctx: Context, new: i32, old: i32) -> None:
    """dup."""
    if new >= 0:
        descriptor_replaced(ctx, old, new)
        if old != new and ctx.action == actions.NONE:
            timer_opened(ctx, new, timer_of(old))


@kernel
def timerfd_opened(ctx: Context, descriptor: i32, clock_id: i32) -> None:
    """timerfd_create, which has no clock of synchronisation."""
    if descriptor < 0:
        return
    descriptor_opened(ctx, descriptor, 0)
    if ctx.action == actions.NONE:
        timerfd_created(ctx, descriptor, clock_id)


@kernel
def i_close(ctx: Context, descriptor: i32) -> bool:
    """close, before it is done: a number is given away again at once."""
    if is_own_descriptor(ctx, descriptor):
        return False
    descriptor_closed(ctx, descriptor)
    if ctx.action == actions.NONE:
        timer_closed(ctx, descriptor)
    return True


@kernel
def watched(
    ctx: Context, status: i32, poller: i32, _how: i32, descriptor: i32, _event: u64
) -> None:
    """epoll_ctl: what happened before a change is known to whoever is woken by it."""
    if status != 0:
        return
    descriptor_used(ctx, descriptor)
    if ctx.action == actions.NONE:
        descriptor_watched(ctx, descriptor, poller)
        descriptor_publishes(ctx, poller)


@kernel
def ask_watched(ctx: Context, _poller: i32, how: i32, _descriptor: i32, event: u64) -> None:
    """Before epoll_ctl; what comes along with an event is the program's own."""
    read(ctx, event, EVENT_BYTES)
    if how != REMOVES:
        used(ctx, event, 4)


EXPORTS = (
    *(
        Export(f"i32 {prototype}", kernel="two_opened", real_first=True, takes=(0,))
        for prototype in ("pipe(ptr)", "pipe2(ptr,i32)")
    ),
    *(
        Export(f"i32 {prototype}", kernel="opened_with_clock", real_first=True)
        for prototype in ("eventfd(u32,i32)", "epoll_create(i32)", "epoll_create1(i32)")
    ),
    Export("i32 socket(i32,i32,i32)", kernel="opened_sharing", real_first=True, takes=(),
           constants=(dr.SOCKET_CLOCK,)),
    Export("i32 signalfd(i32,ptr,i32)", kernel="signals_described", real_first=True),
    *(
        Export(f"i32 {prototype}", kernel="opened_sharing", real_first=True, takes=(),
               constants=(0,))
        for prototype in ("inotify_init()", "inotify_init1(i32)")
    ),
    Export("i32 timerfd_create(i32,i32)", kernel="timerfd_opened", real_first=True),
    *(
        Export(f"i32 {prototype}", kernel="opened_sharing", real_first=True, before="ask_path",
               takes=(), constants=(dr.FILE_CLOCK,), instead=instead)
        for prototype, instead in (
            ("open(ptr,i32,i32)", "open_file"), ("open64(ptr,i32,i32)", "open_file"),
            ("creat(ptr,i32)", ""),
        )
    ),
    Export("i32 dup(i32)", kernel="copied", real_first=True, takes=(0,)),
    Export("i32 close(i32)", kernel="i_close", then_real=True),
    Export("i32 epoll_ctl(i32,i32,i32,ptr)", kernel="watched", real_first=True,
           before="ask_watched"),
)  # fmt: skip
