"""What code with `-fsanitize=undefined` calls when a check fails: `__ubsan_handle_*`.

    __ubsan_handle_add_overflow(record, left, right)     reported once, the program goes on
    __ubsan_handle_add_overflow_abort(...)               reported, and the program ends
    __ubsan_handle_add_overflow_minimal()                the minimal run-time's: no facts
    __ubsan_get_current_report_data(...)                 asked by the program's __ubsan_on_report

The record's place says whether it was reported: then its column is all ones, and the glue does not
ask (`Export.told_at`), since a loop may fail the same check a million times.

The work is done by engine/findings/undefined_reports.py.

Source: compiler-rt's ubsan_handlers.h, ubsan_handlers_cxx.h and ubsan_minimal_handlers.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from irsan.interceptors.registry import Export

_COLUMN: Final = 12  # of the place that a record begins with
# name: arguments; where the column of its place is: number of the argument, offset there
_HANDLERS: Final = {
    "add_overflow": ("ptr,u64,u64", (0, _COLUMN)),
    "sub_overflow": ("ptr,u64,u64", (0, _COLUMN)),
    "mul_overflow": ("ptr,u64,u64", (0, _COLUMN)),
    "negate_overflow": ("ptr,u64", (0, _COLUMN)),
    "divrem_overflow": ("ptr,u64,u64", (0, _COLUMN)),
    "shift_out_of_bounds": ("ptr,u64,u64", (0, _COLUMN)),
    "out_of_bounds": ("ptr,u64", (0, _COLUMN)),
    "local_out_of_bounds": ("ptr", (0, _COLUMN)),
    "vla_bound_not_positive": ("ptr,u64", (0, _COLUMN)),
    "float_cast_overflow": ("ptr,u64", (0, _COLUMN)),
    "load_invalid_value": ("ptr,u64", (0, _COLUMN)),
    "implicit_conversion": ("ptr,u64,u64", (0, _COLUMN)),
    "invalid_builtin": ("ptr", (0, _COLUMN)),
    "invalid_objc_cast": ("ptr,u64", (0, _COLUMN)),
    "function_type_mismatch": ("ptr,u64", (0, _COLUMN)),
    "type_mismatch_v1": ("ptr,u64", (0, _COLUMN)),
    "alignment_assumption": ("ptr,u64,u64,u64", (0, _COLUMN)),
    "pointer_overflow": ("ptr,u64,u64", (0, _COLUMN)),
    "nonnull_arg": ("ptr", (0, _COLUMN)),
    "nullability_arg": ("ptr", (0, _COLUMN)),
    "nonnull_return_v1": ("ptr,ptr", (1, _COLUMN)),
    "nullability_return_v1": ("ptr,ptr", (1, _COLUMN)),
    "cfi_check_fail": ("ptr,u64,u64", (0, 8 + _COLUMN)),
    "dynamic_type_cache_miss": ("ptr,u64,u64", ()),  # right types are asked about as well
}  # fmt: skip
_FATAL_ALONE: Final = ("builtin_unreachable", "missing_return")
# What the minimal run-time calls its checks: without the versions of records.
_MINIMAL: Final = (
    *(name.removesuffix("_v1") for name in _HANDLERS if name != "dynamic_type_cache_miss"),
    *_FATAL_ALONE,
)


def _handlers() -> tuple[tuple[Export, str, bool], ...]:
    """Exports with the name of their check, and whether the program ends by it."""
    rows = []
    for name, (arguments, told_at) in _HANDLERS.items():
        stem = f"__ubsan_handle_{name}"
        rows.append((_export(f"{stem}({arguments})", told_at), name, False))
        rows.append((_export(f"{stem}_abort({arguments})"), name, True))
    for name in _FATAL_ALONE:
        rows.append((_export(f"__ubsan_handle_{name}(ptr)"), name, True))
    rows.append((_export("__ubsan_handle_cfi_bad_type(ptr,u64,u64)"), "cfi_check_fail", False))
    for name in _MINIMAL:
        stem = f"__ubsan_handle_{name}_minimal"
        rows.append((_export(f"{stem}()"), f"{name}_minimal", name in _FATAL_ALONE))
        rows.append((_export(f"{stem}_abort()"), f"{name}_minimal", True))
    return tuple(rows)


def _export(prototype: str, told_at: tuple[int, ...] = ()) -> Export:
    name = prototype.partition("(")[0]
    return Export(f"void {prototype}", host=f"undefined.{name}", told_at=told_at, is_hook=True)


def handled(name: str, is_fatal: bool, machine: Any, arguments: Sequence[int]) -> Any:
    """A check has failed: what comes of it, 0 or how the program ends."""
    return machine.interface.undefined.failed(machine, name, arguments, is_fatal=is_fatal)


def report_data(machine: Any, arguments: Sequence[int]) -> int:
    """__ubsan_get_current_report_data: kind, message, file, line, column, address of memory."""
    machine.interface.undefined.report_data(machine, arguments)
    return 0


_ROWS = _handlers()
_DATA = Export(
    "void __ubsan_get_current_report_data(ptr,ptr,ptr,ptr,ptr,ptr)", host="undefined.report_data"
)
EXPORTS = (*(export for export, _, _ in _ROWS), _DATA)
ROUTINES: dict[str, Callable[[Any, Sequence[int]], Any]] = {
    **{export.host: partial(handled, name, is_fatal) for export, name, is_fatal in _ROWS},
    _DATA.host: report_data,
}
