"""poll, select and epoll_wait: others run while they wait, and a timeout is virtual time."""

from __future__ import annotations

import ctypes
import errno
import os
import select
import signal
import struct

import pytest

from irsan.interceptors.system import blocking
from irsan.runtime.kernels.threads.waiting import FOREVER
from tests.support.green import SCRATCH, Body, GreenGuest, run_workers

MS = 10**6
FAILED = -1
POLLS, EVENTS = SCRATCH + 0x400, SCRATCH + 0x500
READS, WRITES, TIMEOUT = SCRATCH + 0x600, SCRATCH + 0x700, SCRATCH + 0x800
MASK = SCRATCH + 0x900
SET_BYTES = 128  # sizeof(fd_set)


def put(addr: int, raw: bytes) -> None:
    ctypes.memmove(addr, raw, len(raw))


def get(addr: int, n_bytes: int) -> bytes:
    return ctypes.string_at(addr, n_bytes)


def put_poll(descriptor: int, events: int) -> None:
    put(POLLS, struct.pack("<ihh", descriptor, events, 0))


def answer() -> int:
    """revents of the one pollfd."""
    (found,) = struct.unpack("<h", get(POLLS + 6, 2))
    return int(found)


def fd_set(*descriptors: int) -> bytes:
    return sum(1 << one for one in descriptors).to_bytes(SET_BYTES, "little")


def errno_of(green: GreenGuest) -> int:
    return ctypes.c_int.from_address(int(green.ctx["c_library"]["errno_addr"])).value


def ask(green: GreenGuest, *call: object) -> int:
    """What one call in main gives, with no other thread."""
    got: list[int] = []

    def main() -> Body:
        got.append((yield call))
        return 0

    run_workers(green, main())
    return got[0]


def writes_later(end: int, log: list[str]) -> Body:
    """Some safepoints, then a byte."""
    for _ in range(5):
        yield None
    log.append("written")
    os.write(end, b"x")
    return 0


@pytest.mark.parametrize(
    ("timeout_ms", "duration_ns"), [(0, 0), (1, MS), (2**31 - 1, (2**31 - 1) * MS), (-1, FOREVER)]
)
def test_a_negative_timeout_is_no_limit(timeout_ms: int, duration_ns: int) -> None:
    assert blocking.milliseconds_to_ns(timeout_ms) == int(duration_ns)


@pytest.mark.parametrize("word", [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 + 5])
def test_an_int_is_the_low_half_of_a_word(word: int) -> None:
    assert blocking.as_int(word) == ctypes.c_int(word & 0xFFFF_FFFF).value


def test_the_timeout_of_poll_is_virtual_time(green: GreenGuest, pipe: tuple[int, int]) -> None:
    put_poll(pipe[0], select.POLLIN)
    began = int(green.ctx["schedule"]["clock_ns"])
    assert ask(green, blocking.i_poll, POLLS, 1, 300) == 0
    assert int(green.ctx["schedule"]["clock_ns"]) - began >= 300 * MS - 1
    assert answer() == 0


def test_poll_lets_others_run_until_there_is_something(
    green: GreenGuest, pipe: tuple[int, int]
) -> None:
    log: list[str] = []

    def main() -> Body:
        put_poll(pipe[0], select.POLLIN)
        found = yield blocking.i_poll, POLLS, 1, -1
        log.append(f"{found} ready")
        return 0

    run_workers(green, main(), writes_later(pipe[1], log))
    assert log == ["written", "1 ready"]
    assert answer() == select.POLLIN


def test_poll_of_nothing_sleeps(green: GreenGuest) -> None:
    began = int(green.ctx["schedule"]["clock_ns"])
    assert ask(green, blocking.i_poll, 0, 0, 50) == 0
    assert int(green.ctx["schedule"]["clock_ns"]) - began >= 50 * MS - 1


def test_poll_tells_of_a_descriptor_that_is_closed(green: GreenGuest) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    os.close(writes)
    put_poll(reads, select.POLLIN)
    assert ask(green, blocking.i_poll, POLLS, 1, -1) == 1
    assert answer() == select.POLLNVAL


def test_select_leaves_those_that_are_ready_and_its_timeout(
    green: GreenGuest, pipe: tuple[int, int]
) -> None:
    timeout = struct.pack("<qq", 3, 250_000)
    put(TIMEOUT, timeout)
    put(READS, fd_set(pipe[0]))
    put(WRITES, fd_set(pipe[1]))
    assert ask(green, blocking.i_select, max(pipe) + 1, READS, WRITES, 0, TIMEOUT) == 1
    assert get(READS, SET_BYTES) == fd_set()
    assert get(WRITES, SET_BYTES) == fd_set(pipe[1])
    assert get(TIMEOUT, 16) == timeout


def test_the_timeout_of_select_is_virtual_time(green: GreenGuest, pipe: tuple[int, int]) -> None:
    put(TIMEOUT, struct.pack("<qq", 1, 50_000))
    put(READS, fd_set(pipe[0]))
    began = int(green.ctx["schedule"]["clock_ns"])
    assert ask(green, blocking.i_select, pipe[0] + 1, READS, 0, 0, TIMEOUT) == 0
    assert int(green.ctx["schedule"]["clock_ns"]) - began >= 1050 * MS - 1
    assert get(READS, SET_BYTES) == fd_set()


def test_select_lets_others_run_until_there_is_something(
    green: GreenGuest, pipe: tuple[int, int]
) -> None:
    log: list[str] = []

    def main() -> Body:
        put(READS, fd_set(pipe[0]))
        found = yield blocking.i_select, pipe[0] + 1, READS, 0, 0, 0
        log.append(f"{found} ready")
        return 0

    run_workers(green, main(), writes_later(pipe[1], log))
    assert log == ["written", "1 ready"]
    assert get(READS, SET_BYTES) == fd_set(pipe[0])


@pytest.mark.parametrize("limit", [-1, 1025])
def test_select_refuses_what_a_set_has_no_room_for(green: GreenGuest, limit: int) -> None:
    before = fd_set(0, 5, 1023)
    put(READS, before)
    assert ask(green, blocking.i_select, limit, READS, 0, 0, 0) == FAILED
    assert errno_of(green) == errno.EINVAL
    assert get(READS, SET_BYTES) == before


def test_epoll_gives_events_and_waits_for_them(green: GreenGuest, pipe: tuple[int, int]) -> None:
    log: list[str] = []
    with select.epoll() as epoll:
        epoll.register(pipe[0], select.EPOLLIN)

        def main() -> Body:
            log.append(f"{(yield blocking.i_epoll_wait, epoll.fileno(), EVENTS, 4, 20)} at once")
            found = yield blocking.i_epoll_wait, epoll.fileno(), EVENTS, 4, -1
            log.append(f"{found} ready")
            return 0

        run_workers(green, main(), writes_later(pipe[1], log))
    assert sorted(log[:2]) == ["0 at once", "written"] or log[0] == "written"
    assert log[-1] == "1 ready"
    events, data = struct.unpack("<IQ", get(EVENTS, 12))
    assert (events, data & 0xFFFF_FFFF) == (select.EPOLLIN, pipe[0])


def test_epoll_without_room_is_an_error(green: GreenGuest) -> None:
    with select.epoll() as epoll:
        assert ask(green, blocking.i_epoll_wait, epoll.fileno(), EVENTS, 0, -1) == FAILED


@pytest.mark.parametrize("name", ["ppoll", "pselect", "epoll_pwait"])
def test_the_mask_of_a_wait_is_gone_behind_it(
    green: GreenGuest, pipe: tuple[int, int], name: str
) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    put(MASK, (1 << (signal.SIGUSR2 - 1)).to_bytes(8, "little"))
    put(TIMEOUT, struct.pack("<qq", 0, 20 * MS))
    put_poll(pipe[0], select.POLLIN)
    put(READS, fd_set(pipe[0]))
    with select.epoll() as epoll:
        epoll.register(pipe[0], select.EPOLLIN)
        calls: dict[str, tuple[object, ...]] = {
            "ppoll": (blocking.i_ppoll, POLLS, 1, TIMEOUT, MASK),
            "pselect": (blocking.i_pselect, pipe[0] + 1, READS, 0, 0, TIMEOUT, MASK),
            "epoll_pwait": (blocking.i_epoll_pwait, epoll.fileno(), EVENTS, 1, 20, MASK),
        }
        began = int(green.ctx["schedule"]["clock_ns"])
        assert ask(green, *calls[name]) == 0
    assert int(green.ctx["schedule"]["clock_ns"]) - began >= 20 * MS - 1
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
