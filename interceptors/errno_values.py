"""errno values of Linux that interceptors return, and setting errno."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.layout import libc_layout as libc

EPERM: Final = np.int32(libc.constant("EPERM"))
ESRCH: Final = np.int32(libc.constant("ESRCH"))
EINTR: Final = np.int32(libc.constant("EINTR"))
EAGAIN: Final = np.int32(libc.constant("EAGAIN"))
EBUSY: Final = np.int32(libc.constant("EBUSY"))
EINVAL: Final = np.int32(libc.constant("EINVAL"))
ERANGE: Final = np.int32(libc.constant("ERANGE"))
EDEADLK: Final = np.int32(libc.constant("EDEADLK"))
EOVERFLOW: Final = np.int32(libc.constant("EOVERFLOW"))
ETIMEDOUT: Final = np.int32(libc.constant("ETIMEDOUT"))
EOWNERDEAD: Final = np.int32(libc.constant("EOWNERDEAD"))
ENOTRECOVERABLE: Final = np.int32(libc.constant("ENOTRECOVERABLE"))
OK: Final = np.int32(0)


@kernel("i32(ctx,i32)")
def fail_with_errno(ctx: Any, status: Any) -> Any:
    """Set errno and return -1 for a non-zero status."""
    if status == OK:
        return OK
    store_u32(ctx.errno_addr, np.uint32(status))
    return np.int32(-1)
