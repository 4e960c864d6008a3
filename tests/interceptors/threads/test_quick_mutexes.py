"""The quick way of a mutex against the whole one: the same words of mutex, run and thread."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import mutexes, quick_mutexes
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.pthread_types import mutex_at
from irsan.runtime.kernels.threads.scheduler import make_runnable
from irsan.runtime.layout.memory_map import CONTEXT_ADDR
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE
from tests.support.green import SCRATCH, slot_to_addr

MUTEX = SCRATCH
WORDS = ("lock", "count", "owner", "n_waiters", "kind")
SMALL = st.sampled_from([0, 0, 0, 1, 2])
STATES = st.fixed_dictionaries(dict.fromkeys(WORDS, SMALL))
RUNS = st.fixed_dictionaries(
    {
        "fuel": st.sampled_from([-1, 0, 1, 5000]),
        "resuming": st.sampled_from([0, 0, 0, 1]),
        "is_watched": st.sampled_from([False, False, False, True]),
        "n_shared": st.sampled_from([0, 0, 1]),
        "others": st.booleans(),
    }
)


@kernel
def takes_quick_way(ctx: Context, addr: u64, is_lock: u64) -> bool:
    if is_lock != 0:
        return quick_mutexes.lock_quickly(ctx, mutex_at(addr))
    return quick_mutexes.unlock_quickly(ctx, mutex_at(addr))


@kernel
def lock_whole_way(ctx: Context, addr: u64) -> u64:
    return u64(mutexes.lock_mutex_until(ctx, mutex_at(addr), 0))


@kernel
def unlock_whole_way(ctx: Context, addr: u64) -> u64:
    return u64(mutexes.unlock_mutex(ctx, mutex_at(addr), addr))


def begin(guest: Any, words: dict[str, int], run: dict[str, Any]) -> None:
    ctx, thread = guest.ctx, guest.main
    (ctypes.c_uint32 * 5).from_address(MUTEX)[:] = [words[name] for name in WORDS]
    ctx["fuel"], ctx["outside"]["n_shared"] = run["fuel"], run["n_shared"]
    ctx["sanitize_thread"] = int(run["is_watched"])
    ctx["ignore_depth"] = 0 if run["is_watched"] else SINGLE
    thread["wait"]["resuming"] = run["resuming"]


def outcome(guest: Any, call: Callable[..., Any]) -> tuple[Any, ...]:
    """What a call returns, and all that it may have changed."""
    status = int(call(guest.ctx, MUTEX))
    return status, ctypes.string_at(MUTEX, 40), guest.ctx.tobytes(), guest.main.tobytes()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=STATES, run=RUNS, is_lock=st.booleans())
def test_what_is_done_quickly_is_what_the_whole_way_does(
    guest: Any, words: dict[str, int], run: dict[str, Any], is_lock: bool
) -> None:
    make_runnable(guest.ctx, slot_to_addr(0))
    if run["others"]:
        make_runnable(guest.ctx, guest.new_thread(1))
    whole = lock_whole_way if is_lock else unlock_whole_way
    places = [(CONTEXT_ADDR, CONTEXT_DTYPE.itemsize), (slot_to_addr(0), THREAD_DTYPE.itemsize)]
    saved = [ctypes.string_at(at, n_bytes) for at, n_bytes in places]
    begin(guest, words, run)
    if not takes_quick_way(guest.ctx, MUTEX, int(is_lock)):
        return
    quick = ctypes.string_at(MUTEX, 40), guest.ctx.tobytes(), guest.main.tobytes()
    for (at, n_bytes), content in zip(places, saved, strict=True):
        ctypes.memmove(at, content, n_bytes)
    begin(guest, words, run)
    assert outcome(guest, whole) == (0, *quick)
    assert not run["is_watched"] and run["n_shared"] == 0


def test_the_usual_lock_takes_the_quick_way(guest: Any) -> None:
    usual = dict.fromkeys(WORDS, 0)
    run = {"fuel": 5000, "resuming": 0, "is_watched": False, "n_shared": 0, "others": False}
    make_runnable(guest.ctx, slot_to_addr(0))
    begin(guest, usual, run)
    assert takes_quick_way(guest.ctx, MUTEX, 1)
    assert not takes_quick_way(guest.ctx, MUTEX, 1)
    assert takes_quick_way(guest.ctx, MUTEX, 0)
    assert not takes_quick_way(guest.ctx, MUTEX, 0)
