"""Gaps of the arena, whose shadow is filled by the fault handlers when it is looked at.

    a check reads the shadow of a gap    SIGSEGV; the page is opened and filled with fe; once more
    of what is not in the arena          the same for 32 KiB at once
    of an address that nothing can have  runtime/kernels/checks/shadow_reads.py

The handlers' part is in templates/signals/crash.ll; which ranges are gaps: arena_gaps.py.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout.shadow_bytes import OUTER_BYTES

__all__ = ["OUTER_BYTES", "PAGE_BYTES"]
PAGE_BYTES: Final = 4096
