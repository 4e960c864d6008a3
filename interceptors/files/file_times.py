"""stat, utime and similar: file times as the program's calendar has them.

    stat(path, &s) = 0      144 bytes are written; three times in them are turned (file_times.py)
    utimensat(d, p, t, f)   32 bytes are read; what they say is kept as it is

Sizes are those of x86-64 Linux: struct stat 144 bytes, struct statx 256, struct utimbuf 16.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; utimensat(2).
Deviations: what nftw and fts hand to the program has the host's times.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import acted_upon, ask_text, written_when_zero
from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text, check_two_texts
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.file_times import (
    note_look,
    note_moment,
    note_set,
    show_file_stamp,
    show_file_time,
)
from irsan.runtime.kernels.threads.stream_room import ALL, await_room
from irsan.runtime.kernels.threads.virtual_clock import NS_PER_S
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import options
from irsan.runtime.layout.options import SWITCHED_OFF

NS_PER_US = 1000
ACCESS_TIME = libc.offset("struct stat.st_atim")
CHANGE_TIME = libc.offset("struct stat.st_mtim")
STATUS_TIME = libc.offset("struct stat.st_ctim")
UTIME_SPECIAL = (1 << 30) - 2  # UTIME_OMIT, and above it UTIME_NOW
STAT = options.OFF_STAT


@kernel
def checks_stat(ctx: Context) -> bool:
    """Whether stat and similar are checked (intercept_stat)."""
    return (ctx.options[SWITCHED_OFF] & STAT) == 0


@kernel
def stat_written(ctx: Context, status: i32, target: u64, n_bytes: u64) -> None:
    """stat and similar."""
    if checks_stat(ctx):
        written_when_zero(ctx, status, target, n_bytes)
    if status == 0 and ctx.action == NONE:
        note_look(ctx)
        show_file_time(ctx, target + ACCESS_TIME)
        show_file_time(ctx, target + CHANGE_TIME)
        show_file_time(ctx, target + STATUS_TIME)


@kernel
def statx_written(ctx: Context, status: i32, target: u64, n_bytes: u64) -> None:
    """statx: time of access, birth, change of the inode, change of the file."""
    written_when_zero(ctx, status, target, n_bytes)
    if status == 0 and ctx.action == NONE:
        note_look(ctx)
        for offset in range(64, 128, 16):
            show_file_stamp(ctx, target + u64(offset))


@kernel
def ask_stat(ctx: Context, path: u64) -> None:
    """Before stat."""
    if checks_stat(ctx):
        ask_text(ctx, path)


@kernel
def ask_second_stat(ctx: Context, _folder: i32, path: u64) -> None:
    """Before fstatat and __xstat."""
    ask_stat(ctx, path)


@kernel
def ask_third_stat(ctx: Context, _version: i32, _folder: i32, path: u64) -> None:
    """Before __fxstatat."""
    ask_stat(ctx, path)


@kernel
def ask_path(ctx: Context, path: u64) -> None:
    """Before a function that may make a file, or change one."""
    ask_text(ctx, path)
    note_moment(ctx)


@kernel
def check_path(ctx: Context, path: u64) -> bool:
    """The same for a function that needs its path."""
    note_moment(ctx)
    return check_text(ctx, path)


@kernel
def check_two_paths(ctx: Context, first: u64, second: u64) -> bool:
    """rename and similar."""
    note_moment(ctx)
    return check_two_texts(ctx, first, second)


@kernel
def check_stamping(ctx: Context, stream: u64) -> bool:
    """What a stream holds goes to its file."""
    note_moment(ctx)
    await_room(ctx, stream, ALL)
    return True


@kernel
def check_utime(ctx: Context, path: u64, times: u64) -> bool:
    """utime: two times in seconds, or now."""
    ask_text(ctx, path)
    acted_upon(ctx, times, 16)
    note_moment(ctx)
    if times != 0:
        note_set(load_u64(times) * NS_PER_S)
        note_set(load_u64(times + 8) * NS_PER_S)
    return True


@kernel
def times_given(ctx: Context, times: u64, unit_ns: u64) -> None:
    """Two times of seconds and units of `unit_ns`, or now."""
    acted_upon(ctx, times, 32)
    note_moment(ctx)
    for offset in range(0, 32, 16):
        place = times + u64(offset)
        if times != 0 and load_u64(place + 8) < UTIME_SPECIAL:
            note_set(load_u64(place) * NS_PER_S + load_u64(place + 8) * unit_ns)


@kernel
def check_path_times(ctx: Context, path: u64, times: u64, unit_ns: u64) -> bool:
    """utimes, utimensat and similar."""
    ask_text(ctx, path)
    times_given(ctx, times, unit_ns)
    return True


@kernel
def check_file_times(ctx: Context, times: u64, unit_ns: u64) -> bool:
    """futimes and futimens."""
    times_given(ctx, times, unit_ns)
    return True


# prototype, pointers, the check before the call
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
    "i32 rename(ptr,ptr)", "i32 link(ptr,ptr)", "i32 symlink(ptr,ptr)",
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
