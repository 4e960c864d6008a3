"""ThreadSanitizer's queries of a report while it is delivered, and of places; served by Python.

    __tsan_on_report(report)             defined by the program: called behind each report
    __tsan_get_current_report()          the same report, null when none is being delivered
    __tsan_get_report_data(report, ...)  kind and counts; stack, mop, loc, mutex, thread by index
    __tsan_locate_address(p, ...)        heap, stack, tls or global; its region
    __tsan_get_alloc_stack(p, ...)       where the block around p was allocated

The work is done by engine/findings/races/race_reports.py.

Source: ThreadSanitizer's tsan_debugging.cpp names the functions; sanitizer/tsan_interface.h.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from irsan.interceptors.public_interface.sanitizer_host import served
from irsan.interceptors.registry import Export

_STEM = "race_reports."

EXPORTS = (
    Export("ptr __tsan_get_current_report()", host=_STEM + "current"),
    Export("i32 __tsan_get_report_data(ptr,ptr,ptr,ptr,ptr,ptr,ptr,ptr,ptr,ptr,u64)",
           host=_STEM + "data"),
    Export("i32 __tsan_get_report_tag(ptr,ptr)", host=_STEM + "tag"),
    Export("i32 __tsan_get_report_stack(ptr,u64,ptr,u64)", host=_STEM + "stack"),
    Export("i32 __tsan_get_report_mop(ptr,u64,ptr,ptr,ptr,ptr,ptr,ptr,u64)", host=_STEM + "access"),
    Export("i32 __tsan_get_report_loc(ptr,u64,ptr,ptr,ptr,ptr,ptr,ptr,ptr,ptr,u64)",
           host=_STEM + "location"),
    Export("i32 __tsan_get_report_loc_object_type(ptr,u64,ptr)", host=_STEM + "object_type"),
    Export("i32 __tsan_get_report_mutex(ptr,u64,ptr,ptr,ptr,ptr,u64)", host=_STEM + "mutex"),
    Export("i32 __tsan_get_report_thread(ptr,u64,ptr,ptr,ptr,ptr,ptr,ptr,u64)",
           host=_STEM + "thread"),
    Export("i32 __tsan_get_report_unique_tid(ptr,u64,ptr)", host=_STEM + "unique_tid"),
    Export("ptr __tsan_locate_address(ptr,ptr,u64,ptr,ptr)", host="race_locate_address"),
    Export("i32 __tsan_get_alloc_stack(ptr,ptr,u64,ptr,ptr)", host="race_alloc_stack"),
)  # fmt: skip
ROUTINES: dict[str, Callable[[Any, Sequence[int]], int]] = {
    export.host: partial(served, export.host) for export in EXPORTS
}
