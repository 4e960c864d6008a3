"""Further words of `ctx.interface`, for what few kernels look at.

    [9..16] the program's __sanitizer_weak_hook_*, 0 for those it does not define
    [17]    1 when handle_ioctl is on
"""

from __future__ import annotations

from typing import Final

HOOKED: Final = (
    "memcmp", "strncmp", "strncasecmp", "memmem", "strcmp", "strcasecmp", "strstr", "strcasestr",
)  # fmt: skip
FIRST_HOOK: Final = 9
CHECKS_IOCTL: Final = FIRST_HOOK + len(HOOKED)


def hook_symbol(name: str) -> str:
    """What the program defines to be told of the calls of a library function."""
    return f"__sanitizer_weak_hook_{name}"
