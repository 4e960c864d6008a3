"""Opening, copying and closing file descriptors: who may use which number, and what it leads to.

The rules are in kernels/race/descriptors.py; reading and writing are where their buffers are
checked: read_write.py, blocking.py, sendmsg_readv.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.race.descriptors import (
    descriptor_closed,
    descriptor_opened,
    descriptor_publishes,
    descriptor_replaced,
    descriptor_used,
    descriptor_watched,
    new_descriptor_clock,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records import descriptor_records as dr

I32_0 = np.int32(0)
I32_REMOVES = np.int32(libc.constant("EPOLL_CTL_DEL"))
U64_0 = np.uint64(0)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
EVENT_BYTES = np.uint64(libc.size("struct epoll_event"))
SOCKET_CLOCK = np.uint64(dr.SOCKET_CLOCK)


@kernel("void(ctx,i32,u64)")
def two_opened(ctx: Any, status: Any, pair: Any) -> None:
    """pipe and pipe2: both ends share a clock."""
    if status != I32_0:
        return
    written(ctx, pair, U64_8)
    if ctx.action == actions.REPORT:
        return
    clock = new_descriptor_clock(ctx)
    descriptor_opened(ctx, np.int32(load_u32(pair)), clock)
    descriptor_opened(ctx, np.int32(load_u32(pair + U64_4)), clock)


@kernel("void(ctx,i32)")
def opened_with_clock(ctx: Any, descriptor: Any) -> None:
    """eventfd and epoll_create."""
    if descriptor >= I32_0:
        descriptor_opened(ctx, descriptor, new_descriptor_clock(ctx))


@kernel("void(ctx,i32,u64)")
def opened_sharing(ctx: Any, descriptor: Any, clock: Any) -> None:
    """socket, and what has no clock (signalfd, inotify_init)."""
    descriptor_opened(ctx, descriptor, clock)


@kernel("void(ctx,i32,i32)")
def copied(ctx: Any, new: Any, old: Any) -> None:
    """dup."""
    if new >= I32_0:
        descriptor_replaced(ctx, old, new)
        if old != new and ctx.action == actions.NONE:
            timer_opened(ctx, new, timer_of(old))


@kernel("void(ctx,i32,i32)")
def timerfd_opened(ctx: Any, descriptor: Any, clock_id: Any) -> None:
    """timerfd_create, which has no clock of synchronisation."""
    if descriptor < I32_0:
        return
    descriptor_opened(ctx, descriptor, U64_0)
    if ctx.action == actions.NONE:
        timerfd_created(ctx, descriptor, clock_id)


@kernel("b1(ctx,i32)")
def i_close(ctx: Any, descriptor: Any) -> Any:
    """close, before it is done: a number is given away again at once."""
    if is_own_descriptor(ctx, descriptor):
        return False
    descriptor_closed(ctx, descriptor)
    if ctx.action == actions.NONE:
        timer_closed(ctx, descriptor)
    return True


@kernel("void(ctx,i32,i32,i32,i32,u64)")
def watched(
    ctx: Any, status: Any, poller: Any, _how: Any, descriptor: Any, _event: Any
) -> None:
    """epoll_ctl: what happened before a change is known to whoever is woken by it."""
    if status != I32_0:
        return
    descriptor_used(ctx, descriptor)
    if ctx.action == actions.NONE:
        descriptor_watched(ctx, descriptor, poller)
        descriptor_publishes(ctx, poller)


@kernel("void(ctx,i32,i32,i32,u64)")
def ask_watched(ctx: Any, _poller: Any, how: Any, _descriptor: Any, event: Any) -> None:
    """Before epoll_ctl; what comes along with an event is the program's own."""
    read(ctx, event, EVENT_BYTES)
    if how != I32_REMOVES:
        used(ctx, event, U64_4)


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
    *(
        Export(f"i32 {prototype}", kernel="opened_sharing", real_first=True, takes=(),
               constants=(0,))
        for prototype in ("signalfd(i32,ptr,i32)", "inotify_init()", "inotify_init1(i32)")
    ),
    Export("i32 timerfd_create(i32,i32)", kernel="timerfd_opened", real_first=True),
    *(
        Export(f"i32 {prototype}", kernel="opened_sharing", real_first=True, before="ask_path",
               takes=(), constants=(dr.FILE_CLOCK,))
        for prototype in ("open(ptr,i32,i32)", "open64(ptr,i32,i32)", "creat(ptr,i32)")
    ),
    Export("i32 dup(i32)", kernel="copied", real_first=True, takes=(0,)),
    Export("i32 close(i32)", kernel="i_close", then_real=True),
    Export("i32 epoll_ctl(i32,i32,i32,ptr)", kernel="watched", real_first=True,
           before="ask_watched"),
)  # fmt: skip
