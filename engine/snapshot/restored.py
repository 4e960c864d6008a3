"""What differs from process to process, renewed in one that goes on from a snapshot.

    environment, arguments     of the process that was started
    streams                    as Python makes them at its start
    signals                    those that were ignored stay ignored
    stack size of new threads  as the C library takes it from the limit

Sources: `init_sys_streams` in pylifecycle.c and `signal_install_handlers` of CPython;
`__pthread_initialize_minimal` of glibc.
"""

from __future__ import annotations

import ctypes
import io
import os
import resource
import signal
import sys
import threading
import time
from typing import Any, Final, NoReturn

_N_SIGNALS: Final = 64
_ALWAYS_IGNORED: Final = (signal.SIGPIPE, signal.SIGXFSZ)  # by Python
_MIN_STACK_BYTES: Final = 16384
_ARCH_STACK_BYTES: Final = 2 << 20
_PAGE_BYTES: Final = 4096
_ATTRIBUTES_BYTES: Final = 64  # more than pthread_attr_t has


class Mailbox(ctypes.Structure):
    """What the restorer leaves for the process (struct mailbox in restore.c)."""

    _fields_ = [
        ("is_restored", ctypes.c_uint64),
        ("argc", ctypes.c_uint64),
        ("argv", ctypes.c_uint64),
        ("environment", ctypes.c_uint64),
        ("ignored_signals", ctypes.c_uint64),
        ("restorer_lo", ctypes.c_uint64),
        ("restorer_hi", ctypes.c_uint64),
    ]


def renew_process(mailbox: Mailbox) -> list[str]:
    """Make this process the one that was started; the words that it was given."""
    libc = ctypes.CDLL(None)
    _unmap(libc, mailbox.restorer_lo, mailbox.restorer_hi)
    _renew_environment(libc, mailbox.environment)
    _renew_signals(mailbox.ignored_signals)
    _renew_streams()
    _renew_thread_size(libc)
    threading.main_thread()._set_native_id()  # type: ignore[attr-defined]
    words = [os.fsdecode(raw) for raw in _texts(mailbox.argv)]
    sys.argv[1:] = words
    return words


def start_python(mailbox: Mailbox, boot: str) -> NoReturn:
    """Start the program as without a snapshot, in this process. Raises OSError when it fails.

    boot: what Python is given, as the restorer gives it.
    """
    for number in _ALWAYS_IGNORED:
        if not mailbox.ignored_signals >> (number - 1) & 1:
            signal.signal(number, signal.SIG_DFL)
    python = os.fsencode(sys.executable)
    command = [python, b"-E", b"-Xutf8", b"-c", os.fsencode(boot), *_texts(mailbox.argv)]
    libc = ctypes.CDLL(None, use_errno=True)
    words = (ctypes.c_char_p * (len(command) + 1))(*command, None)
    libc.execve(python, words, ctypes.c_void_p(mailbox.environment))
    raise OSError(ctypes.get_errno(), f"{sys.executable} cannot be started")


def _unmap(libc: ctypes.CDLL, lo: int, hi: int) -> None:
    libc.munmap(ctypes.c_void_p(lo), ctypes.c_size_t(hi - lo))


def _renew_environment(libc: ctypes.CDLL, address: int) -> None:
    """The C library's, and what Python keeps of it: the first of a name counts."""
    ctypes.c_uint64.in_dll(libc, "environ").value = address
    kept: Any = os.environ
    kept._data.clear()
    for raw in _texts(address):
        name, sign, value = raw.partition(b"=")
        if sign:
            kept._data.setdefault(name, value)
    time.tzset()


def _texts(address: int) -> list[bytes]:
    """Strings of an array that ends with a null pointer."""
    found = []
    while pointer := ctypes.c_uint64.from_address(address).value:
        found.append(ctypes.string_at(pointer))
        address += 8
    return found


def _renew_signals(ignored: int) -> None:
    for number in range(1, _N_SIGNALS + 1):
        if ignored >> (number - 1) & 1:
            _ignore(number)
    if not ignored >> (signal.SIGINT - 1) & 1:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in _ALWAYS_IGNORED:
        signal.signal(number, signal.SIG_IGN)


def _ignore(number: int) -> None:
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):  # the C library's own; the kernel has it ignored already
        return


def _renew_streams() -> None:
    sys.stdin = sys.__stdin__ = _stream(0, "r", "strict")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w", "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w", "backslashreplace")  # type: ignore[misc]


def _stream(descriptor: int, mode: str, errors: str) -> Any:
    """One of the three; None where the descriptor is closed."""
    try:
        os.fstat(descriptor)
        raw = open(descriptor, f"{mode}b", closefd=False)  # noqa: SIM115
    except OSError:
        return None
    is_prompt = descriptor == 2 or os.isatty(descriptor)
    return io.TextIOWrapper(raw, "utf-8", errors, newline="\n", line_buffering=is_prompt)


def _renew_thread_size(libc: ctypes.CDLL) -> None:
    """The stack of threads that native code starts: the saved process had a limit of its own."""
    soft = resource.getrlimit(resource.RLIMIT_STACK)[0]
    size = _ARCH_STACK_BYTES if soft == resource.RLIM_INFINITY else max(soft, _MIN_STACK_BYTES)
    attributes = ctypes.create_string_buffer(_ATTRIBUTES_BYTES)
    libc.pthread_attr_init(attributes)
    rounded = -(-size // _PAGE_BYTES) * _PAGE_BYTES
    libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(rounded))
    libc.pthread_setattr_default_np(attributes)
    libc.pthread_attr_destroy(attributes)
