"""ioctl: how much each request reads and writes, and that only handle_ioctl asks for it."""

from __future__ import annotations

import fcntl
import os
import pty
import socket
import struct
import termios
from collections.abc import Iterator
from typing import Any

import pytest

SIOCGIFCONF, SIOCGIFMTU, SIOCSIFMTU = 0x8912, 0x8921, 0x8922
TIOCGPTN, TIOCSPTLCK = 0x80045430, 0x40045431  # encoded: an int out, an int in
BOTH_OF_24 = 3 << 30 | 24 << 16 | ord("x") << 8 | 1
IFREQ = b"lo".ljust(40, b"\0")


@pytest.mark.parametrize(
    ("request_", "n_read", "n_written"),
    [
        (termios.FIONBIO, 4, 0), (termios.FIONREAD, 0, 4), (termios.TIOCGWINSZ, 0, 8),
        (termios.TIOCSWINSZ, 8, 0), (termios.TCGETS, 0, 36), (termios.TCSETSW, 36, 0),
        (termios.TIOCSTI, 1, 0), (termios.TIOCGPGRP, 0, 4), (termios.TCSBRK, 0, 0),
        (termios.TIOCEXCL, 0, 0), (SIOCGIFMTU, 40, 40), (SIOCSIFMTU, 40, 0), (SIOCGIFCONF, 4, 0),
        (TIOCGPTN, 0, 4), (TIOCSPTLCK, 4, 0), (BOTH_OF_24, 24, 24), (0, 0, 0), (0x1234, 0, 0),
    ],
)  # fmt: skip
def test_what_a_request_touches(request_: int, n_read: int, n_written: int) -> None:
    from irsan.interceptors.files import ioctl

    assert ioctl.bytes_read_by(request_) == n_read
    assert ioctl.bytes_written_by(request_) == n_written


def test_the_tables_hold_what_the_system_does(terminal: int) -> None:
    """A byte behind what is written stays; the system fills no more than the table says."""
    from irsan.interceptors.files import ioctl

    for request in (termios.TIOCGWINSZ, termios.FIONREAD, termios.TCGETS, termios.TIOCGPGRP):
        n_written = int(ioctl.bytes_written_by(request))
        filled = [fcntl.ioctl(terminal, request, bytes([mark]) * 100) for mark in (0x5A, 0xA5)]
        assert filled[0][:n_written] == filled[1][:n_written]
        assert filled[0][n_written:] == b"\x5a" * (100 - n_written)


@pytest.fixture
def terminal() -> Iterator[int]:
    """The lower end of a terminal that this process leads a session on."""
    upper, lower = pty.openpty()
    yield upper
    os.close(upper)
    os.close(lower)


def test_nothing_is_checked_unless_asked(shelf: Any) -> None:
    short = shelf.place(bytes(3))
    with socket.socket() as plug:
        for is_asked in (False, True):
            shelf.ctx["interface"]["checks_ioctl"] = is_asked
            assert shelf.library.call("ioctl", plug.fileno(), termios.FIONBIO, short) == 0
            found = shelf.finding()
            assert (found is not None) is is_asked
    assert found is not None and found[1:3] == [short, 4] and not found[3] & 1


def test_what_a_request_writes(shelf: Any, terminal: int) -> None:
    shelf.ctx["interface"]["checks_ioctl"] = 1
    shelf.library.call("ioctl", terminal, termios.TIOCGWINSZ, shelf.place(bytes(8)))
    assert shelf.finding() is None
    short = shelf.place(bytes(6))
    shelf.library.call("ioctl", terminal, termios.TIOCGWINSZ, short)
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, 8] and found[3] & 1
    shelf.library.call("ioctl", -1, termios.TIOCGWINSZ, short)
    assert shelf.finding() is None  # it failed and wrote nothing


def test_the_list_of_interfaces_is_written(shelf: Any) -> None:
    shelf.ctx["interface"]["checks_ioctl"] = 1
    room = shelf.place(bytes(20))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
        whole = shelf.place(struct.pack("<i4xQ", 400, shelf.place(bytes(400))))
        assert shelf.library.call("ioctl", plug.fileno(), SIOCGIFCONF, whole) == 0
        assert shelf.finding() is None
        wrong = shelf.place(struct.pack("<i4xQ", 40, room))
        shelf.library.call("ioctl", plug.fileno(), SIOCGIFCONF, wrong)
    found = shelf.finding()
    assert found is None or found[1:3] == [room, 40]  # None: there is no interface here
