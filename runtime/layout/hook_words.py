"""Further words of `ctx.interface`, for what few kernels look at.

    [9..16] the program's __sanitizer_weak_hook_*, 0 for those it does not define
    [17]    1 when handle_ioctl is on
    [18] [19] the program's functions around what may wait for another thread's initialisation
"""

from __future__ import annotations

from typing import Final

HOOKED: Final = (
    "memcmp", "strncmp", "strncasecmp", "memmem", "strcmp", "strcasecmp", "strstr", "strcasestr",
)  # fmt: skip
FIRST_HOOK: Final = 9
CHECKS_IOCTL: Final = FIRST_HOOK + len(HOOKED)
WAIT_BEGINS: Final = CHECKS_IOCTL + 1
WAIT_ENDS: Final = CHECKS_IOCTL + 2
# __tsan::OnPotentiallyBlockingRegionBegin() and ...End()
WAIT_SYMBOLS: Final = {
    WAIT_BEGINS: "_ZN6__tsan32OnPotentiallyBlockingRegionBeginEv",
    WAIT_ENDS: "_ZN6__tsan30OnPotentiallyBlockingRegionEndEv",
}


def hook_symbol(name: str) -> str:
    """What the program defines to learn of the calls of a library function."""
    return f"__sanitizer_weak_hook_{name}"
