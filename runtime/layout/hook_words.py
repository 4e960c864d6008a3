"""Functions of the program that the glue calls: weak_hooks, wait_begins of `ctx.interface`."""

from __future__ import annotations

from typing import Final

#: functions of the C library with a hook each
HOOKED: Final = (
    "memcmp", "strncmp", "strncasecmp", "memmem", "strcmp", "strcasecmp", "strstr", "strcasestr",
)  # fmt: skip
#: field of `ctx.interface` -> symbol: __tsan::OnPotentiallyBlockingRegionBegin() and ...End()
WAIT_SYMBOLS: Final = {
    "wait_begins": "_ZN6__tsan32OnPotentiallyBlockingRegionBeginEv",
    "wait_ends": "_ZN6__tsan30OnPotentiallyBlockingRegionEndEv",
}


def hook_symbol(name: str) -> str:
    """What the program defines to learn of the calls of a library function."""
    return f"__sanitizer_weak_hook_{name}"
