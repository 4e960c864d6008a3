"""time, localtime_r, strftime and their kin: what they read and write of the caller's memory.

    localtime_r(&t, &m)   8 bytes read, 56 written         strftime(b, n, f, &m) = r   r + 1 written

What the time is comes from the virtual clock (virtual_clock.py).

Source: the time interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: what localtime, gmtime, ctime and asctime keep in the library itself is not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import OK
from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.touches import KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.kernels.threads.virtual_clock import (
    CLOCK_CPUTIME,
    CLOCK_REALTIME,
    NS_PER_S,
    clock_now_ns,
    store_timespec,
)
from irsan.runtime.layout import libc_layout as libc

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_1000 = np.uint64(1000)
TM_BYTES = np.uint64(libc.size("struct tm"))
DATE_BYTES = np.uint64(libc.offset("struct tm.tm_wday"))  # seconds, minutes ... year
SHOWN_BYTES = np.uint64(libc.offset("struct tm.tm_yday"))  # and the day of the week
SUMMER_TIME_AT = np.uint64(libc.offset("struct tm.tm_isdst"))


@kernel("void(ctx,u64)")
def ask_time(ctx: Any, time: Any) -> None:
    """A time_t is read."""
    read(ctx, time, U64_8)


@kernel("void(ctx,u64)")
def ask_broken_time(ctx: Any, broken: Any) -> None:
    """A struct tm is read by asctime_r, which shows all but the last numbers."""
    read(ctx, broken, TM_BYTES)
    used(ctx, broken, SHOWN_BYTES)


@kernel("b1(ctx,u64)")
def check_broken_time(ctx: Any, broken: Any) -> Any:
    """asctime."""
    ask_broken_time(ctx, broken)
    return True


@kernel("b1(ctx,u64)")
def check_date(ctx: Any, broken: Any) -> Any:
    """timegm acts upon a date and the time of day, and completes the rest."""
    used(ctx, broken, DATE_BYTES)
    written(ctx, broken, TM_BYTES)
    return True


@kernel("b1(ctx,u64)")
def check_local_date(ctx: Any, broken: Any) -> Any:
    """mktime asks whether it is summer time, too."""
    used(ctx, broken, DATE_BYTES)
    used(ctx, broken + SUMMER_TIME_AT, U64_4)
    written(ctx, broken, TM_BYTES)
    return True


@kernel("void(ctx,u64,u64,u64,u64)")
def ask_strftime(ctx: Any, _target: Any, _limit: Any, form: Any, broken: Any) -> None:
    """Before strftime."""
    whole_string_read(ctx, form, NO_FAMILY)
    read(ctx, broken, TM_BYTES)


@kernel("void(ctx,u64,u64)")
def written_by_strftime(ctx: Any, length: Any, target: Any) -> None:
    """strftime gives the length of what fitted, or 0."""
    if length != U64_0:
        written(ctx, target, length + U64_1)


@kernel("void(ctx,u64,u64)")
def ask_strptime(ctx: Any, text: Any, form: Any) -> None:
    """Before strptime."""
    whole_string_read(ctx, text, NO_FAMILY)
    whole_string_read(ctx, form, NO_FAMILY)

@kernel("b1(ctx,u64,u64)")
def may_fill(ctx: Any, target: Any, n_bytes: Any) -> Any:
    """Whether an object may be written here; what is poisoned is reported and written."""
    return routine_access(ctx, target, n_bytes, KIND_WRITE, U64_1)


@kernel("i32(ctx,i32,u64)")
def i_clock_gettime(ctx: Any, clock_id: Any, target: Any) -> Any:
    """clock_gettime."""
    if may_fill(ctx, target, U64_16):
        store_timespec(target, clock_now_ns(ctx, np.uint64(clock_id)))
    return OK


@kernel("i32(ctx,u64,u64)")
def i_gettimeofday(ctx: Any, target: Any, zone: Any) -> Any:
    """gettimeofday; the zone is told to nobody any more."""
    if target != U64_0 and may_fill(ctx, target, U64_16):
        store_timespec(target, clock_now_ns(ctx, CLOCK_REALTIME))
        store_u64(target + U64_8, np.uint64(load_u64(target + U64_8) // U64_1000))
    return OK


@kernel("i32(ctx,u64,i32)")
def i_timespec_get(ctx: Any, target: Any, base: Any) -> Any:
    """timespec_get (TIME_UTC)."""
    if may_fill(ctx, target, U64_16):
        store_timespec(target, clock_now_ns(ctx, CLOCK_REALTIME))
    return base


@kernel("u64(ctx,u64)")
def i_time(ctx: Any, target: Any) -> Any:
    """time."""
    seconds = np.uint64(clock_now_ns(ctx, CLOCK_REALTIME) // NS_PER_S)
    if target != U64_0 and may_fill(ctx, target, U64_8):
        store_u64(target, seconds)
    return seconds


@kernel("u64(ctx)")
def i_clock(ctx: Any) -> Any:
    """clock: processor time is virtual time, in microseconds."""
    return np.uint64(clock_now_ns(ctx, CLOCK_CPUTIME) // U64_1000)


_TM = int(TM_BYTES)

EXPORTS = (
    Export("i32 clock_gettime(i32,ptr)", kernel="i_clock_gettime"),
    Export("i32 gettimeofday(ptr,ptr)", kernel="i_gettimeofday"),
    Export("i32 timespec_get(ptr,i32)", kernel="i_timespec_get"),
    Export("u64 time(ptr)", kernel="i_time"),
    Export("u64 clock()", kernel="i_clock"),
    *(
        Export(
            f"ptr {name}(ptr,ptr)",
            kernel="written_when_given",
            real_first=True,
            before="ask_time",
            takes=(1,),
            constants=(_TM,),
        )
        for name in ("localtime_r", "gmtime_r")
    ),
    Export("ptr ctime_r(ptr,ptr)", kernel="text_when_given", real_first=True, before="ask_time",
           takes=(1,)),
    Export("ptr asctime_r(ptr,ptr)", kernel="text_when_given", real_first=True,
           before="ask_broken_time", takes=(1,)),
    *(
        Export(f"ptr {name}(ptr)", kernel="check_object_read", then_real=True, takes=(0,),
               constants=(8,))
        for name in ("localtime", "gmtime", "ctime")
    ),
    Export("ptr asctime(ptr)", kernel="check_broken_time", then_real=True),
    Export("i64 mktime(ptr)", kernel="check_local_date", then_real=True),
    Export("i64 timelocal(ptr)", kernel="check_local_date", then_real=True),
    Export("i64 timegm(ptr)", kernel="check_date", then_real=True),
    Export("u64 strftime(ptr,u64,ptr,ptr)", kernel="written_by_strftime", real_first=True,
           before="ask_strftime"),
    Export("ptr strptime(ptr,ptr,ptr)", kernel="written_when_given", real_first=True,
           before="ask_strptime", takes=(2,), constants=(_TM,)),
    Export("i32 clock_getres(i32,ptr)", kernel="written_when_zero", real_first=True, takes=(1,),
           constants=(libc.size("struct timespec"),)),
    Export("i64 times(ptr)", kernel="written_unless_failed", real_first=True, takes=(0,),
           constants=(libc.size("struct itimerval"),)),
)  # fmt: skip
