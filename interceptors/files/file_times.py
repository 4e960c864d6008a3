"""stat and its kin, utime and its kin: file times as the program's calendar has them.

    stat(path, &s) = 0      144 bytes are written; three times in them are turned (file_times.py)
    utimensat(d, p, t, f)   32 bytes are read; what they say is kept as it is

Sizes are those of x86-64 Linux: struct stat 144 bytes, struct statx 256, struct utimbuf 16.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; utimensat(2).
Deviations: what nftw and fts hand to the program has the host's times.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import ask_text, read, used, written_when_zero
from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text, check_two_texts
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.threads.file_times import (
    note_look,
    note_moment,
    note_set,
    show_file_stamp,
    show_file_time,
)
from irsan.runtime.kernels.threads.virtual_clock import NS_PER_S
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import options

I32_0 = np.int32(0)
U64_0 = np.uint64(0)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
U64_NS_PER_US = np.uint64(1000)
ACCESS_TIME = np.uint64(libc.offset("struct stat.st_atim"))
CHANGE_TIME = np.uint64(libc.offset("struct stat.st_mtim"))
STATUS_TIME = np.uint64(libc.offset("struct stat.st_ctim"))
UTIME_SPECIAL = np.uint64((1 << 30) - 2)  # UTIME_OMIT, and above it UTIME_NOW
SWITCHED_OFF = options.SWITCHED_OFF
STAT = np.uint64(options.OFF_STAT)


@kernel("b1(ctx)")
def checks_stat(ctx: Any) -> Any:
    """Whether stat and its kin are looked at (intercept_stat)."""
    return (ctx.options[SWITCHED_OFF] & STAT) == U64_0


@kernel("void(ctx,i32,u64,u64)")
def stat_written(ctx: Any, status: Any, target: Any, n_bytes: Any) -> None:
    """stat and its kin."""
    if checks_stat(ctx):
        written_when_zero(ctx, status, target, n_bytes)
    if status == I32_0 and ctx.action == NONE:
        note_look(ctx)
        show_file_time(ctx, target + ACCESS_TIME)
        show_file_time(ctx, target + CHANGE_TIME)
        show_file_time(ctx, target + STATUS_TIME)


@kernel("void(ctx,i32,u64,u64)")
def statx_written(ctx: Any, status: Any, target: Any, n_bytes: Any) -> None:
    """statx: time of access, birth, change of the inode, change of the file."""
    written_when_zero(ctx, status, target, n_bytes)
    if status == I32_0 and ctx.action == NONE:
        note_look(ctx)
        for offset in range(64, 128, 16):
            show_file_stamp(ctx, target + np.uint64(offset))


@kernel("void(ctx,u64)")
def ask_stat(ctx: Any, path: Any) -> None:
    """Before stat."""
    if checks_stat(ctx):
        ask_text(ctx, path)


@kernel("void(ctx,i32,u64)")
def ask_second_stat(ctx: Any, _folder: Any, path: Any) -> None:
    """Before fstatat and __xstat."""
    ask_stat(ctx, path)


@kernel("void(ctx,i32,i32,u64)")
def ask_third_stat(ctx: Any, _version: Any, _folder: Any, path: Any) -> None:
    """Before __fxstatat."""
    ask_stat(ctx, path)


@kernel("void(ctx,u64)")
def ask_path(ctx: Any, path: Any) -> None:
    """Before a function that may make a file, or change one."""
    ask_text(ctx, path)
    note_moment(ctx)


@kernel("b1(ctx,u64)")
def check_path(ctx: Any, path: Any) -> Any:
    """The same for a function that needs its path."""
    note_moment(ctx)
    return check_text(ctx, path)


@kernel("b1(ctx,u64,u64)")
def check_two_paths(ctx: Any, first: Any, second: Any) -> Any:
    """fopen, rename and their kin."""
    note_moment(ctx)
    return check_two_texts(ctx, first, second)


@kernel("b1(ctx)")
def check_stamping(ctx: Any) -> Any:
    """What a stream holds goes to its file."""
    note_moment(ctx)
    return True


@kernel("b1(ctx,u64,u64)")
def check_utime(ctx: Any, path: Any, times: Any) -> Any:
    """utime: two times in seconds, or now."""
    ask_text(ctx, path)
    read(ctx, times, U64_16)
    used(ctx, times, U64_16)
    note_moment(ctx)
    if times != U64_0:
        note_set(load_u64(times) * NS_PER_S)
        note_set(load_u64(times + U64_8) * NS_PER_S)
    return True


@kernel("void(ctx,u64,u64)")
def times_given(ctx: Any, times: Any, unit_ns: Any) -> None:
    """Two times of seconds and units of `unit_ns`, or now."""
    read(ctx, times, U64_32)
    used(ctx, times, U64_32)
    note_moment(ctx)
    for offset in range(0, 32, 16):
        place = times + np.uint64(offset)
        if times != U64_0 and load_u64(place + U64_8) < UTIME_SPECIAL:
            note_set(load_u64(place) * NS_PER_S + load_u64(place + U64_8) * unit_ns)


@kernel("b1(ctx,u64,u64,u64)")
def check_path_times(ctx: Any, path: Any, times: Any, unit_ns: Any) -> Any:
    """utimes, utimensat and their kin."""
    ask_text(ctx, path)
    times_given(ctx, times, unit_ns)
    return True


@kernel("b1(ctx,u64,u64)")
def check_file_times(ctx: Any, times: Any, unit_ns: Any) -> Any:
    """futimes and futimens."""
    times_given(ctx, times, unit_ns)
    return True


# prototype, pointers, what is asked before
_STATS = (
    ("i32 stat{}(ptr,ptr)", (1,), "ask_stat"),
    ("i32 lstat{}(ptr,ptr)", (1,), "ask_stat"),
    ("i32 fstat{}(i32,ptr)", (1,), ""),
    ("i32 fstatat{}(i32,ptr,ptr,i32)", (2,), "ask_second_stat"),
    ("i32 __xstat{}(i32,ptr,ptr)", (2,), "ask_second_stat"),
    ("i32 __lxstat{}(i32,ptr,ptr)", (2,), "ask_second_stat"),
    ("i32 __fxstat{}(i32,i32,ptr)", (2,), ""),
    ("i32 __fxstatat{}(i32,i32,ptr,ptr,i32)", (3,), "ask_third_stat"),
)
_US, _NS = 1000, 1
_PATH_TIMES = (
    ("i32 utimes(ptr,ptr)", (0, 1), _US),
    ("i32 lutimes(ptr,ptr)", (0, 1), _US),
    ("i32 futimesat(i32,ptr,ptr)", (1, 2), _US),
    ("i32 utimensat(i32,ptr,ptr,i32)", (1, 2), _NS),
)

_PATHS = (
    "unlink(ptr)", "remove(ptr)", "rmdir(ptr)", "mkdir(ptr,i32)", "truncate(ptr,i64)",
    "chmod(ptr,i32)",
)  # fmt: skip
_TWO_PATHS = (
    "ptr fopen(ptr,ptr)", "ptr fopen64(ptr,ptr)", "i32 rename(ptr,ptr)", "i32 link(ptr,ptr)",
    "i32 symlink(ptr,ptr)",
)  # fmt: skip

EXPORTS = (
    *(Export(f"i32 {text}", kernel="check_path", then_real=True) for text in _PATHS),
    *(Export(text, kernel="check_two_paths", then_real=True) for text in _TWO_PATHS),
    Export("i32 fflush(ptr)", kernel="check_stamping", then_real=True),
    Export("i32 fclose(ptr)", kernel="check_stamping", then_real=True),
    *(
        Export(prototype.format(bits), kernel="stat_written", real_first=True, before=before,
               takes=takes, constants=(144,))
        for prototype, takes, before in _STATS
        for bits in ("", "64")
    ),
    Export("i32 statx(i32,ptr,i32,i32,ptr)", kernel="statx_written", real_first=True,
           before="ask_second_text", takes=(4,), constants=(256,)),
    Export("i32 utime(ptr,ptr)", kernel="check_utime", then_real=True),
    *(
        Export(prototype, kernel="check_path_times", then_real=True, takes=takes,
               constants=(unit,))
        for prototype, takes, unit in _PATH_TIMES
    ),
    Export("i32 futimes(i32,ptr)", kernel="check_file_times", then_real=True, takes=(1,),
           constants=(_US,)),
    Export("i32 futimens(i32,ptr)", kernel="check_file_times", then_real=True, takes=(1,),
           constants=(_NS,)),
)  # fmt: skip
