"""The system's numbers of threads: unlike each other, found again, gone with their thread."""

from __future__ import annotations

import ctypes
import os

from irsan.interceptors.threads import sleeps, thread_ids, threads
from tests.support.green import HANDLES, Body, GreenGuest, run

N_THREADS = 3


def test_each_thread_has_its_own_and_is_found_by_it(green: GreenGuest) -> None:
    numbers: dict[int, int] = {}
    checked = []

    def note() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        numbers[me] = int((yield (thread_ids.i_gettid,)))
        return me

    def live() -> Body:
        yield from note()
        while not checked:
            yield (sleeps.i_sched_yield,)
        return 0

    def main() -> Body:
        handles = []
        for number in range(N_THREADS):
            assert (yield threads.i_pthread_create, HANDLES + 8 * number, 0, 1, 0) == 0
            handles.append(ctypes.c_uint64.from_address(HANDLES + 8 * number).value)
        me = yield from note()
        while len(numbers) <= N_THREADS:
            yield (sleeps.i_sched_yield,)
        assert numbers[me] == os.getpid()
        assert len(set(numbers.values())) == N_THREADS + 1
        for process in (0, os.getpid()):
            for thread, number in numbers.items():
                assert thread_ids.thread_with_id(green.ctx, process, number) == thread
        for process, number in ((1, numbers[me]), (0, 1), (0, max(numbers.values()) + 9)):
            assert thread_ids.thread_with_id(green.ctx, process, number) == 0
        others = [number for thread, number in numbers.items() if thread != me]
        assert [thread_ids.to_own(green.ctx, number) for number in others] == [0] * N_THREADS
        assert thread_ids.to_own(green.ctx, numbers[me]) == numbers[me]
        checked.append(True)
        for handle in handles:
            yield threads.i_pthread_join, handle, 0
        for number in others:
            assert thread_ids.thread_with_id(green.ctx, 0, number) == 0
            assert thread_ids.to_own(green.ctx, number) == number
        checked.append(True)
        return 0

    green.routines[1] = lambda _: live()
    assert run(green, main()) == "ended"
    assert len(checked) == 2
