"""statvfs, uname, readlink, frexp and their kin: results that come through pointers.

Sizes are those of x86-64 Linux: struct rusage 144 bytes, struct utsname 390.
realpath and getcwd without a buffer give a block of our own heap, so that errors on it are found.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; the ABI of the GNU C library.
Deviations: a long double is written whole, 16 bytes; signal sets are looked at for the 8 bytes that
the kernel knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.passed_memory import text_written
from irsan.interceptors.registry import Export
from irsan.runtime import heap_records as hr
from irsan.runtime.kernels.heap.tracked_heap import real_free, tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_getcwd, real_memcpy, real_realpath, real_strlen
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_MALLOC = np.uint64(hr.MALLOC)


@kernel("u64(ctx,u64)")
def adopt_string(ctx: Any, made: Any) -> Any:
    """A string of the C library's heap becomes one of ours."""
    if made == U64_0:
        return U64_0
    n_bytes = real_strlen(made) + U64_1
    block = tracked_allocate(ctx, n_bytes, U64_0, U64_MALLOC)
    if block == U64_0:
        return made
    real_memcpy(block, made, n_bytes)
    real_free(made)
    return block


@kernel("u64(ctx,u64,u64)")
def i_realpath(ctx: Any, path: Any, target: Any) -> Any:
    """realpath."""
    if path != U64_0:
        whole_string_read(ctx, path, NO_FAMILY)
    found = real_realpath(path, target)
    if target == U64_0:
        return adopt_string(ctx, found)
    text_written(ctx, found)
    return found


@kernel("u64(ctx,u64,u64)")
def i_getcwd(ctx: Any, target: Any, n_bytes: Any) -> Any:
    """getcwd."""
    found = real_getcwd(target, n_bytes)
    if target == U64_0:
        return adopt_string(ctx, found)
    text_written(ctx, found)
    return found


# prototype, kernel, pointers, sizes, what is asked before
_FILES = (
    ("i32 statvfs{}(ptr,ptr)", "written_when_zero", (1,), (112,), "ask_text"),
    ("i32 fstatvfs{}(i32,ptr)", "written_when_zero", (1,), (112,), ""),
    ("i32 statfs{}(ptr,ptr)", "written_when_zero", (1,), (120,), "ask_text"),
    ("i32 fstatfs{}(i32,ptr)", "written_when_zero", (1,), (120,), ""),
    ("i32 getrlimit{}(i32,ptr)", "written_when_zero", (1,), (16,), ""),
)
_SYSTEM = (
    ("i32 getrusage(i32,ptr)", "written_when_zero", (1,), (144,), ""),
    ("i32 uname(ptr)", "written_when_zero", (0,), (390,), ""),
    ("i32 sysinfo(ptr)", "written_when_zero", (0,), (112,), ""),
    ("i32 gethostname(ptr,u64)", "text_when_zero", (0,), (), ""),
    ("i32 getdomainname(ptr,u64)", "text_when_zero", (0,), (), ""),
    ("i64 readlink(ptr,ptr,u64)", "items_written", (1,), (1,), "ask_text"),
    ("i64 __readlink_chk(ptr,ptr,u64,u64)", "items_written", (1,), (1,), "ask_text"),
    ("i64 __readlinkat_chk(i32,ptr,ptr,u64,u64)", "items_written", (2,), (1,), "ask_second_text"),
    ("i32 __gethostname_chk(ptr,u64,u64)", "text_when_zero", (0,), (), ""),
    ("i64 readlinkat(i32,ptr,ptr,u64)", "items_written", (2,), (1,), "ask_second_text"),
    ("i64 getrandom(ptr,u64,i32)", "items_written", (0,), (1,), ""),
    ("i32 getgroups(i32,ptr)", "items_written", (1,), (4,), ""),
    ("i32 __xpg_strerror_r(i32,ptr,u64)", "text_when_zero", (1,), (), ""),
    ("i32 sigemptyset(ptr)", "written_when_zero", (0,), (8,), ""),
    ("i32 sigfillset(ptr)", "written_when_zero", (0,), (8,), ""),
)
_FLOATS = (("", "f64", 8), ("f", "f32", 4), ("l", "f80", 16))
_BEFORE = (
    ("i32 rand_r(ptr)", "check_object_changed", (0,), (4,)),
    ("i32 sigaddset(ptr,i32)", "check_object_changed", (0,), (8,)),
    ("i32 sigdelset(ptr,i32)", "check_object_changed", (0,), (8,)),
    ("i32 sigismember(ptr,i32)", "check_object_read", (0,), (8,)),
    ("i32 setrlimit(i32,ptr)", "check_object_read", (1,), (16,)),
)


def _after(
    prototype: str, kernel_name: str, takes: tuple[int, ...], sizes: tuple[int, ...], before: str
) -> Export:
    return Export(
        prototype, kernel=kernel_name, real_first=True, before=before, takes=takes, constants=sizes
    )


def _maths(suffix: str, kind: str, size: int) -> tuple[Export, ...]:
    return (
        _after(f"{kind} frexp{suffix}({kind},ptr)", "written", (1,), (4,), ""),
        _after(f"{kind} modf{suffix}({kind},ptr)", "written", (1,), (size,), ""),
        _after(f"{kind} lgamma{suffix}_r({kind},ptr)", "written", (1,), (4,), ""),
        _after(f"{kind} remquo{suffix}({kind},{kind},ptr)", "written", (2,), (4,), ""),
        _after(f"void sincos{suffix}({kind},ptr,ptr)", "two_written", (1, 2), (size, size), ""),
    )


EXPORTS = (
    *(_after(row[0].format(bits), *row[1:]) for row in _FILES for bits in ("", "64")),
    *(_after(*row) for row in _SYSTEM),
    *(export for row in _FLOATS for export in _maths(*row)),
    *(
        Export(prototype, kernel=kernel_name, then_real=True, takes=takes, constants=sizes)
        for prototype, kernel_name, takes, sizes in _BEFORE
    ),
    Export("ptr realpath(ptr,ptr)", kernel="i_realpath"),
    Export("ptr getcwd(ptr,u64)", kernel="i_getcwd"),
)
