"""heap_profile=1: which allocation stacks hold the heap, again whenever it has grown by a tenth.

    HEAP PROFILE at RSS 120Mb
    Live Heap Allocations: 13000000 bytes in 1 chunks; showing top 90% (at most 20 unique contexts)
    13000000 byte(s) (100%) in 1 allocation(s)
        #0 ...

Source: LLVM's sanitizer_common (BackgroundThread) and asan_memory_profile.cpp.
Deviation: what counts is the growth of live blocks, seen when they are allocated, not that of the
resident size, seen by a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from irsan.engine.findings.resident_limit import process_bytes
from irsan.engine.reporting.report_extras import memory_profile
from irsan.reports.model.report import Frame, Stack
from irsan.reports.text.frames import format_memory_stack
from irsan.reports.text.style import TextStyle

_GROWTH_PERCENT: Final = 10
_TOP_PERCENT: Final = 90
_MAX_CONTEXTS: Final = 20


class HeapProfile:
    """When the next profile is due; `is_wanted`: whether there are any."""

    def __init__(self, *, is_wanted: bool) -> None:
        self.is_wanted = is_wanted
        self._told_bytes = 0

    def is_due(self, ctx: Any) -> bool:
        """Whether the heap has grown by a tenth since the last profile."""
        live = int(ctx["heap"]["live_bytes"])
        if not self.is_wanted or live * 100 <= self._told_bytes * (100 + _GROWTH_PERCENT):
            return False
        self._told_bytes = live
        return True


def heap_profile_lines(
    ctx: Any, stack_to_frames: Callable[[int], tuple[Frame, ...]], style: TextStyle
) -> list[str]:
    """The whole profile, a blank line at its end."""
    headline = f"HEAP PROFILE at RSS {process_bytes() >> 20}Mb"
    rows = profile_rows(ctx, _TOP_PERCENT, _MAX_CONTEXTS, stack_to_frames, style)
    return [headline, *rows, ""]


def profile_rows(
    ctx: Any,
    top_percent: int,
    max_contexts: int,
    stack_to_frames: Callable[[int], tuple[Frame, ...]],
    style: TextStyle,
) -> Iterator[str]:
    """Lines of the allocation stacks that hold the most live bytes."""
    for line, stack_id in memory_profile(ctx, top_percent, max_contexts):
        yield line
        if stack_id:
            yield from format_memory_stack(
                Stack("allocation", "T0", stack_to_frames(stack_id)), style
            )
