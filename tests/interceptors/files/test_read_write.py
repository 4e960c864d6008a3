"""Buffers lent to the library: what is moved is checked, lines grow in our own heap."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from irsan.interceptors.memory.malloc import i_free
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views.heap_view import addr_to_chunk

LIBC = ctypes.CDLL(None)
LIBC.fopen.restype = ctypes.c_void_p
LINES = b"one\n\n" + b"x" * 300 + b"\nlast"


@pytest.fixture
def stream(tmp_path: Path) -> Any:
    path = tmp_path / "lines"
    path.write_bytes(LINES)
    opened = LIBC.fopen(str(path).encode(), b"r+")
    yield opened
    LIBC.fclose(ctypes.c_void_p(opened))


def bad(shelf: Any, addr: int, size: int, is_write: bool) -> None:
    found = shelf.finding()
    assert found is not None
    assert found[:3] == [FaultKind.BAD_ACCESS, addr, size] and bool(found[3] & 1) is is_write


def test_only_what_came_in_is_checked(shelf: Any, pipe: tuple[int, int]) -> None:
    block = shelf.place(bytes(8))
    os.write(pipe[1], b"12345678")
    assert shelf.library.call("read", pipe[0], block, 100) == 8
    assert shelf.finding() is None and ctypes.string_at(block, 8) == b"12345678"
    os.write(pipe[1], b"123456789")
    assert shelf.library.call("read", pipe[0], block, 100) == 9
    bad(shelf, block, 9, True)
    assert shelf.library.call("read", -1, block, 100) == -1 and shelf.finding() is None


def test_what_goes_out_is_checked(shelf: Any, pipe: tuple[int, int]) -> None:
    block = shelf.place(b"12345678")
    assert shelf.library.call("write", pipe[1], block, 8) == 8 and shelf.finding() is None
    assert shelf.library.call("write", pipe[1], block, 9) == 9
    bad(shelf, block, 9, False)


def test_memory_of_a_process(shelf: Any) -> None:
    here, there = shelf.place(b"12345678"), shelf.place(bytes(8))
    for name, is_write in (("process_vm_readv", True), ("process_vm_writev", False)):
        own = shelf.place(struct.pack("<QQ", there, 8))
        wide = shelf.place(struct.pack("<QQ", there, 9))
        other = shelf.place(struct.pack("<QQ", here, 9))
        assert shelf.library.call(name, os.getpid(), own, 1, other, 1, 0) == 8
        assert shelf.finding() is None
        assert shelf.library.call(name, os.getpid(), wide, 1, other, 1, 0) == 9
        bad(shelf, there, 9, is_write)
        shelf.library.call(name, os.getpid(), own, 2, other, 1, 0, halts=True)
        bad(shelf, own, 32, False)


def test_send_can_be_switched_off(shelf: Any) -> None:
    import socket

    here, there = socket.socketpair()
    block = shelf.place(b"12345678")
    with here, there:
        assert shelf.library.call("send", here.fileno(), block, 9, 0) == 9
        bad(shelf, block, 9, False)
        shelf.ctx["options"][options.SWITCHED_OFF] = options.OFF_SEND
        assert shelf.library.call("send", here.fileno(), block, 9, 0) == 9
        assert shelf.finding() is None
        assert shelf.library.call("recv", there.fileno(), block, 9, 0) == 9
        bad(shelf, block, 9, True)


def test_streams(shelf: Any, stream: int) -> None:
    block = shelf.place(bytes(6))
    assert shelf.library.call("fread", block, 2, 3, stream) == 3 and shelf.finding() is None
    assert shelf.library.call("fread", block, 2, 4, stream) == 4
    bad(shelf, block, 8, True)
    LIBC.rewind(ctypes.c_void_p(stream))
    assert shelf.library.call("fgets", block, 100, stream) == block
    assert shelf.finding() is None and ctypes.string_at(block) == b"one\n"
    assert shelf.library.call("fgets", block, 100, stream) == block
    assert shelf.library.call("fgets", block, 7, stream) == block
    bad(shelf, block, 7, True)
    LIBC.rewind(ctypes.c_void_p(stream))
    assert shelf.library.call("fwrite", block, 7, 1, stream) == 1
    bad(shelf, block, 7, False)


def test_text_is_read_before_it_is_used(shelf: Any) -> None:
    open_text = shelf.place(b"IRSAN_NO_SUCH_VARIABLE")
    assert shelf.library.call("getenv", open_text) == 0
    bad(shelf, open_text, 23, False)
    mode = shelf.place(b"r")
    shelf.library.call("rename", shelf.place(b"/\0"), mode)
    bad(shelf, mode, 2, False)


def test_getcwd(shelf: Any) -> None:
    wanted = bytes(Path.cwd()) + b"\0"
    block = shelf.place(bytes(len(wanted)))
    assert shelf.library.call("getcwd", block, 4096) == block
    assert shelf.finding() is None and ctypes.string_at(block) == wanted[:-1]
    short = shelf.place(bytes(len(wanted) - 1))
    shelf.library.call("getcwd", short, 4096)
    bad(shelf, short, len(wanted), True)


def test_lines_grow_in_our_heap(shelf: Any, stream: int) -> None:
    place, size_place = shelf.place(bytes(8)), shelf.place(bytes(8))
    got = []
    while (length := shelf.library.call("getline", place, size_place, stream)) >= 0:
        line = ctypes.c_uint64.from_address(place).value
        room = ctypes.c_uint64.from_address(size_place).value
        assert addr_to_chunk(shelf.ctx, line).size_bytes == room > length
        got.append(ctypes.string_at(line))
    assert got == LINES.splitlines(keepends=True)
    i_free(shelf.ctx, ctypes.c_uint64.from_address(place).value)
    assert shelf.finding() is None


def test_getdelim_keeps_a_buffer_that_is_big_enough(shelf: Any, stream: int) -> None:
    mine = shelf.place(bytes(4))
    place, size_place = shelf.place(mine.to_bytes(8, "little")), shelf.place(b"\4" + bytes(7))
    assert shelf.library.call("getdelim", place, size_place, ord("e"), stream) == 3
    assert ctypes.c_uint64.from_address(place).value == mine
    assert ctypes.string_at(mine) == b"one" and shelf.finding() is None
    assert shelf.library.call("getdelim", place, size_place, ord("x"), stream) == 3
    assert shelf.library.call("getdelim", place, size_place, ord("l"), stream) == 301
    assert ctypes.c_uint64.from_address(place).value != mine and shelf.finding() is None


def test_a_size_that_lies_is_found(shelf: Any, stream: int) -> None:
    mine = shelf.place(bytes(3))
    place, size_place = shelf.place(mine.to_bytes(8, "little")), shelf.place(b"\x40" + bytes(7))
    shelf.library.call("getline", place, size_place, stream)
    bad(shelf, mine, 5, True)
