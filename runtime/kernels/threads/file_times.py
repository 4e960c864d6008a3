"""File times in the program's calendar: the host's kernel stamps files by its own clock.

    moment k        at host time r(k) the guest's calendar said v(k)
    stamp T         before r(0), later than now, or set by the program itself: as it is
                    else v(k) + (T - r(k)) for the last r(k) <= T, but not beyond v(k + 1), or now

A moment is noted when stamps are looked at, so a stamp means the same whenever it is asked for, and
before a file is stamped if the guest's clock has leapt further than the host's: what is written
behind a sleep is as much younger.  The kernel's stamps are those of a coarse clock, or finer ones;
so behind a leap the next tick of the coarse one is awaited, which takes no longer than the sleep
would have.

Deviations: files older than the run have their true dates, which lie after the guest's unless the
clock starts now (--clock); what native code or other processes stamp between two moments lies
between those.  May err: a stamp that equals one of the last SET_LIMIT times that were set.
Invariant: r and v never fall from moment to moment.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_function,
    real_usleep,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.virtual_clock import (
    CLOCK_REALTIME,
    NS_PER_S,
    clock_start_ns,
)
from irsan.runtime.records.threads import file_time_records as fr
from irsan.runtime.records.threads.file_time_records import SCRATCH_TIME, SET_LIMIT

FINE, COARSE = 0, 5
LEAP_NS = 4_000_000  # a tick of the coarse clock, at most 1/250 s
NAP_US = 300
LAST_S = 9_000_000_000
N_MOMENTS, MOMENTS = fr.N_MOMENTS, fr.MOMENTS
MOMENT_BYTES, MAX_MOMENTS = fr.MOMENT_BYTES, fr.MAX_MOMENTS
N_SET, SET_TIMES = fr.N_SET, fr.SET_TIMES
real_clock_gettime = real_function("clock_gettime", 2)


@kernel
def host_clock_ns(clock_id: u64) -> u64:
    """What a clock of the host says."""
    real_clock_gettime(clock_id, SCRATCH_TIME)
    return load_u64(SCRATCH_TIME) * NS_PER_S + load_u64(SCRATCH_TIME + 8)


@kernel
def calendar_now_ns(ctx: Context) -> u64:
    """What the guest's calendar says; asking takes no time."""
    return clock_start_ns(CLOCK_REALTIME) + ctx.schedule.clock_ns


@kernel
def moment_at(index: u64) -> u64:
    """Address of a moment."""
    return MOMENTS + index * MOMENT_BYTES


@kernel
def forget_every_second() -> None:
    """Make room for moments; the first and the last stay."""
    n_moments = load_u64(N_MOMENTS)
    kept = u64(1)
    index = u64(2)
    while index < n_moments:
        source = moment_at(min(index, n_moments - 1))
        store_u64(moment_at(kept), load_u64(source))
        store_u64(moment_at(kept) + 8, load_u64(source + 8))
        kept += 1
        index += 2
    last = moment_at(n_moments - 1)
    store_u64(moment_at(kept), load_u64(last))
    store_u64(moment_at(kept) + 8, load_u64(last + 8))
    store_u64(N_MOMENTS, kept + 1)


@kernel
def put_moment(host_ns: u64, calendar_ns: u64) -> None:
    """Append a moment."""
    if load_u64(N_MOMENTS) == MAX_MOMENTS:
        forget_every_second()
    place = moment_at(load_u64(N_MOMENTS))
    store_u64(place, host_ns)
    store_u64(place + 8, calendar_ns)
    store_u64(N_MOMENTS, load_u64(N_MOMENTS) + 1)


@kernel
def next_tick_ns(now_ns: u64) -> u64:
    """Time of a tick behind now: all stamps up to now are older, all that come are not."""
    tick_ns = host_clock_ns(COARSE)
    while tick_ns <= now_ns:
        real_usleep(NAP_US)
        tick_ns = host_clock_ns(COARSE)
    return tick_ns


@kernel(outlined=True)
def note_time(ctx: Context, is_look: bool) -> None:
    """A moment, when the guest's clock has leapt since the last one, or stamps are looked at."""
    n_moments = load_u64(N_MOMENTS)
    if n_moments == 0:
        return
    last = moment_at(n_moments - 1)
    calendar_ns = calendar_now_ns(ctx)
    has_passed = calendar_ns > load_u64(last + 8) + LEAP_NS
    if not has_passed and not is_look:
        return
    errno = load_u32(ctx.c_library.errno_addr)
    host_ns = host_clock_ns(FINE)
    passed_ns = max(host_ns, load_u64(last)) - load_u64(last)
    has_leapt = calendar_ns > load_u64(last + 8) + passed_ns + LEAP_NS
    if not has_leapt and not is_look:
        return
    if has_leapt:
        host_ns = next_tick_ns(host_ns)
    store_u32(ctx.c_library.errno_addr, errno)
    if host_ns > load_u64(last):
        put_moment(host_ns, max(calendar_ns, load_u64(last + 8)))


@kernel
def note_moment(ctx: Context) -> None:
    """A file is about to be stamped."""
    note_time(ctx, False)


@kernel
def note_look(ctx: Context) -> None:
    """Stamps have been read: none of them will mean anything else later."""
    note_time(ctx, True)


@kernel
def was_set(time_ns: u64) -> bool:
    """Whether the program has given a file this time."""
    index = min(load_u64(N_SET), u64(SET_LIMIT))
    while index != 0:
        index -= 1
        if load_u64(SET_TIMES + index * 8) == time_ns:
            return True
    return False


@kernel
def note_set(time_ns: u64) -> None:
    """The program gives a file this time."""
    if load_u64(N_MOMENTS) == 0 or time_ns < load_u64(MOMENTS):
        return
    n_set = load_u64(N_SET)
    store_u64(SET_TIMES + (n_set % SET_LIMIT) * 8, time_ns)
    store_u64(N_SET, n_set + 1)


@kernel
def shown_time_ns(ctx: Context, time_ns: u64) -> u64:
    """What a stamp is in the guest's calendar.  O(log moments), behind `note_moment`."""
    low, high = u64(0), load_u64(N_MOMENTS)
    if high == 0 or time_ns < load_u64(MOMENTS) or was_set(time_ns):
        return time_ns
    while low < high:
        middle = (low + high) >> 1
        if load_u64(moment_at(middle)) <= time_ns:
            low = middle + 1
        else:
            high = middle
    moment = moment_at(low - 1)
    limit_ns = calendar_now_ns(ctx)
    if low < load_u64(N_MOMENTS):
        limit_ns = load_u64(moment_at(low) + 8)
    elif time_ns > host_clock_ns(FINE):
        return time_ns
    return min(load_u64(moment + 8) + (time_ns - load_u64(moment)), limit_ns)


@kernel
def show_file_time(ctx: Context, place: u64) -> None:
    """Change a struct timespec from the host to what it is to the guest."""
    seconds, ns = load_u64(place), load_u64(place + 8)
    if seconds >= LAST_S or ns >= NS_PER_S:  # before 1970, or nothing that a run has made
        return
    shown_ns = shown_time_ns(ctx, seconds * NS_PER_S + ns)
    store_u64(place, u64(shown_ns // NS_PER_S))
    store_u64(place + 8, u64(shown_ns % NS_PER_S))


@kernel
def show_file_stamp(ctx: Context, place: u64) -> None:
    """The same for a struct statx_timestamp: seconds, and nanoseconds of 32 bits."""
    seconds, ns = load_u64(place), u64(load_u32(place + 8))
    if seconds >= LAST_S or ns >= NS_PER_S:
        return
    shown_ns = shown_time_ns(ctx, seconds * NS_PER_S + ns)
    store_u64(place, u64(shown_ns // NS_PER_S))
    store_u32(place + 8, u32(shown_ns % NS_PER_S))
