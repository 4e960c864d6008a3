"""What the system says of a socket: its kind, its low-water mark, how long a call on it may wait.

SO_RCVTIMEO and SO_SNDTIMEO are spans of virtual time here.  No option is asked twice while a call
waits: when the call ends is kept in the thread's retry_count.

    NOT_ASKED   not looked up yet          0   never      else a virtual time

Sources: socket(7), getsockopt(2).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_function, store_u32, store_u64
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.layout import libc_layout as libc

NS_PER_S = 1_000_000_000
NS_PER_US = 1000
NOT_ASKED = 0xFFFF_FFFF_FFFF_FFFF
SOL_SOCKET = libc.constant("SOL_SOCKET")
SO_TYPE = libc.constant("SO_TYPE")
SO_RCVTIMEO = libc.constant("SO_RCVTIMEO")
SO_SNDTIMEO = libc.constant("SO_SNDTIMEO")
OPTION = FD_SETS + 256  # 16 bytes, then the room that they are
OPTION_SIZE = OPTION + 16
OPTION_ROOM = libc.size("struct timeval")

real_getsockopt = real_function("getsockopt", 5)


@kernel
def ask_option(ctx: Context, socket: i32, name: u64) -> None:
    """Put an option of a socket at OPTION, zeros for what has none; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    store_u64(OPTION, 0)
    store_u64(OPTION + 8, 0)
    store_u32(OPTION_SIZE, OPTION_ROOM)
    real_getsockopt(u64(socket), SOL_SOCKET, name, OPTION, OPTION_SIZE)
    store_u32(ctx.c_library.errno_addr, errno)


@kernel(outlined=True)
def socket_number(ctx: Context, socket: i32, name: u64) -> u64:
    """An option that is a number; 0 for any other descriptor."""
    ask_option(ctx, socket, name)
    return u64(load_u32(OPTION))


@kernel
def is_socket(ctx: Context, descriptor: i32) -> bool:
    """Whether a descriptor is a socket."""
    return socket_number(ctx, descriptor, SO_TYPE) != 0


@kernel(outlined=True)
def call_deadline_ns(ctx: Context, socket: i32, name: u64) -> u64:
    """Virtual time at which a call that begins to wait now, or waits already, gives up; 0: never.

    name: SO_RCVTIMEO or SO_SNDTIMEO
    """
    thread = thread_at(ctx.thread)
    if thread.wait.retry_count == NOT_ASKED:
        ask_option(ctx, socket, name)
        span_ns = load_u64(OPTION) * NS_PER_S + load_u64(OPTION + 8) * NS_PER_US
        thread.wait.retry_count = 0
        if span_ns != 0:
            thread.wait.retry_count = time_after_ns(ctx, span_ns)
    return thread.wait.retry_count
