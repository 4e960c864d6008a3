"""hard_rss_limit_mb and soft_rss_limit_mb: how much real memory the program's run may add.

The resident size is looked at whenever some MB have been allocated, against what the process had
before the program started: irsan's own code and tables do not count.  Beyond the soft limit
allocations are refused until the size falls again; beyond the hard one the run ends.

Source: LLVM's sanitizer_common (BackgroundThread) for what the limits do.
Deviation: there is no thread that looks every 100 ms, so memory that grows without the allocator
(mmap, stacks) is noticed at the next allocation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from irsan.reports.model import AllocationRequest, Finding, Stack
from irsan.runtime.flags import Flags
from irsan.runtime.interface_words import (
    BUDGET_BYTES,
    REFUSED_LIMIT_BYTES,
    WATCH_RESIDENT,
    WATCHES,
)

if TYPE_CHECKING:
    from irsan.engine.jit.machine import Machine

_MIB: Final = 1 << 20


class ResidentLimit:
    """The limits of one run."""

    def __init__(self, flags: Flags, resident_bytes: Callable[[], int] | None = None) -> None:
        """`resident_bytes` tells the size of the process; by default psutil does."""
        self._hard = flags.get_int("hard_rss_limit_mb") * _MIB
        self._soft = flags.get_int("soft_rss_limit_mb") * _MIB
        self._resident_bytes = resident_bytes or _process_bytes
        self._at_start = 0

    def start(self, machine: Machine) -> None:
        """Begin to watch when there is a limit."""
        if not self._hard and not self._soft:
            return
        self._at_start = self._resident_bytes()
        machine.ctx["interface"][WATCHES] |= WATCH_RESIDENT
        machine.ctx["interface"][BUDGET_BYTES] = 1

    def measure(self, machine: Machine) -> int:
        """Look at the size; returns the hard limit in bytes when it is exceeded, else 0."""
        grown = self._resident_bytes() - self._at_start
        is_soft = bool(self._soft) and grown > self._soft
        machine.ctx["interface"][REFUSED_LIMIT_BYTES] = self._soft if is_soft else 0
        return self._hard if self._hard and grown > self._hard else 0


def hard_limit_finding(
    thread: str, stack: Stack, function: str, size_bytes: int, limit: int
) -> Finding:
    """The finding that ends a run beyond the hard limit."""
    return Finding(
        tool="AddressSanitizer",
        kind="rss-limit-exceeded",
        thread=thread,
        stacks=(stack,),
        details=AllocationRequest(function, size_bytes, limit_bytes=limit),
        pc=stack.frames[0].pc if stack.frames else 0,
        hints=(f"hard rss limit exhausted (hard_rss_limit_mb={limit // _MIB})",),
        fatal=True,
    )


def _process_bytes() -> int:
    import psutil

    return int(psutil.Process().memory_info().rss)
