"""Signals that wait with their facts: in order, standard ones once."""

from __future__ import annotations

import ctypes
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.threads import signal_queue, signals
from irsan.runtime.records.threads import timer_records as tr
from tests.conftest import thread_addr
from tests.oracles.signals import NaiveQueue
from tests.support.green import SCRATCH

NUMBERS = st.sampled_from([10, 14, 34, 40])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 2), NUMBERS),
        st.tuples(st.just("take"), st.integers(0, 2), NUMBERS),
        st.tuples(st.just("forget"), st.integers(0, 2), NUMBERS),
    ),
    max_size=40,
)


def told() -> ctypes.c_uint32:
    return ctypes.c_uint32.from_address(SCRATCH)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(STEPS)
def test_the_queue_is_a_list(new_guest: Any, steps: list[tuple[str, int, int]]) -> None:
    guest, naive = new_guest(), NaiveQueue()
    threads = [guest.main, guest.new_thread(1), guest.new_thread(2)]
    for step, (what, index, number) in enumerate(steps):
        thread = threads[index]
        place = thread_addr(thread)
        if what == "put":
            told().value = step
            assert signal_queue.queue_signal(place, number, SCRATCH) == naive.put(
                place, number, step
            )
        elif what == "forget":
            signal_queue.forget_queued(place)
            naive.forget(place)
        else:
            guest.ctx["thread"] = place
            thread["signals"] = 0
            expected = naive.take(place, number)
            found = signal_queue.take_queued(guest.ctx, number, SCRATCH)
            assert (told().value if found else None) == expected
            is_left = any(one[:2] == (place, number) for one in naive.waiting)
            assert bool(int(thread["signals"])) == (is_left and expected is not None)


def test_one_too_many_is_delivered_without_its_facts(guest: Any) -> None:
    place = thread_addr(guest.new_thread(1))
    arena.view_words(tr.N_QUEUED, 1)[0] = tr.MAX_QUEUED - 1
    guest.ctx["thread"] = thread_addr(guest.main)
    assert signals.send_with_facts(guest.ctx, place, 40, SCRATCH) == signals.QUEUED
    after = arena.view_bytes(tr.QUEUE + tr.MAX_QUEUED * tr.QUEUED_BYTES, tr.QUEUED_BYTES)
    after[:] = 0xAA
    assert signals.send_with_facts(guest.ctx, place, 41, SCRATCH) == signals.LOST
    assert arena.view_words(tr.N_QUEUED, 1)[0] == tr.MAX_QUEUED and (after == 0xAA).all()
    guest.ctx["thread"] = place
    taken = [int(signals.take_due_signal(guest.ctx)) for _ in range(3)]
    assert taken == [40, 41, 0]
    assert not signal_queue.take_queued(guest.ctx, 41, SCRATCH)
