"""Calls on sockets and pipes let others run while they wait, and end with what they should."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from irsan.interceptors.network import partial_writes, recv, send
from irsan.interceptors.threads import sleeps
from tests.support.green import SCRATCH, Body, GreenGuest, run_workers

BIG = 1_000_000
PIECES, HEADER = SCRATCH + 0x200, SCRATCH + 0x300
MESSAGES = SCRATCH + 0x400
FAILED = -1
MS = 10**6


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def errno_place() -> int:
    """The host's own errno: the calls here are made for real."""
    location = ctypes.CDLL(None).__errno_location
    location.restype = ctypes.c_void_p
    return int(location())


def run_real(green: GreenGuest, main: Body, *workers: Body) -> str:
    """Run main and the workers, with the host's errno as theirs."""

    def everything() -> Body:
        green.ctx["c_library"]["errno_addr"] = errno_place()
        return (yield from main)

    return run_workers(green, everything(), *workers)


def limit(one: socket.socket, option: int, microseconds: int) -> None:
    one.setsockopt(socket.SOL_SOCKET, option, struct.pack("<qq", 0, microseconds))


def reads(end: Any, log: list[int], n_bytes: int) -> Body:
    """Receive n_bytes a little at a time, and check that they come in order."""
    part = ctypes.create_string_buffer(50_000)
    n_came = 0
    while n_came < n_bytes:
        n = yield recv.receive_bytes, end, ctypes.addressof(part), len(part), 0
        assert n > 0 and part.raw[:n] == bytes((n_came + i) % 251 for i in range(n))
        n_came += n
    log.append(n_came)
    return 0


def pattern(n_bytes: int) -> Any:
    return ctypes.create_string_buffer(bytes(i % 251 for i in range(n_bytes)), n_bytes)


def put_pieces(base: int, *sizes: int) -> None:
    """struct iovec for pieces one behind the other, and a message of them."""
    raw = b""
    for size in sizes:
        raw, base = raw + struct.pack("<QQ", base, size), base + size
    ctypes.memmove(PIECES, raw, len(raw))
    header = struct.pack("<QQQQQQQ", 0, 0, PIECES, len(sizes), 0, 0, 0)
    ctypes.memmove(HEADER, header, len(header))
    ctypes.memmove(MESSAGES, header + bytes(8), 64)


def call_of(way: str, end: int, address: int) -> tuple[Any, ...]:
    put_pieces(address, 3, 0, BIG // 2, BIG - BIG // 2 - 3)
    return {
        "send": (send.send_bytes, end, address, BIG, 0),
        "sendto": (send.send_to, end, address, BIG, 0, 0, 0),
        "sendmsg": (send.send_message, end, HEADER, 0),
        "sendmmsg": (send.send_messages, end, MESSAGES, 1, 0),
        "write": (partial_writes.i_write, end, address, BIG),
        "writev": (partial_writes.write_list, end, PIECES, 4),
    }[way]


@pytest.mark.parametrize("way", ["send", "sendto", "sendmsg", "sendmmsg", "write", "writev"])
def test_more_than_fits_goes_in_parts(green: GreenGuest, pair: Any, way: str) -> None:
    log: list[int] = []
    bytes_ = pattern(BIG)

    def main() -> Body:
        sent = yield call_of(way, pair[0].fileno(), ctypes.addressof(bytes_))
        assert sent == (1 if way == "sendmmsg" else BIG)
        while not log:
            yield sleeps.i_usleep, 10
        return 0

    assert run_real(green, main(), reads(pair[1].fileno(), log, BIG)) == "ended"
    assert log == [BIG]


def test_a_list_goes_through_a_pipe(green: GreenGuest) -> None:
    ends = os.pipe()
    bytes_ = pattern(BIG)
    came = bytearray()

    def main() -> Body:
        assert (yield call_of("writev", ends[1], ctypes.addressof(bytes_))) == BIG
        return 0

    def reader() -> Body:
        while len(came) < BIG:
            came.extend(os.read(ends[0], 70_000))
            yield sleeps.i_usleep, 10
        return 0

    assert run_real(green, main(), reader()) == "ended"
    assert bytes(came) == bytes_.raw
    for end in ends:
        os.close(end)


def idler(over: list[int]) -> Body:
    while not over:
        yield sleeps.i_usleep, 1000
    return 0


@pytest.mark.parametrize("flags", [socket.MSG_DONTWAIT, socket.MSG_OOB, socket.MSG_ERRQUEUE])
def test_flags_that_do_not_wait(green: GreenGuest, pair: Any, flags: int) -> None:
    over: list[int] = []
    place = SCRATCH + 0x100

    def main() -> Body:
        end = pair[0].fileno()
        assert (yield recv.receive_bytes, end, place, 4, flags) == FAILED
        over.append(1)
        return 0

    assert run_real(green, main(), idler(over)) == "ended"


@pytest.mark.parametrize("is_by_flag", [True, False])
def test_a_program_that_does_not_wait_sends_a_part(
    green: GreenGuest, pair: Any, is_by_flag: bool
) -> None:
    over: list[int] = []
    bytes_ = pattern(BIG)
    if not is_by_flag:
        pair[0].setblocking(False)

    def main() -> Body:
        end, flags = pair[0].fileno(), socket.MSG_DONTWAIT if is_by_flag else 0
        address = ctypes.addressof(bytes_)
        over.append((yield send.send_bytes, end, address, BIG, flags))
        assert (yield send.send_bytes, end, address, BIG, flags) == FAILED
        return 0

    assert run_real(green, main(), idler(over)) == "ended"
    assert 0 < over[0] < BIG


@pytest.mark.parametrize(("n_bytes", "ends"), [(12, False), (20, True)])
def test_waitall_waits_for_all_or_the_end(
    green: GreenGuest, pair: Any, n_bytes: int, ends: bool
) -> None:
    place = SCRATCH + 0x100

    def main() -> Body:
        end = pair[1].fileno()
        flags = socket.MSG_WAITALL
        assert (yield recv.receive_bytes, end, place, n_bytes, flags) == 12
        return 0

    def sender() -> Body:
        for part in (b"abcd", b"efgh", b"ijkl"):
            pair[0].send(part)
            yield sleeps.i_usleep, 1000
        if ends:
            pair[0].shutdown(socket.SHUT_WR)
        return 0

    assert run_real(green, main(), sender()) == "ended"
    assert ctypes.string_at(place, 12) == b"abcdefghijkl"


@pytest.mark.parametrize("sent", [b"", b"abc"])
def test_the_time_of_a_socket_ends_a_call(green: GreenGuest, pair: Any, sent: bytes) -> None:
    over: list[int] = []
    limit(pair[0], socket.SO_RCVTIMEO, 20_000)
    pair[1].send(sent)

    def main() -> Body:
        end, place = pair[0].fileno(), SCRATCH + 0x100
        began = int(green.ctx["schedule"]["clock_ns"])
        n = yield recv.receive_bytes, end, place, 8, socket.MSG_WAITALL
        assert n == (len(sent) or FAILED)
        assert 20 * MS <= int(green.ctx["schedule"]["clock_ns"]) - began < 30 * MS
        over.append(1)
        return 0

    assert run_real(green, main(), idler(over)) == "ended"


def test_a_reader_that_is_gone_leaves_a_part(green: GreenGuest, pair: Any) -> None:
    bytes_ = pattern(BIG)

    def main() -> Body:
        end = pair[0].fileno()
        flags = socket.MSG_NOSIGNAL
        n = yield send.send_bytes, end, ctypes.addressof(bytes_), BIG, flags
        assert 0 < n < BIG
        assert (yield send.send_bytes, end, ctypes.addressof(bytes_), 1, flags) == FAILED
        return 0

    def reader() -> Body:
        yield sleeps.i_usleep, 1000
        pair[1].close()
        return 0

    assert run_real(green, main(), reader()) == "ended"


def test_recvmmsg_takes_messages_as_they_come(green: GreenGuest) -> None:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    raw = b""
    for i in range(2):
        put_pieces(SCRATCH + 0x600 + 16 * i, 16)
        ctypes.memmove(PIECES + 0x40 + 16 * i, PIECES, 16)
        raw += struct.pack("<QQQQQQQQ", 0, 0, PIECES + 0x40 + 16 * i, 1, 0, 0, 0, 0)
    ctypes.memmove(MESSAGES, raw, len(raw))

    def main() -> Body:
        assert (yield recv.receive_messages, here.fileno(), MESSAGES, 2, 0, 0) == 2
        return 0

    def sender() -> Body:
        for text in (b"one", b"three"):
            yield sleeps.i_usleep, 1000
            there.send(text)
        return 0

    with here, there:
        assert run_real(green, main(), sender()) == "ended"
    assert ctypes.string_at(SCRATCH + 0x600, 3) == b"one"
    assert ctypes.string_at(SCRATCH + 0x610, 5) == b"three"
    lengths = [ctypes.c_uint32.from_address(MESSAGES + 56 + 64 * i).value for i in range(2)]
    assert lengths == [3, 5]
