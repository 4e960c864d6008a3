"""hard_rss_limit_mb, soft_rss_limit_mb, mmap_limit_mb: how much memory the program's run may take.

Sizes are looked at whenever some MB have been allocated.  Resident size counts against what the
process had before the program started: irsan's own code and tables do not count; mapped size is
that of the heap.  Beyond the soft limit allocations are refused until the size falls again; beyond
the others the run ends.

Source: LLVM's sanitizer_common (BackgroundThread, IncreaseTotalMmap) for what the limits do.
Deviation: there is no thread that looks every 100 ms, so memory that grows without the allocator
(mmap, stacks) is noticed at the next allocation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from irsan.reports.model.report import AllocationRequest, Finding, Stack
from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout.interface_words import (
    WATCH_RESIDENT,
)
from irsan.runtime.records.memory import heap_records as hr

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A limit that ends the run: the kind of its finding, the size and the limit in bytes."""

    kind: str
    limit_bytes: int
    used_bytes: int


class ResidentLimit:
    """The limits of one run."""

    def __init__(self, flags: Flags, resident_bytes: Callable[[], int] | None = None) -> None:
        """`resident_bytes` gives the size of the process; by default psutil does."""
        self._hard = flags.get_int("hard_rss_limit_mb") * _MIB
        self._soft = flags.get_int("soft_rss_limit_mb") * _MIB
        self._mapped = flags.get_int("mmap_limit_mb") * _MIB
        self._resident_bytes = resident_bytes or process_bytes
        self._at_start = 0

    def start(self, machine: Machine) -> None:
        """Begin to watch when there is a limit."""
        if self._hard or self._soft or self._mapped:
            self._at_start = self._resident_bytes()
            watch_allocations(machine)

    def measure(self, machine: Machine) -> Exceeded | None:
        """Look at the sizes: the limit that ends the run, if one does."""
        mapped = int(machine.ctx["heap"]["units"]) << hr.UNIT_BITS
        if self._mapped and mapped > self._mapped:
            return Exceeded("mmap-limit-exceeded", self._mapped, mapped)
        if not self._hard and not self._soft:
            return None
        grown = self._resident_bytes() - self._at_start
        is_soft = bool(self._soft) and grown > self._soft
        machine.ctx["interface"]["refused_limit_bytes"] = self._soft if is_soft else 0
        if self._hard and grown > self._hard:
            return Exceeded("rss-limit-exceeded", self._hard, grown)
        return None


def watch_allocations(machine: Machine) -> None:
    """Ask for an event when some MB have been allocated, the first time at once."""
    machine.ctx["interface"]["watches"] |= WATCH_RESIDENT
    machine.ctx["interface"]["budget_bytes"] = 1


def limit_finding(
    thread: str, stack: Stack, function: str, size_bytes: int, exceeded: Exceeded
) -> Finding:
    """The finding that ends a run beyond a limit."""
    return Finding(
        tool="AddressSanitizer",
        kind=exceeded.kind,
        thread=thread,
        stacks=(stack,),
        details=AllocationRequest(
            function,
            size_bytes,
            total_bytes=exceeded.used_bytes,
            limit_bytes=exceeded.limit_bytes,
        ),
        pc=stack.frames[0].pc if stack.frames else 0,
        fatal=True,
    )


def process_bytes() -> int:
    """Resident size of this process."""
    import psutil

    return int(psutil.Process().memory_info().rss)
