"""The ring of newest operations: what the kernels leave there, read back."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime.kernels.race.recording import note, note_in_ring
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race import trace_records as tr
from irsan.runtime.records.race.lock_records import MODE_WRITE
from irsan.runtime.views.sync_history import SyncStep, is_kept, newest_steps, paired, start_ring
from tests.conftest import fresh_guest

LOCK = memory_map.HEAP_LO + 64
PAST_EPOCH = 7 << 20 | 5


def ring_guest() -> Any:
    guest = fresh_guest()
    start_ring(guest.ctx)
    guest.ctx["epoch"] = PAST_EPOCH
    return guest


def test_a_lock_and_what_it_acquires_are_one_step() -> None:
    guest = ring_guest()
    assert is_kept(guest.ctx)
    for site, (operation, more) in enumerate(
        [(tr.ACQUIRE_ALL, 0), (tr.LOCKED, MODE_WRITE), (tr.RELEASE_STORE, 0), (tr.UNLOCKED, 1)], 1
    ):
        guest.ctx["site"] = site
        note(guest.ctx, operation, LOCK, more)
    found = [(step.action, step.address, step.epoch) for step in newest_steps(guest.ctx)]
    assert found == [("lock", LOCK, PAST_EPOCH), ("unlock", LOCK, PAST_EPOCH)]


def test_what_only_an_analysis_needs_is_no_step() -> None:
    guest = ring_guest()
    for operation in (tr.FORGET, tr.CLEAR, tr.FENCE_ACQUIRE, tr.FENCE_RELEASE):
        note(guest.ctx, operation, LOCK, 0)
    assert newest_steps(guest.ctx) == []


@pytest.mark.parametrize("n_notes", [tr.EVENTS_PER_BUFFER - 1, tr.EVENTS_PER_BUFFER + 3])
def test_the_ring_keeps_what_is_newest_in_order(n_notes: int) -> None:
    guest = ring_guest()
    for number in range(n_notes):
        note(guest.ctx, tr.RELEASE, LOCK + 8 * number, 0)
    steps = newest_steps(guest.ctx)
    n_kept = min(n_notes, tr.EVENTS_PER_BUFFER)
    assert [step.order for step in steps] == list(range(n_notes - n_kept, n_notes))
    assert [step.address for step in steps] == [LOCK + 8 * step.order for step in steps]


def test_without_a_ring_nothing_is_noted() -> None:
    guest = fresh_guest()
    note(guest.ctx, tr.RELEASE, LOCK, 0)
    assert not is_kept(guest.ctx)


def test_pairs_are_made_within_a_thread_only() -> None:
    def step(order: int, tid: int, action: Any) -> SyncStep:
        return SyncStep(order, tid, action, LOCK, 1, 1)

    steps = [
        step(0, 1, "acquire"), step(1, 2, "acquire"), step(2, 1, "lock"),
        step(3, 2, "release"), step(4, 2, "acquire"),
    ]  # fmt: skip
    found = [(one.order, one.tid, one.action) for one in paired(steps)]
    assert found == [(0, 1, "lock"), (1, 2, "acquire"), (3, 2, "release"), (4, 2, "acquire")]


def test_signals_are_steps_and_a_handler_acquires_from_who_has_set_it() -> None:
    guest = ring_guest()
    for operation, address, more in (
        (tr.RELEASE, LOCK, 0), (tr.HANDLER_SET, LOCK, 10), (tr.SIGNAL_SENT, 1, 10),
        (tr.HANDLER_BEGIN, LOCK, 10), (tr.ACQUIRE, LOCK, 0), (tr.HANDLER_END, 0, 10),
    ):  # fmt: skip
        note(guest.ctx, operation, address, more)
    assert [(one.action, one.address, one.signal) for one in newest_steps(guest.ctx)] == [
        ("set handler", LOCK, 10), ("send signal", 1, 10), ("begin handler", LOCK, 10),
        ("end handler", 0, 10),
    ]  # fmt: skip


def test_what_is_for_people_only_is_in_no_trace() -> None:
    guest = fresh_guest()
    guest.ctx["recording"]["mode"] = tr.INTO_PIPE
    guest.ctx["recording"]["written_to"] = tr.BUFFER
    note_in_ring(guest.ctx, tr.HANDLER_END, 0, 10)
    assert int(guest.ctx["recording"]["written_to"]) == tr.BUFFER
    guest.ctx["recording"]["mode"] = 0
