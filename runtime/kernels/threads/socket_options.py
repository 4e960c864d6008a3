"""What the system says of a socket: its kind, its low-water mark, how long a call on it may wait.

SO_RCVTIMEO and SO_SNDTIMEO are spans of virtual time here.  No option is asked twice while a call
waits: when the call ends is kept in the thread's retry_count.

    NOT_ASKED   nobody has looked yet      0   never      else a virtual time

Sources: socket(7), getsockopt(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_function, store_u32, store_u64
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.layout import libc_layout as libc

U64_0 = np.uint64(0)
U64_8 = np.uint64(8)
NS_PER_S = np.uint64(1_000_000_000)
NS_PER_US = np.uint64(1000)
NOT_ASKED = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
SOL_SOCKET = np.uint64(libc.constant("SOL_SOCKET"))
SO_TYPE = np.uint64(libc.constant("SO_TYPE"))
SO_RCVTIMEO = np.uint64(libc.constant("SO_RCVTIMEO"))
SO_SNDTIMEO = np.uint64(libc.constant("SO_SNDTIMEO"))
OPTION = np.uint64(FD_SETS + np.uint64(256))  # 16 bytes, then the room that they are
OPTION_SIZE = np.uint64(OPTION + np.uint64(16))
OPTION_ROOM = np.uint32(libc.size("struct timeval"))

real_getsockopt = real_function("getsockopt", 5)


@kernel("void(ctx,i32,u64)")
def ask_option(ctx: Any, socket: Any, name: Any) -> None:
    """Put an option of a socket at OPTION, zeros for what has none; errno stays."""
    errno = load_u32(ctx.errno_addr)
    store_u64(OPTION, U64_0)
    store_u64(OPTION + U64_8, U64_0)
    store_u32(OPTION_SIZE, OPTION_ROOM)
    real_getsockopt(np.uint64(socket), SOL_SOCKET, name, OPTION, OPTION_SIZE)
    store_u32(ctx.errno_addr, errno)


@kernel("u64(ctx,i32,u64)", outlined=True)
def socket_number(ctx: Any, socket: Any, name: Any) -> Any:
    """An option that is a number; 0 for what is no socket."""
    ask_option(ctx, socket, name)
    return np.uint64(load_u32(OPTION))


@kernel("b1(ctx,i32)")
def is_socket(ctx: Any, descriptor: Any) -> Any:
    """Whether a descriptor is a socket."""
    return socket_number(ctx, descriptor, SO_TYPE) != U64_0


@kernel("u64(ctx,i32,u64)", outlined=True)
def call_deadline_ns(ctx: Any, socket: Any, name: Any) -> Any:
    """Virtual time at which a call that begins to wait now, or waits already, gives up; 0: never.

    name: SO_RCVTIMEO or SO_SNDTIMEO
    """
    thread = thread_at(ctx.thread)
    if thread.retry_count == NOT_ASKED:
        ask_option(ctx, socket, name)
        span_ns = load_u64(OPTION) * NS_PER_S + load_u64(OPTION + U64_8) * NS_PER_US
        thread.retry_count = U64_0
        if span_ns != U64_0:
            thread.retry_count = time_after_ns(ctx, span_ns)
    return thread.retry_count
