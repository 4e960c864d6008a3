"""Recording: what the kernels write, what they leave out, and that leaving out hides no race."""

from __future__ import annotations

import ctypes
import errno
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.recording import note, record_access, record_event, record_restart
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race import trace_records as tr
from tests.conftest import fresh_guest
from tests.support.traces import Event, Events, executions
from tests.traces.analysed import racy

ADDR = memory_map.HEAP_LO + 64
READ, WRITE, ATOMIC = 0, 1, 2
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("access"), st.integers(0, 1), st.sampled_from([0, 1, 3, 4, 6, 8]),
            st.sampled_from([1, 2, 4, 8, 16]), st.sampled_from([READ, WRITE, READ, WRITE, ATOMIC]),
        ),
        st.tuples(st.sampled_from(["event", "restart"]), st.integers(0, 1)),
    ),
    max_size=60,
)  # fmt: skip


@dataclass
class NaiveFilter:
    """The newest access of every 4 bytes, forgotten at each operation on threads or locks."""

    newest: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    seen: dict[int, set[int]] = field(default_factory=dict)

    def forget(self) -> None:
        self.newest.clear()

    def leaves_out(self, tid: int, addr: int, size: int, kind: int) -> bool:
        cells = range(addr // 4, (addr + size - 1) // 4 + 1)
        if len(cells) > 2:
            return False
        known = [self.is_repeated(cell, tid, addr, size, kind) for cell in cells]
        return all(known)

    def is_repeated(self, cell: int, tid: int, addr: int, size: int, kind: int) -> bool:
        if kind & ATOMIC:
            self.newest.pop(cell, None)
            return False
        if self.newest.get(cell) != (tid, addr, size):
            self.newest[cell] = tid, addr, size
            self.seen[cell] = {kind}
            return False
        is_known = kind in self.seen[cell] or WRITE in self.seen[cell]
        self.seen[cell].add(kind)
        return is_known


def recording_guest(descriptor: int = -1, *, is_filtered: bool = True) -> Any:
    """A guest that records, with two threads."""
    guest = fresh_guest()
    guest.new_thread(1)
    words = guest.ctx["recording"]
    words["written_to"] = tr.BUFFER
    words["descriptor"] = descriptor & 0xFFFF_FFFF
    words["is_filtered"] = int(is_filtered)
    words["mode"] = tr.INTO_PIPE
    guest.ctx["c_library"]["errno_addr"] = ctypes.addressof(ERRNO)
    return guest


ERRNO = ctypes.c_int32(0)


def recorded(ctx: Any) -> list[tuple[int, int, int, int, int]]:
    """What is in the buffer: operation, thread, site, address, more."""
    n_words = (int(ctx["recording"]["written_to"]) - tr.BUFFER) // 8
    words = list((ctypes.c_uint64 * n_words).from_address(tr.BUFFER))
    rows = zip(words[::3], words[1::3], words[2::3], strict=True)
    return [(w & 255, w >> 8 & 0xFF_FFFF, w >> 32, addr, more) for w, addr, more in rows]


@pytest.mark.parametrize("is_filtered", [True, False])
def test_accesses_are_recorded_but_for_repeats(is_filtered: bool) -> None:
    @settings(max_examples=100, deadline=None)
    @given(STEPS)
    def check(steps: list[tuple[Any, ...]]) -> None:
        guest = recording_guest(is_filtered=is_filtered)
        threads = [guest.main, guest.new_thread(1)]
        naive, expected = NaiveFilter(), []
        for site, (verb, tid, *rest) in enumerate(steps, 1):
            guest.switch_to(threads[tid])
            guest.ctx["site"] = site
            if verb == "access":
                addr, size, kind = ADDR + rest[0], rest[1], rest[2]
                record_access(guest.ctx, addr, size, kind)
                if not (naive.leaves_out(tid, addr, size, kind) and is_filtered):
                    expected.append((tr.ACCESS, tid, site, addr, size | kind << tr.KIND_SHIFT))
                continue
            naive.forget()
            if verb == "event":
                record_event(guest.ctx, tr.RELEASE, ADDR + 800, 7)
                expected.append((tr.RELEASE, tid, site, ADDR + 800, 7))
            else:
                record_restart(guest.ctx, ADDR, 100, 4)
                expected.append((tr.RESTART, tid, site, ADDR, 100 | 4 << tr.KIND_SHIFT))
        assert recorded(guest.ctx) == expected

    check()


def test_nothing_is_noted_unless_the_run_is_recorded() -> None:
    guest = recording_guest()
    guest.ctx["recording"]["mode"] = 0
    note(guest.ctx, tr.RELEASE, ADDR, 0)
    assert recorded(guest.ctx) == []


def test_a_full_buffer_is_handed_over(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    with path.open("wb") as file:
        guest = recording_guest(file.fileno())
        for i in range(tr.EVENTS_PER_BUFFER + 3):
            record_event(guest.ctx, tr.RELEASE, i, 0)
    raw = path.read_bytes()
    assert len(raw) == tr.BUFFER_BYTES
    addresses = [int.from_bytes(raw[at : at + 8], "little") for at in range(8, len(raw), 24)]
    assert addresses == list(range(tr.EVENTS_PER_BUFFER))
    assert [row[3] for row in recorded(guest.ctx)] == [tr.EVENTS_PER_BUFFER + i for i in range(3)]


def test_a_pipe_that_takes_no_more_ends_the_recording(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "raw", os.O_RDONLY | os.O_CREAT)
    libc = ctypes.CDLL(None, use_errno=False)
    libc.__errno_location.restype = ctypes.c_void_p
    guest = recording_guest(descriptor)
    guest.ctx["c_library"]["errno_addr"] = libc.__errno_location()
    for i in range(tr.EVENTS_PER_BUFFER):
        record_event(guest.ctx, tr.RELEASE, i, 0)
    os.close(descriptor)
    words = guest.ctx["recording"]
    assert (int(words["mode"]), int(words["lost_errno"])) == (0, errno.EBADF)


def without_repeats(events: Events) -> Events:
    """The events that recording keeps; a variable is a place."""
    naive = NaiveFilter()
    places: dict[str, int] = {}
    kept = []
    for event in events:
        if event.op in ("r", "w"):
            place = 4 * places.setdefault(event.target, len(places))
            kind = WRITE if event.op == "w" else READ
            if naive.leaves_out(int(event.thread[1:]), place, 4, kind):
                continue
        else:
            naive.forget()
        kept.append(event)
    return kept


# In the others' orders accesses stand, too: see the test behind.
ANALYSES = ["hb", "fasttrack", "wcp", "lockset"]


@pytest.mark.parametrize("analysis", ANALYSES)
def test_the_same_variables_have_races_without_repeats(analysis: str) -> None:
    @settings(max_examples=100, deadline=None)
    @given(executions(40, n_threads=3, n_locks=2, n_variables=2))
    def check(events: Events) -> None:
        kept = without_repeats(events)
        every, few = ({e[n - 1].target for n in racy(e, analysis)} for e in (events, kept))
        assert few == every

    check()


@pytest.mark.parametrize("analysis", ["hb", "shb", "maz", "syncp"])
def test_orders_of_accesses_may_need_every_access(analysis: str) -> None:
    """The second write of x is left out; the first is before T1's read of y, so before its x."""
    words = ["T0 w x", "T0 w y", "T1 r y", "T0 w x", "T1 w x"]
    events = [Event(*word.split()) for word in words]
    kept = without_repeats(events)
    assert len(kept) == len(events) - 1
    found = [{e[n - 1].target for n in racy(e, analysis)} for e in (events, kept)]
    assert found == [{"x", "y"}, {"x", "y"} if analysis == "hb" else {"y"}]
