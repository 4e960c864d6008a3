"""Hints to the system about pages: they change the speed of a run, and nothing else if refused.

    huge     2 MiB are made at the first touch, where 4 KiB would be, if the system has them
    present  all pages are made now, by one call instead of a fault for each

Old systems refuse either; the guest does not see that in its errno.

Source: madvise(2), MADV_HUGEPAGE and MADV_POPULATE_WRITE (Linux 5.14).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_madvise, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

HUGE = 14
PRESENT = 23


@kernel(outlined=True)
def hint_pages(ctx: Context, lo: u64, size_bytes: u64, hint: u64) -> None:
    """Tell the system what comes to the pages of [lo, lo + size).

    lo  a multiple of 4096;  hint  HUGE or PRESENT
    """
    errno_addr = ctx.c_library.errno_addr
    if errno_addr == 0:
        real_madvise(lo, size_bytes, hint)
        return
    errno = load_u32(errno_addr)
    real_madvise(lo, size_bytes, hint)
    store_u32(errno_addr, errno)
