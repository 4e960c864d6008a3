"""time, localtime_r, strftime and similar: what they read and write of the caller's memory.

    localtime_r(&t, &m)   8 bytes read, 56 written         strftime(b, n, f, &m) = r   r + 1 written

What the time is comes from the virtual clock (virtual_clock.py); so does the processor's counter,
whose reads the pass timestamp_reads.py has put here.

Source: the time interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: localtime, gmtime, ctime and asctime write what the library keeps for them
(race/library_states.py); what the program reads of it is not looked at.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import OK
from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.state_checks import check_state
from irsan.runtime.kernels.combined.touches import KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.library_states import library_state_used
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.kernels.threads.real_time import CLOCK_MONOTONIC
from irsan.runtime.kernels.threads.virtual_clock import (
    CLOCK_CPUTIME,
    CLOCK_REALTIME,
    NS_PER_S,
    clock_now_ns,
    store_timespec,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.race.library_states import state_of

TM_BYTES = libc.size("struct tm")
DATE_BYTES = libc.offset("struct tm.tm_wday")  # seconds, minutes ... year
SHOWN_BYTES = libc.offset("struct tm.tm_yday")  # and the day of the week
LOCALTIME = state_of("localtime")
ASCTIME = state_of("asctime")
SUMMER_TIME_AT = libc.offset("struct tm.tm_isdst")


@kernel
def ask_time(ctx: Context, time: u64) -> None:
    """A time_t is read."""
    read(ctx, time, 8)


@kernel
def ask_broken_time(ctx: Context, broken: u64) -> None:
    """A struct tm is read by asctime_r, which shows all but the last numbers."""
    read(ctx, broken, TM_BYTES)
    used(ctx, broken, SHOWN_BYTES)


@kernel
def check_broken_time(ctx: Context, broken: u64) -> bool:
    """asctime."""
    ask_broken_time(ctx, broken)
    return check_state(ctx, ASCTIME)


@kernel
def check_time_as_text(ctx: Context, time: u64) -> bool:
    """ctime, which is asctime of localtime."""
    ask_time(ctx, time)
    library_state_used(ctx, LOCALTIME)
    return check_state(ctx, ASCTIME)


@kernel
def check_date(ctx: Context, broken: u64) -> bool:
    """timegm acts upon a date and the time of day, and completes the rest."""
    used(ctx, broken, DATE_BYTES)
    written(ctx, broken, TM_BYTES)
    return True


@kernel
def check_local_date(ctx: Context, broken: u64) -> bool:
    """mktime asks whether it is summer time, too."""
    used(ctx, broken, DATE_BYTES)
    used(ctx, broken + SUMMER_TIME_AT, 4)
    written(ctx, broken, TM_BYTES)
    return True


@kernel
def ask_strftime(ctx: Context, _target: u64, _limit: u64, form: u64, broken: u64) -> None:
    """Before strftime."""
    whole_string_read(ctx, form, NO_FAMILY)
    read(ctx, broken, TM_BYTES)


@kernel
def written_by_strftime(ctx: Context, length: u64, target: u64) -> None:
    """strftime gives the length of what fitted, or 0."""
    if length != 0:
        written(ctx, target, length + 1)


@kernel
def ask_strptime(ctx: Context, text: u64, form: u64) -> None:
    """Before strptime."""
    whole_string_read(ctx, text, NO_FAMILY)
    whole_string_read(ctx, form, NO_FAMILY)

@kernel
def may_fill(ctx: Context, target: u64, n_bytes: u64) -> bool:
    """Whether an object may be written here; poisoned bytes are reported and written."""
    return routine_access(ctx, target, n_bytes, KIND_WRITE, 1)


@kernel
def i_clock_gettime(ctx: Context, clock_id: i32, target: u64) -> i32:
    """clock_gettime."""
    if may_fill(ctx, target, 16):
        store_timespec(target, clock_now_ns(ctx, u64(clock_id)))
    return OK


@kernel
def i_gettimeofday(ctx: Context, target: u64, zone: u64) -> i32:
    """gettimeofday; the zone is obsolete and left alone."""
    if target != 0 and may_fill(ctx, target, 16):
        store_timespec(target, clock_now_ns(ctx, CLOCK_REALTIME))
        store_u64(target + 8, u64(load_u64(target + 8) // 1000))
    return OK


@kernel
def i_timespec_get(ctx: Context, target: u64, base: i32) -> i32:
    """timespec_get (TIME_UTC)."""
    if may_fill(ctx, target, 16):
        store_timespec(target, clock_now_ns(ctx, CLOCK_REALTIME))
    return base


@kernel
def i_time(ctx: Context, target: u64) -> u64:
    """time."""
    seconds = u64(clock_now_ns(ctx, CLOCK_REALTIME) // NS_PER_S)
    if target != 0 and may_fill(ctx, target, 8):
        store_u64(target, seconds)
    return seconds


@kernel
def i_clock(ctx: Context) -> u64:
    """clock: processor time is virtual time, in microseconds."""
    return u64(clock_now_ns(ctx, CLOCK_CPUTIME) // 1000)


@kernel
def i_timestamp(ctx: Context) -> u64:
    """What the program reads of the processor's counter: nanoseconds since the machine's start."""
    return clock_now_ns(ctx, CLOCK_MONOTONIC)


_TM = int(TM_BYTES)

EXPORTS = (
    Export("i32 clock_gettime(i32,ptr)", kernel="i_clock_gettime"),
    Export("i32 gettimeofday(ptr,ptr)", kernel="i_gettimeofday"),
    Export("i32 timespec_get(ptr,i32)", kernel="i_timespec_get"),
    Export("u64 time(ptr)", kernel="i_time"),
    Export("u64 clock()", kernel="i_clock"),
    Export("u64 irsan_timestamp()", kernel="i_timestamp", is_hook=True),
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
        Export(f"ptr {name}(ptr)", kernel="check_object_and_state", then_real=True, takes=(0,),
               constants=(8, LOCALTIME))
        for name in ("localtime", "gmtime")
    ),
    Export("ptr ctime(ptr)", kernel="check_time_as_text", then_real=True),
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
