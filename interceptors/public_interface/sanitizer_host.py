"""The public interface of the sanitizers that speaks: stacks, reports, places; served by Python.

    __sanitizer_print_stack_trace()         the calls in progress, to where reports go
    __sanitizer_set_report_path(path)       reports go to path.PID from now on
    __asan_describe_address(p)              what lies at p, to where reports go
    __asan_locate_address(p, ...)           the same as data
    __asan_get_report_address(), others     facts of the newest finding
    __asan_set_death_callback(f)            callbacks and malloc hooks: guest_callbacks.py
    __sanitizer_symbolize_pc(pc, ...)       names of places: run_symbols.py

The work is done by `machine.interface` (engine/run/run_interface.py) and its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from irsan.interceptors.registry import Export

Routine = Callable[[Any, Sequence[int]], int]

_FACTS = {
    "i32 __asan_report_present()": "present",
    "ptr __asan_get_report_pc()": "pc",
    "ptr __asan_get_report_bp()": "bp",
    "ptr __asan_get_report_sp()": "sp",
    "ptr __asan_get_report_address()": "address",
    "i32 __asan_get_report_access_type()": "is_write",
    "u64 __asan_get_report_access_size()": "size_bytes",
    "ptr __asan_get_report_description()": "description",
}

_SPOKEN = (
    Export("void __sanitizer_print_stack_trace()", host="print_stack_trace"),
    Export("void __sanitizer_report_error_summary(ptr)", host="report_error_summary"),
    Export("void __sanitizer_set_report_path(ptr)", host="set_report_path"),
    Export("void __sanitizer_set_report_fd(ptr)", host="set_report_fd"),
    Export("ptr __sanitizer_get_report_path()", host="get_report_path"),
    Export("void __asan_describe_address(ptr)", host="describe_address"),
    Export("ptr __asan_locate_address(ptr,ptr,u64,ptr,ptr)", host="locate_address"),
    Export("u64 __asan_get_alloc_stack(ptr,ptr,u64,ptr)", host="get_alloc_stack"),
    Export("u64 __asan_get_free_stack(ptr,ptr,u64,ptr)", host="get_free_stack"),
    Export("void __asan_print_accumulated_stats()", host="print_statistics"),
    Export("void __sanitizer_print_memory_profile(u64,u64)", host="print_memory_profile"),
    Export("void AnnotateBenignRace(ptr,i32,ptr,ptr)", host="expected.benign_race"),
    Export("void AnnotateBenignRaceSized(ptr,i32,ptr,u64,ptr)", host="expected.benign_range"),
    Export("void WTFAnnotateBenignRaceSized(ptr,i32,ptr,u64,ptr)", host="expected.benign_range"),
    Export("void AnnotateExpectRace(ptr,i32,ptr,ptr)", host="expected.expect_race"),
    Export("void AnnotateFlushExpectedRaces(ptr,i32)", host="expected.flush_expected"),
    Export("i32 __tsan_java_fini()", host="java_fini"),
    Export("ptr __tsan_external_register_tag(ptr)", host="tags.register_tag"),
    Export("void __tsan_external_register_header(ptr,ptr)", host="tags.register_header"),
    Export("void __tsan_external_assign_tag(ptr,ptr)", host="tags.assign_tag"),
    Export("void __irsan_add_external_frame(ptr,ptr,ptr,i32,i32)",
           host="external_code.add_frame"),
    Export("ptr ThreadSanitizerQuery(ptr)", host="expected.query"),
    Export("void __asan_set_error_report_callback(ptr)",
           host="callbacks.set_error_report_callback"),
    Export("void __asan_set_death_callback(ptr)", host="callbacks.set_death_callback"),
    Export("void __sanitizer_set_death_callback(ptr)", host="callbacks.set_death_callback"),
    Export("void __msan_set_death_callback(ptr)", host="callbacks.set_death_callback"),
    Export("void __msan_print_shadow(ptr,u64)", host="shadow_text.print_shadow"),
    Export("void __msan_dump_shadow(ptr,u64)", host="shadow_text.dump_shadow"),
    Export("void __msan_set_keep_going(i32)", host="shadow_text.set_keep_going"),
    Export("i32 __sanitizer_install_malloc_and_free_hooks(ptr,ptr)",
           host="callbacks.install_hooks"),
    Export("ptr __sanitizer_return_address()", host="symbols.return_address"),
    Export("void __sanitizer_symbolize_pc(ptr,ptr,ptr,u64)", host="symbols.symbolize_pc"),
    Export("void __sanitizer_symbolize_global(ptr,ptr,ptr,u64)", host="symbols.symbolize_global"),
    Export("i32 __sanitizer_get_module_and_offset_for_pc(ptr,ptr,u64,ptr)",
           host="symbols.module_and_offset"),
)  # fmt: skip


def served(name: str, machine: Any, arguments: Sequence[int]) -> int:
    """Let the run's interface do it; methods that return nothing give 0."""
    return attrgetter(name)(machine.interface)(machine, arguments) or 0


def _fact(name: str, machine: Any, _arguments: Sequence[int]) -> int:
    return int(machine.interface.report_fact(machine, name))


EXPORTS = (
    *_SPOKEN,
    *(Export(prototype, host=f"report_{fact}") for prototype, fact in _FACTS.items()),
)
ROUTINES: dict[str, Routine] = {
    **{export.host: partial(served, export.host) for export in _SPOKEN},
    **{f"report_{fact}": partial(_fact, fact) for fact in _FACTS.values()},
}
