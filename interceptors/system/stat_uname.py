"""statvfs, uname, readlink, frexp and similar: results that come through pointers.

Sizes are those of x86-64 Linux: struct rusage 144 bytes, struct utsname 390.
realpath and getcwd without a buffer give a block of our own heap, so that errors on it are found.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; the ABI of the GNU C library.
Deviations: a long double is written whole, 16 bytes; signal sets are looked at for the 8 bytes that
the kernel knows.
"""

from __future__ import annotations

from irsan.interceptors.memory.adopted import adopt_string
from irsan.interceptors.memory.passed_memory import ask_text, text_written, written
from irsan.interceptors.registry import Export
from irsan.interceptors.system.own_path import own_path_or
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_function,
    real_getcwd,
    real_memcpy,
    real_realpath,
    real_strlen,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.layout import libc_layout as libc

AT_FDCWD = -100

real_readlinkat = real_function("readlinkat", 4)


@kernel
def i_realpath(ctx: Context, path: u64, target: u64) -> u64:
    """realpath."""
    if path != 0:
        whole_string_read(ctx, path, NO_FAMILY)
    found = real_realpath(own_path_or(ctx, path), target)
    if target == 0:
        return adopt_string(ctx, found)
    text_written(ctx, found)
    return found


@kernel
def i_readlinkat(ctx: Context, folder: i32, path: u64, target: u64, room: u64) -> i64:
    """readlinkat; /proc/self/exe is the program's own path."""
    ask_text(ctx, path)
    own = own_path_or(ctx, path)
    if own == path:
        found = i64(real_readlinkat(u64(folder), path, target, room))
    else:
        n_bytes = min(real_strlen(own), room)
        real_memcpy(target, own, n_bytes)
        found = i64(n_bytes)
    if found > 0:
        written(ctx, target, u64(found))
    return found


@kernel
def i_readlink(ctx: Context, path: u64, target: u64, room: u64) -> i64:
    """readlink."""
    return i_readlinkat(ctx, AT_FDCWD, path, target, room)


@kernel
def i_readlink_chk(ctx: Context, path: u64, target: u64, room: u64, _size: u64) -> i64:
    """What headers make of readlink with _FORTIFY_SOURCE."""
    return i_readlink(ctx, path, target, room)


@kernel
def i_readlinkat_chk(
    ctx: Context, folder: i32, path: u64, target: u64, room: u64, _size: u64
) -> i64:
    """The same for readlinkat."""
    return i_readlinkat(ctx, folder, path, target, room)


@kernel
def i_getcwd(ctx: Context, target: u64, n_bytes: u64) -> u64:
    """getcwd."""
    found = real_getcwd(target, n_bytes)
    if target == 0:
        return adopt_string(ctx, found)
    text_written(ctx, found)
    return found


_STATFS = libc.size("struct statfs")
_STATVFS = libc.size("struct statvfs")
_RUSAGE = libc.size("struct rusage")
_UTSNAME = libc.size("struct utsname")
_SYSINFO = libc.size("struct sysinfo")
_MASK = libc.SIGNAL_MASK_BYTES
# prototype, kernel, pointers, sizes, the check before the call
_FILES = (
    ("i32 statvfs{}(ptr,ptr)", "written_when_zero", (1,), (_STATVFS,), "ask_text"),
    ("i32 fstatvfs{}(i32,ptr)", "written_when_zero", (1,), (_STATVFS,), ""),
    ("i32 statfs{}(ptr,ptr)", "written_when_zero", (1,), (_STATFS,), "ask_text"),
    ("i32 fstatfs{}(i32,ptr)", "written_when_zero", (1,), (_STATFS,), ""),
)
_SYSTEM = (
    ("i32 getrusage(i32,ptr)", "written_when_zero", (1,), (_RUSAGE,), ""),
    ("i32 uname(ptr)", "written_when_zero", (0,), (_UTSNAME,), ""),
    ("i32 sysinfo(ptr)", "written_when_zero", (0,), (_SYSINFO,), ""),
    ("i32 gethostname(ptr,u64)", "text_when_zero", (0,), (), ""),
    ("i32 getdomainname(ptr,u64)", "text_when_zero", (0,), (), ""),
    ("i32 __gethostname_chk(ptr,u64,u64)", "text_when_zero", (0,), (), ""),
    ("i64 getrandom(ptr,u64,i32)", "items_written", (0,), (1,), ""),
    ("i32 getgroups(i32,ptr)", "items_written", (1,), (4,), ""),
    ("i32 __xpg_strerror_r(i32,ptr,u64)", "text_when_zero", (1,), (), ""),
    ("i32 sigemptyset(ptr)", "written_when_zero", (0,), (_MASK,), ""),
    ("i32 sigfillset(ptr)", "written_when_zero", (0,), (_MASK,), ""),
)
_FLOATS = (("", "f64", 8), ("f", "f32", 4), ("l", "f80", 16))
_BEFORE = (
    ("i32 rand_r(ptr)", "check_object_changed", (0,), (4,)),
    ("i32 sigaddset(ptr,i32)", "check_object_changed", (0,), (_MASK,)),
    ("i32 sigdelset(ptr,i32)", "check_object_changed", (0,), (_MASK,)),
    ("i32 sigismember(ptr,i32)", "check_object_read", (0,), (_MASK,)),
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
    Export("i64 readlink(ptr,ptr,u64)", kernel="i_readlink"),
    Export("i64 __readlink_chk(ptr,ptr,u64,u64)", kernel="i_readlink_chk"),
    Export("i64 readlinkat(i32,ptr,ptr,u64)", kernel="i_readlinkat"),
    Export("i64 __readlinkat_chk(i32,ptr,ptr,u64,u64)", kernel="i_readlinkat_chk"),
    Export("ptr getcwd(ptr,u64)", kernel="i_getcwd"),
)
