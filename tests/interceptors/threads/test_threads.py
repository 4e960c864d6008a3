"""Threads: create, join, detach, identity, names, sleeping."""

from __future__ import annotations

import ctypes

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.interceptors.system import time
from irsan.interceptors.threads import sleeps, threads, timed_joins
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import FREE
from tests.conftest import fresh_guest
from tests.support.green import (
    REALTIME_START_NS,
    SCRATCH,
    UPTIME_NS,
    Body,
    GreenGuest,
    run,
    view_thread,
)

HANDLES = SCRATCH
RESULT = SCRATCH + 0x100
TIME = SCRATCH + 0x200
ATTRIBUTES = SCRATCH + 0x300
TEXT = SCRATCH + 0x400
ERRNO = SCRATCH - 64
ESRCH, EAGAIN, EBUSY, EINVAL, ERANGE, EDEADLK, ETIMEDOUT = 3, 11, 16, 22, 34, 35, 110
MS = 10**6


def word(addr: int) -> int:
    return ctypes.c_uint64.from_address(addr).value


def create(number: int, routine: int, argument: int = 0, attributes: int = 0) -> Body:
    """Start a thread; its handle is the result."""
    handle = HANDLES + 8 * number
    status = yield threads.i_pthread_create, handle, attributes, routine, argument
    assert status == 0
    return word(handle)


def returning(value: int, naps: int = 0) -> Body:
    for _ in range(naps):
        yield (sleeps.i_sched_yield,)
    return value


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), max_size=6), st.integers(0, 2**64 - 1))
def test_join_gives_each_threads_result(results: list[int], seed: int) -> None:
    green = GreenGuest(fresh_guest().ctx)
    green.routines[1] = lambda number: returning(results[number], naps=number)
    seen = []

    def main() -> Body:
        handles = []
        for number in range(len(results)):
            handles.append((yield from create(number, 1, number)))
        for handle in handles[::-1]:
            status = yield threads.i_pthread_join, handle, RESULT
            seen.append((int(status), word(RESULT)))
        return 0

    assert run(green, main(), seed) == "ended"
    green.close()
    assert seen == [(0, result) for result in results[::-1]]
    assert green.ctx["schedule"]["n_live"] == 0


def test_c11_threads_join_an_int(green: GreenGuest) -> None:
    green.routines[1] = lambda _: returning(-3 & 0xFFFF_FFFF)

    def main() -> Body:
        assert (yield threads.i_thrd_create, HANDLES, 1, 0) == 0
        assert (yield threads.i_thrd_join, word(HANDLES), RESULT) == 0
        assert ctypes.c_int32.from_address(RESULT).value == -3
        assert (yield threads.i_thrd_join, word(HANDLES), 0) == 2
        return 0

    assert run(green, main()) == "ended"


def test_what_cannot_be_joined_or_detached(green: GreenGuest) -> None:
    green.routines[1] = lambda _: returning(0, naps=50)
    checked = []

    def main() -> Body:
        me = yield (threads.i_pthread_self,)
        assert (yield threads.i_pthread_join, int(me), 0) == EDEADLK
        child = yield from create(0, 1)
        assert child is not None
        assert (yield threads.i_pthread_detach, child) == 0
        assert (yield threads.i_pthread_detach, child) == EINVAL
        assert (yield threads.i_pthread_join, child, 0) == EINVAL
        assert (yield threads.i_pthread_tryjoin, child, 0) == EINVAL
        for nobody in (0, 1, memory_map.THREADS - 1, memory_map.THREADS + 1024 * 7, 2**64 - 1):
            assert (yield threads.i_pthread_join, nobody, 0) == ESRCH
            assert (yield threads.i_pthread_detach, nobody) == ESRCH
        checked.append(True)
        return 0

    assert run(green, main()) == "ended"
    assert checked


def test_a_thread_is_joined_once(green: GreenGuest) -> None:
    green.routines[1] = lambda _: returning(5)

    def main() -> Body:
        child = yield from create(0, 1)
        assert (yield threads.i_pthread_join, child, 0) == 0
        assert (yield threads.i_pthread_join, child, 0) == ESRCH
        return 0

    assert run(green, main()) == "ended"


def test_slots_are_reused_and_numbers_are_not(green: GreenGuest) -> None:
    green.routines[1] = lambda _: returning(0)
    tids = []

    def main() -> Body:
        for turn in range(6):
            child = yield from create(0, 1)
            assert child is not None
            tids.append(int(view_thread(child)["tid"]))
            if turn % 2:
                yield threads.i_pthread_detach, child
                while view_thread(child)["state"] != FREE:
                    yield (sleeps.i_sched_yield,)
            else:
                yield threads.i_pthread_join, child, 0
        return 0

    assert run(green, main()) == "ended"
    assert tids == [1, 2, 3, 4, 5, 6]
    assert green.ctx["schedule"]["n_threads"] == 2


def test_a_thread_that_ended_before_it_was_detached_is_gone(green: GreenGuest) -> None:
    green.routines[1] = lambda _: returning(0)

    def main() -> Body:
        child = yield from create(0, 1)
        assert child is not None
        yield sleeps.i_usleep, 1000
        assert (yield threads.i_pthread_detach, child) == 0
        assert view_thread(child)["state"] == FREE
        return 0

    assert run(green, main()) == "ended"


def test_trying_and_timing_a_join(green: GreenGuest) -> None:
    def sleeper() -> Body:
        yield sleeps.i_usleep, 5000
        return 9

    green.routines[1] = lambda _: sleeper()

    def main() -> Body:
        child = yield from create(0, 1)
        assert (yield threads.i_pthread_tryjoin, child, RESULT) == EBUSY
        store_timespec(TIME, REALTIME_START_NS + 1 * MS)
        assert (yield timed_joins.i_pthread_timedjoin, child, RESULT, TIME) == ETIMEDOUT
        assert int(green.ctx["schedule"]["clock_ns"]) >= 1 * MS
        store_timespec(TIME, REALTIME_START_NS + 90 * MS)
        assert (yield timed_joins.i_pthread_timedjoin, child, RESULT, TIME) == 0
        assert word(RESULT) == 9
        assert int(green.ctx["schedule"]["clock_ns"]) < 90 * MS
        return 0

    assert run(green, main()) == "ended"


def test_the_program_ends_with_its_last_thread(green: GreenGuest) -> None:
    def late() -> Body:
        yield sleeps.i_usleep, 1000
        return 0

    green.routines[1] = lambda _: late()
    green.start(create(0, 1))
    assert green.run() == "ended"
    assert green.ended_tids == [0, 1]


def test_joining_each_other_is_idle(green: GreenGuest) -> None:
    def joins(handle: int) -> Body:
        yield threads.i_pthread_join, handle, 0
        return 0

    green.routines[1] = joins

    def main() -> Body:
        me = yield (threads.i_pthread_self,)
        child = yield from create(0, 1, int(me))
        yield threads.i_pthread_join, child, 0
        return 0

    assert run(green, main()) == "idle"


def test_attributes_choose_the_stack_and_detach(green: GreenGuest) -> None:
    green.routines[1] = lambda _: returning(0, naps=3)

    def attributes(is_detached: int, stack_bytes: int) -> int:
        ctypes.memset(ATTRIBUTES, 0, 56)
        ctypes.c_uint32.from_address(ATTRIBUTES + 8).value = is_detached
        ctypes.c_uint64.from_address(ATTRIBUTES + 32).value = stack_bytes
        return ATTRIBUTES

    def main() -> Body:
        child = yield from create(0, 1, attributes=attributes(1, 1 << 20))
        assert child is not None
        record = view_thread(child)
        assert record["detached"] == 1
        assert record["stack"]["hi"] - record["stack"]["lo"] >= 1 << 20
        assert (yield threads.i_pthread_getattr, child, TEXT) == 0
        assert word(TEXT + 24) == record["stack"]["hi"]
        assert word(TEXT + 24) - word(TEXT + 32) == record["stack"]["lo"]
        small = yield from create(1, 1, attributes=attributes(0, 1))
        assert small is not None
        assert view_thread(small)["stack"]["hi"] - view_thread(small)["stack"]["lo"] >= 64 << 10
        large = yield from create(2, 1, attributes=attributes(0, memory_map.STACK_SLOT_BYTES))
        assert large is not None
        n_bytes = view_thread(large)["stack"]["hi"] - view_thread(large)["stack"]["lo"]
        assert memory_map.STACK_SLOT_BYTES <= n_bytes < memory_map.STACK_SLOT_BYTES + 4096
        huge = attributes(0, 2 * memory_map.GIB)
        assert (yield threads.i_pthread_create, HANDLES, huge, 1, 0) == EAGAIN
        assert (yield threads.i_thrd_create, HANDLES, 1, 0) == 0
        return 0

    assert run(green, main()) == "ended"


def test_sleeping_takes_virtual_time_only(green: GreenGuest) -> None:
    def main() -> Body:
        for call, slept_ns in (
            ((sleeps.i_sleep, 3600), 3600 * 10**9),
            ((sleeps.i_usleep, 5), 5000),
            ((sleeps.i_nanosleep, TIME, 0), 1_500_000_000),
            ((sleeps.i_clock_nanosleep, 1, 0, TIME, 0), 1_500_000_000),
        ):
            store_timespec(TIME, 1_500_000_000)
            before = int(green.ctx["schedule"]["clock_ns"])
            assert (yield call) == 0
            assert slept_ns <= int(green.ctx["schedule"]["clock_ns"]) - before < slept_ns + 200
        return 0

    assert run(green, main()) == "ended"


def test_sleeping_until_a_time(green: GreenGuest) -> None:
    def main() -> Body:
        store_timespec(TIME, UPTIME_NS + 40 * MS)
        assert (yield sleeps.i_clock_nanosleep, 1, 1, TIME, 0) == 0
        assert 40 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 41 * MS
        store_timespec(TIME, REALTIME_START_NS + 80 * MS)
        assert (yield sleeps.i_clock_nanosleep, 0, 1, TIME, 0) == 0
        assert 80 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 81 * MS
        assert (yield sleeps.i_clock_nanosleep, 0, 1, TIME, 0) == 0
        assert int(green.ctx["schedule"]["clock_ns"]) < 81 * MS
        return 0

    assert run(green, main()) == "ended"


def test_what_is_no_time_is_refused(green: GreenGuest) -> None:
    def main() -> Body:
        (ctypes.c_int64 * 2).from_address(TIME)[:] = [1, 10**9]
        assert (yield sleeps.i_nanosleep, TIME, 0) == -1
        assert ctypes.c_uint32.from_address(ERRNO).value == EINVAL
        assert (yield sleeps.i_clock_nanosleep, 1, 0, TIME, 0) == EINVAL
        assert (yield sleeps.i_clock_nanosleep, 1, 1, TIME, 0) == EINVAL
        child = yield from create(0, 1)
        assert (yield timed_joins.i_pthread_timedjoin, child, 0, TIME) == EINVAL
        return 0

    green.routines[1] = lambda _: returning(0, naps=9)
    assert run(green, main()) == "ended"


def test_clocks_agree(green: GreenGuest) -> None:
    green.ctx["sanitize_address"] = 0  # where the results go is no object of the guest
    start_s = int(REALTIME_START_NS) // 10**9

    def main() -> Body:
        yield sleeps.i_sleep, 5
        assert (yield time.i_time, RESULT) == start_s + 5 == word(RESULT)
        assert (yield time.i_time, 0) == start_s + 5
        yield time.i_clock_gettime, 0, TIME
        assert word(TIME) == start_s + 5
        yield time.i_gettimeofday, RESULT, 0
        assert word(RESULT) == start_s + 5
        assert 0 <= word(RESULT + 8) - word(TIME + 8) // 1000 <= 1
        assert (yield time.i_timespec_get, TIME, 1) == 1
        assert word(TIME) == start_s + 5
        assert 5_000_000 <= (yield (time.i_clock,)) < 5_000_100
        return 0

    assert run(green, main()) == "ended"
