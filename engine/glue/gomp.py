"""Glue in front of OpenMP's loops as GCC and Polly call them, whose names have their schedule.

    GOMP_parallel_loop_<schedule>[_start]         a region that begins with a loop
    GOMP_loop[_ull]_doacross_<schedule>_start     a nest whose iterations wait for each other
    GOMP_loop[_ull][_ordered]_start, ..._doacross_start   the schedule is an argument

All of them call templates/openmp/gomp_regions.ll.  The other names of loops are exports of
interceptors/openmp/gomp/gomp_loops.py.

Source: GCC's libgomp_g.h and omp-builtins.def for the names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from irsan.runtime.records.threads.openmp_records import DYNAMIC, GUIDED, RUNTIME, STATIC_CHUNKED

#: schedule -> its number, and whether a chunk is an argument
_SCHEDULES: Final = {
    "static": (STATIC_CHUNKED, True), "dynamic": (DYNAMIC, True), "guided": (GUIDED, True),
    "runtime": (RUNTIME, False),
}  # fmt: skip
_REGIONS: Final = {
    **_SCHEDULES, "nonmonotonic_dynamic": (DYNAMIC, True), "nonmonotonic_guided": (GUIDED, True),
    "nonmonotonic_runtime": (RUNTIME, False), "maybe_nonmonotonic_runtime": (RUNTIME, False),
}  # fmt: skip
_BOUNDS: Final = "i64 %from, i64 %to, i64 %step"
_FOUND: Final = "ptr %lower, ptr %stop"
_MORE: Final = "ptr %reduced, ptr %memory"
_NO_MORE: Final = "ptr null, ptr null"
_KERNELS: Final = ("declare i64 @k.gomp_kind(i64)", "declare i64 @k.gomp_step(i32, i64)")


def gomp_glue() -> str:
    """LLVM text of all of them."""
    parts = (*_regions(), *_doacross(""), *_doacross("ull_"), *_loops(), *_KERNELS)
    return "\n".join(parts)


def _regions() -> Iterator[str]:
    head = f"ptr %function, ptr %data, i32 %n, {_BOUNDS}"
    for name, (kind, has_chunk) in _REGIONS.items():
        given = f"{head}, i64 %chunk" if has_chunk else head
        passed = f"ptr %function, ptr %data, i32 %n, i64 {kind}, {_BOUNDS}, i64 " + (
            "%chunk" if has_chunk else "0"
        )
        yield _function("void", f"parallel_loop_{name}", f"{given}, i32 %flags",
                        f"call void @irsan_gomp_region({passed})")  # fmt: skip
        if name in _SCHEDULES:
            yield _function("void", f"parallel_loop_{name}_start", given,
                            f"%team = call i64 @irsan_gomp_start({passed}, ptr null)")  # fmt: skip


def _doacross(width: str) -> Iterator[str]:
    head = "i32 %n, ptr %counts"
    for name, (kind, has_chunk) in _SCHEDULES.items():
        chunk = "i64 %chunk" if has_chunk else "i64 0"
        given = f"{head}, {chunk}, {_FOUND}" if has_chunk else f"{head}, {_FOUND}"
        call = f"@irsan_gomp_doacross({head}, i64 {kind}, {chunk}, {_FOUND}, {_NO_MORE})"
        yield _function("i32", f"loop_{width}doacross_{name}_start", given, f"%r = call i32 {call}")
    yield _function(
        "i32", f"loop_{width}doacross_start",
        f"{head}, i64 %schedule, i64 %chunk, {_FOUND}, {_MORE}",
        "%kind = call i64 @k.gomp_kind(i64 %schedule)",
        f"%r = call i32 @irsan_gomp_doacross({head}, i64 %kind, i64 %chunk, {_FOUND}, {_MORE})",
    )  # fmt: skip


def _loops() -> Iterator[str]:
    rest = f"i64 %schedule, i64 %chunk, {_FOUND}, {_MORE}"
    for order in ("", "ordered_"):
        yield _function(
            "i32", f"loop_{order}start", f"{_BOUNDS}, {rest}",
            f"%r = call i32 @irsan_gomp_loop({_BOUNDS}, i64 1, {rest})",
        )  # fmt: skip
        yield _function(
            "i32", f"loop_ull_{order}start", f"i32 %up, {_BOUNDS}, {rest}",
            "%by = call i64 @k.gomp_step(i32 %up, i64 %step)",
            f"%r = call i32 @irsan_gomp_loop(i64 %from, i64 %to, i64 %by, i64 0, {rest})",
        )  # fmt: skip


def _function(result: str, name: str, parameters: str, *lines: str) -> str:
    end = "ret void" if result == "void" else f"ret {result} %r"
    body = "\n  ".join((*lines, end))
    return f"define {result} @__interceptor_GOMP_{name}({parameters}) uwtable {{\n  {body}\n}}"
