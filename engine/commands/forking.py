"""What processes need that fork others: messages, files in memory, children that end themselves."""

from __future__ import annotations

import ctypes
import os
import pickle
import socket
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from irsan.errors import InternalError

_LENGTH_BYTES = 8
_LIBC = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock


def send(channel: socket.socket, message: object) -> None:
    """Send one pickled message."""
    raw = pickle.dumps(message)
    channel.sendall(len(raw).to_bytes(_LENGTH_BYTES, "little") + raw)


def receive(channel: socket.socket) -> Any:
    """Receive one message; None at the end of the stream."""
    head = _read(channel, _LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "little")
    raw = _read(channel, size)
    return pickle.loads(raw) if len(raw) == size else None


def _read(channel: socket.socket, size: int) -> bytes:
    parts = []
    while size > 0 and (part := channel.recv(min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def memory_file(name: str) -> int:
    """Opened by its name: else processes that write at once would write to one place."""
    made = os.memfd_create(name)
    try:
        return os.open(f"/proc/self/fd/{made}", os.O_RDWR | os.O_CLOEXEC)
    finally:
        os.close(made)


def contents(descriptor: int) -> bytes:
    with open(descriptor, "rb") as stream:
        stream.seek(0)
        return stream.read()


def fork(act: Callable[[], int]) -> int:
    """Fork a child that does `act`, exits with its result, and never returns here."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        _act_and_exit(act)
    return child


def _act_and_exit(act: Callable[[], int]) -> NoReturn:
    status = InternalError.exit_status
    try:
        status = act()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def plain_fork() -> int:
    """fork(2) without what Python does behind it, which touches 180 pages.

    For a process with one thread whose children draw no random numbers and log nothing.
    """
    child = int(_LIBC.fork())
    if child < 0:
        raise OSError(ctypes.get_errno(), "cannot fork")
    return child
