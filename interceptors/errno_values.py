"""errno values of Linux that interceptors return, and setting errno."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32

EPERM: Final = np.int32(1)
ESRCH: Final = np.int32(3)
EINTR: Final = np.int32(4)
EAGAIN: Final = np.int32(11)
EBUSY: Final = np.int32(16)
EINVAL: Final = np.int32(22)
ERANGE: Final = np.int32(34)
EDEADLK: Final = np.int32(35)
EOVERFLOW: Final = np.int32(75)
ETIMEDOUT: Final = np.int32(110)
EOWNERDEAD: Final = np.int32(130)
ENOTRECOVERABLE: Final = np.int32(131)
OK: Final = np.int32(0)


@kernel("i32(ctx,i32)")
def fail_with_errno(ctx: Any, status: Any) -> Any:
    """Set errno and return -1 for a non-zero status."""
    if status == OK:
        return OK
    store_u32(ctx.errno_addr, np.uint32(status))
    return np.int32(-1)
