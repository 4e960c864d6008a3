"""errno values of Linux that interceptors return, and setting errno."""

from __future__ import annotations

from typing import Final

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32
from irsan.runtime.layout import libc_layout as libc

EPERM: Final = libc.constant("EPERM")
ESRCH: Final = libc.constant("ESRCH")
EINTR: Final = libc.constant("EINTR")
EAGAIN: Final = libc.constant("EAGAIN")
EBUSY: Final = libc.constant("EBUSY")
EINVAL: Final = libc.constant("EINVAL")
ERANGE: Final = libc.constant("ERANGE")
EDEADLK: Final = libc.constant("EDEADLK")
EOVERFLOW: Final = libc.constant("EOVERFLOW")
ETIMEDOUT: Final = libc.constant("ETIMEDOUT")
EOWNERDEAD: Final = libc.constant("EOWNERDEAD")
ENOTRECOVERABLE: Final = libc.constant("ENOTRECOVERABLE")
OK: Final = 0


@kernel
def fail_with_errno(ctx: Context, status: i32) -> i32:
    """Set errno and return -1 for a non-zero status."""
    if status == OK:
        return OK
    store_u32(ctx.c_library.errno_addr, u32(status))
    return i32(-1)
