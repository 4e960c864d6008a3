"""Who is at the other end of a socket, as far as time cares."""

from __future__ import annotations

import ctypes
import errno
import socket
import struct
from typing import Any

import pytest

from irsan.interceptors.network import peers, sendmsg_readv
from tests.support.green import SCRATCH

FAILED = -1
ERRNO = SCRATCH + 256


@pytest.fixture(params=[socket.AF_INET, socket.AF_INET6])
def listener(request: pytest.FixtureRequest) -> Any:
    try:
        one = socket.create_server(("", 0), family=request.param)
    except OSError as error:
        pytest.skip(f"no sockets of this family here: {error}")
    with one:
        yield one


def address_of(one: socket.socket) -> int:
    """Place of the socket's address, as a struct sockaddr."""
    family, port = int(one.family), one.getsockname()[1]
    ctypes.memmove(SCRATCH, struct.pack("=H", family) + struct.pack(">H", port) + bytes(124), 128)
    return SCRATCH


def others(guest: Any) -> int:
    return int(guest.ctx["outside"]["others"])


def set_errno(guest: Any, number: int) -> None:
    guest.ctx["c_library"]["errno_addr"] = ERRNO
    ctypes.c_int.from_address(ERRNO).value = number


@pytest.mark.parametrize(("number", "wanted"), [(errno.EINPROGRESS, 1), (errno.ECONNREFUSED, 0)])
def test_a_connect_that_does_not_wait_names_another_process(
    guest: Any, listener: socket.socket, number: int, wanted: int
) -> None:
    with socket.socket(listener.family) as plug:
        set_errno(guest, number)
        sendmsg_readv.connected(guest.ctx, FAILED, plug.fileno(), address_of(listener))
    assert others(guest) == wanted


def test_a_port_of_the_program_is_nobody_elses(guest: Any, listener: socket.socket) -> None:
    set_errno(guest, 0)
    peers.note_own_port(guest.ctx, listener.fileno())
    peers.note_peer_at(guest.ctx, address_of(listener))
    assert others(guest) == 0


def test_a_connected_socket_tells_its_peer(guest: Any, listener: socket.socket) -> None:
    set_errno(guest, 0)
    with socket.create_connection(listener.getsockname()[:2]) as plug:
        sendmsg_readv.connected(guest.ctx, 0, plug.fileno(), address_of(listener))
        assert others(guest) == 1  # the kernels do not know of the test's own listener
        peers.note_own_port(guest.ctx, listener.fileno())
        sendmsg_readv.connected(guest.ctx, 0, plug.fileno(), address_of(listener))
        assert others(guest) == 1


def test_names_of_the_own_machine_have_no_port(guest: Any) -> None:
    ctypes.memmove(SCRATCH, struct.pack("=H", socket.AF_UNIX) + b"/a\0", 5)
    peers.note_peer_at(guest.ctx, SCRATCH)
    assert others(guest) == 0
