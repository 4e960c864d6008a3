"""Objects behind pointers: an exact one is enough, a byte less is found, a failure writes none."""

from __future__ import annotations

import ctypes
import locale
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LOOPBACK = struct.pack("<HHBBBB8x", 2, 0, 127, 0, 0, 1)

# name, arguments ("out" is the object, "in" another whole one), size of the object in bytes
WRITERS: tuple[tuple[str, tuple[Any, ...], int], ...] = (
    ("stat", (b"/\0", "out"), 144),
    ("lstat64", (b"/\0", "out"), 144),
    ("fstatat", (-100, b"/\0", "out", 0), 144),
    ("__xstat", (1, b"/\0", "out"), 144),
    ("statx", (-100, b"/\0", 0, 0, "out"), 256),
    ("statvfs", (b"/\0", "out"), 112),
    ("statfs", (b"/\0", "out"), 120),
    ("getrusage", (0, "out"), 144),
    ("getrlimit", (0, "out"), 16),
    ("uname", ("out",), 390),
    ("sysinfo", ("out",), 112),
    ("gethostname", ("out", 200), len(socket.gethostname()) + 1),
    ("readlink", (b"/proc/self/root\0", "out", 50), 1),
    ("getrandom", ("out", 9, 0), 9),
    ("__xpg_strerror_r", (2, "out", 100), len(os.strerror(2)) + 1),
    ("sigemptyset", ("out",), 8),
    ("time", ("out",), 8),
    ("clock_gettime", (1, "out"), 16),
    ("gettimeofday", ("out", 0), 16),
    ("timespec_get", ("out", 1), 16),
    ("localtime_r", (bytes(8), "out"), 56),
    ("gmtime_r", (bytes(8), "out"), 56),
    ("asctime_r", (bytes(56), "out"), 26),
    ("ctime_r", (bytes(8), "out"), 26),
    ("mktime", ("out",), 56),
    ("timegm", ("out",), 56),
    ("strftime", ("out", 40, b"%H:%M\0", bytes(56)), 6),
    ("strptime", (b"1999\0", b"%Y\0", "out"), 56),
    ("clock_getres", (0, "out"), 16),
    ("times", ("out",), 32),
    ("frexp", (1.5, "out"), 4),
    ("frexpl", (1.5, "out"), 4),
    ("modff", (1.5, "out"), 4),
    ("modf", (1.5, "out"), 8),
    ("modfl", (1.5, "out"), 16),
    ("lgamma_r", (1.5, "out"), 4),
    ("remquof", (1.5, 1.0, "out"), 4),
    ("sincos", (1.5, "out", bytes(8)), 8),
    ("sincosf", (1.5, bytes(4), "out"), 4),
    ("rand_r", ("out",), 4),
    ("mbstowcs", ("out", b"abc\0", 9), 16),
    ("wcstombs", ("out", "ab\0".encode("utf-32-le"), 9), 3),
    ("mbrtowc", ("out", b"a", 1, bytes(8)), 4),
    ("mbtowc", ("out", b"a", 1), 4),
    ("wcrtomb", ("out", 65, bytes(8)), 1),
    ("wctomb", ("out", 65), 1),
    ("inet_ntop", (2, bytes([127, 0, 0, 1]), "out", 30), 10),
    ("inet_pton", (2, b"127.0.0.1\0", "out"), 4),
    ("inet_pton", (10, b"::1\0", "out"), 16),
    ("inet_aton", (b"127.0.0.1\0", "out"), 4),
    ("getnameinfo", (LOOPBACK, 16, "out", 40, 0, 0, 1), 10),
    ("getifaddrs", ("out",), 8),
    ("getprotobyname_r", (b"tcp\0", "out", bytes(999), 999, bytes(8)), 24),
    ("getprotobynumber_r", (6, bytes(24), bytes(999), 999, "out"), 8),
    ("if_indextoname", (1, "out"), 3),
    ("ether_aton_r", (b"1:2:3:4:5:6\0", "out"), 6),
    ("ether_ntoa_r", (bytes(6), "out"), 12),
    ("getpwuid_r", (0, "out", bytes(999), 999, bytes(8)), 48),
    ("getpwnam_r", (b"root\0", bytes(48), bytes(999), 999, "out"), 8),
    ("getgrgid_r", (0, "out", bytes(999), 999, bytes(8)), 32),
    ("getresuid", (bytes(4), "out", bytes(4)), 4),
    ("glob", (b"/\0", 0, 0, "out"), 72),
    ("scandir", (b"/proc/self/fdinfo\0", "out", 0, 0), 8),
    ("wordexp", (b"a b\0", "out", 0), 24),
    ("getloadavg", ("out", 3), 24),
    ("getentropy", ("out", 5), 5),
    ("prctl", (16, "out", 0, 0, 0), 16),
    ("sigandset", ("out", bytes(8), bytes(8)), 8),
    ("drand48_r", (bytes(24), "out"), 8),
    ("pthread_attr_getstacksize", (bytes(56), "out"), 8),
    ("pthread_attr_getdetachstate", (bytes(56), "out"), 4),
    ("pthread_mutexattr_gettype", (bytes(4), "out"), 4),
    ("backtrace", ("out", 1), 8),
    ("regcomp", ("out", b"a(b)\0", 1), 64),
    ("regerror", (1, 0, "out", 99), 9),
    ("confstr", (0, "out", 99), len(os.confstr("CS_PATH") or "") + 1),
    ("tmpnam", ("out",), 16),
    ("open_memstream", ("out", bytes(8)), 8),
    ("wcsxfrm", ("out", "ab\0".encode("utf-32-le"), 9), 12),
    ("strxfrm", ("out", b"abc\0", 9), 4),
    ("swprintf", ("out", 9, "ab\0".encode("utf-32-le"), bytes(24)), 12),
)


def arguments(shelf: Any, words: tuple[Any, ...], target: int) -> list[Any]:
    placed = [shelf.place(word) if isinstance(word, bytes) else word for word in words]
    return [target if word == "out" else word for word in placed]


@pytest.mark.parametrize(
    ("name", "words", "n_bytes"), WRITERS, ids=[f"{row[0]}{row[2]}" for row in WRITERS]
)
def test_what_is_written(shelf: Any, name: str, words: tuple[Any, ...], n_bytes: int) -> None:
    shelf.library.call(name, *arguments(shelf, words, shelf.place(bytes(n_bytes))))
    assert shelf.finding() is None
    if n_bytes == 1:
        return
    short = shelf.place(bytes(n_bytes - 1))
    shelf.library.call(name, *arguments(shelf, words, short))
    found = shelf.finding()
    assert found is not None and found[1:3] + found[6:7] == [short, n_bytes, short + n_bytes - 1]
    assert found[3] & 1


@pytest.mark.parametrize(
    ("name", "words", "n_bytes"),
    [
        ("sigismember", ("out", 1), 8),
        ("localtime", ("out",), 8),
        ("asctime", ("out",), 56),
        ("strftime", (bytes(6), 6, b"%H:%M\0", "out"), 56),
        ("localtime_r", ("out", bytes(56)), 8),
        ("ether_ntoa", ("out",), 6),
        ("gethostbyaddr", ("out", 4, 2), 4),
        ("getnameinfo", ("out", 16, bytes(99), 99, 0, 0, 1), 16),
        ("sigaltstack", ("out", 0), 24),
    ],
)
def test_what_is_read(shelf: Any, name: str, words: tuple[Any, ...], n_bytes: int) -> None:
    shelf.library.call(name, *arguments(shelf, words, shelf.place(bytes(n_bytes))))
    assert shelf.finding() is None
    short = shelf.place(bytes(n_bytes - 1))
    shelf.library.call(name, *arguments(shelf, words, short))
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, n_bytes] and not found[3] & 1


def test_a_call_that_fails_writes_nothing(shelf: Any) -> None:
    small = shelf.place(b"x")
    for name, *words in (
        ("stat", b"/nowhere\0", "out"), ("fstat", -1, "out"), ("getrusage", 77, "out"),
        ("readlink", b"/nowhere\0", "out", 9), ("strptime", b"x\0", b"%Y\0", "out"),
        ("strftime", "out", 1, b"%Y\0", bytes(56)),
    ):  # fmt: skip
        shelf.library.call(name, *arguments(shelf, tuple(words), small))
        assert shelf.finding() is None, name


@pytest.fixture
def kept_locale() -> Iterator[None]:
    """The locale is the process's: other tests read files by it."""
    before = locale.setlocale(locale.LC_ALL)
    yield
    locale.setlocale(locale.LC_ALL, before)


@pytest.mark.usefixtures("kept_locale")
def test_paths_are_read(shelf: Any) -> None:
    for name, *words in (
        ("stat", b"/", bytes(144)), ("readlink", b"/", bytes(9), 9), ("open", b"/", 0, 0),
        ("fstatat", -100, b"/", bytes(144), 0), ("realpath", b"/", 0),
        ("getpwnam", b"r"), ("inet_pton", 2, b"1", bytes(4)),
        ("fdopen", -1, b"r"), ("glob", b"/", 0, 0, bytes(72)), ("getxattr", b"/", b"a\0", 0, 0),
        ("canonicalize_file_name", b"/"), ("regcomp", bytes(64), b"a", 0), ("perror", b"x"),
        ("setlocale", 0, b"C"), ("tempnam", 0, b"x"),
    ):  # fmt: skip
        shelf.library.call(name, *arguments(shelf, tuple(words), 0))
        found = shelf.finding()
        assert found is not None and not found[3] & 1, name


def test_paths_that_the_library_allocates_are_ours(shelf: Any) -> None:
    from irsan.interceptors.memory.malloc import i_free

    for name, words in (("realpath", (b"/usr/..\0", 0)), ("getcwd", (0, 0))):
        found = shelf.library.call(name, *arguments(shelf, words, 0))
        path = ctypes.string_at(found).decode()
        assert path == ("/" if name == "realpath" else str(Path.cwd()))
        i_free(shelf.ctx, found)
        assert shelf.finding() is None
        i_free(shelf.ctx, found)
        assert shelf.finding() is not None


def pieces(shelf: Any, *blocks: tuple[int, int]) -> int:
    return int(shelf.place(b"".join(struct.pack("<QQ", *block) for block in blocks)))


def test_lists_of_pieces(shelf: Any) -> None:
    ends = socket.socketpair()
    first, second = shelf.place(b"abc"), shelf.place(b"defg")
    out = pieces(shelf, (first, 3), (second, 4))
    assert shelf.library.call("writev", ends[0].fileno(), out, 2) == 7
    assert shelf.finding() is None
    got = shelf.place(bytes(5))
    into = pieces(shelf, (got, 5), (shelf.place(bytes(1)), 99))
    assert shelf.library.call("readv", ends[1].fileno(), into, 1) == 5
    assert shelf.finding() is None and ctypes.string_at(got, 5) == b"abcde"
    assert shelf.library.call("readv", ends[1].fileno(), pieces(shelf, (64, 0), (got, 9)), 2) == 2
    assert shelf.finding() is None
    ends[0].send(b"0123456")
    shelf.library.call("readv", ends[1].fileno(), into, 2)
    found = shelf.finding()
    assert found is not None and found[2] == 2 and found[3] & 1
    for end in ends:
        end.close()


def header(shelf: Any, name: int, name_bytes: int, list_at: int, control: int, room: int) -> int:
    words = struct.pack("<QIIQQQQQ", name, name_bytes, 0, list_at, 1, control, room, 0)
    return int(shelf.place(words))


def test_messages(shelf: Any) -> None:
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    out = header(shelf, 0, 0, pieces(shelf, (shelf.place(b"abcd"), 4)), 0, 0)
    assert shelf.library.call("sendmsg", ends[0].fileno(), out, 0) == 4
    short = shelf.place(bytes(3))
    shelf.library.call("recvmsg", ends[1].fileno(), header(
        shelf, shelf.place(bytes(2)), 2, pieces(shelf, (short, 4)), 0, 0), 0)  # fmt: skip
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, 4]
    for end in ends:
        end.close()


def test_addresses_are_cut_to_the_room_there_is(shelf: Any) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    for room, n_bytes, is_bad in ((16, 16, False), (2, 2, False), (99, 16, False), (16, 15, True)):
        size = shelf.place(struct.pack("<I", room))
        shelf.library.call("getsockname", server.fileno(), shelf.place(bytes(n_bytes)), size)
        assert (shelf.finding() is not None) is is_bad
    server.close()
