"""Lists of pieces: which bytes count as touched, against a list of the bytes themselves."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.network import sendmsg_readv
from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE

if TYPE_CHECKING:
    from tests.interceptors.conftest import Shelf

HEADER_BYTES = 56
# A piece: bytes of the object, and how many more than those the list says (less: fewer).
PIECES = st.lists(st.tuples(st.integers(1, 40), st.integers(-2, 2)), max_size=5)


def first_outside(pieces: list[tuple[int, int]], n_moved: int) -> tuple[int, int] | None:
    """Number of the piece whose object is left first, and the place in it; None for none."""
    moved = [
        (number, place)
        for number, (size, more) in enumerate(pieces)
        for place in range(max(0, size + more))
    ][: max(0, n_moved)]
    return next(((n, place) for n, place in moved if place >= pieces[n][0]), None)


def placed(shelf: Shelf, pieces: list[tuple[int, int]]) -> tuple[int, list[int]]:
    """Address of a list of pieces, and those of the objects that it names."""
    objects = [shelf.place(bytes(size)) for size, _ in pieces]
    raw = b"".join(
        struct.pack("<QQ", addr, max(0, size + more))
        for addr, (size, more) in zip(objects, pieces, strict=True)
    )
    return shelf.place(raw or bytes(16)), objects


@pytest.mark.parametrize("kind", [KIND_READ, KIND_WRITE])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES, n_moved=st.integers(-1, 120))
def test_the_first_bytes_of_a_list_are_touched(
    shelf: Any, kind: int, pieces: list[tuple[int, int]], n_moved: int
) -> None:
    address, objects = placed(shelf, pieces)
    sendmsg_readv.pieces_moved(shelf.ctx, address, len(pieces), n_moved, kind)
    found, expected = shelf.finding(), first_outside(pieces, n_moved)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        number, place = expected
        assert found[1] == objects[number] and found[6] == objects[number] + place
        assert found[3] & 1 == kind


@pytest.mark.parametrize(("n_pieces", "is_found"), [(-1, False), (0, False), (2, False), (3, True)])
def test_the_list_itself_is_read(shelf: Any, n_pieces: int, is_found: bool) -> None:
    address, _ = placed(shelf, [(8, 0), (8, 0)])
    sendmsg_readv.pieces_read(shelf.ctx, address, n_pieces)
    found = shelf.finding()
    assert (found is not None) == is_found
    assert found is None or found[1:3] == [address, 48]


def test_readv_writes_what_came_and_no_more(shelf: Any, pipe: tuple[int, int]) -> None:
    """The second piece is too short for its length, which is no fault before it is reached."""
    reader, writer = pipe
    address, objects = placed(shelf, [(4, 0), (2, 2)])
    os.write(writer, b"abcdef")
    assert shelf.library.call("readv", reader, address, 2) == 6
    assert shelf.finding() is None
    assert ctypes.string_at(objects[0], 4) + ctypes.string_at(objects[1], 2) == b"abcdef"
    os.write(writer, b"ghijklm")
    assert shelf.library.call("readv", reader, address, 2) == 7
    found = shelf.finding()
    assert found is not None and found[1:3] == [objects[1], 3] and found[3] & 1


def test_pwritev_reads_what_it_took(shelf: Any) -> None:
    address, objects = placed(shelf, [(3, 0), (5, 1)])
    file = os.memfd_create("pieces")
    assert shelf.library.call("pwritev", file, address, 2, 10) == 9
    found = shelf.finding()
    assert found is not None and found[1:3] == [objects[1], 6] and not found[3] & 1
    assert os.fstat(file).st_size == 19
    os.close(file)


def message(shelf: Shelf, pieces: list[tuple[int, int]], name: int, name_bytes: int) -> int:
    """A struct msghdr of a list of pieces, without control data."""
    address, _ = placed(shelf, pieces)
    raw = struct.pack("<QI4xQQQQi4x", name, name_bytes, address, len(pieces), 0, 0, 0)
    assert len(raw) == HEADER_BYTES
    return shelf.place(raw)


@pytest.mark.parametrize(("n_bytes", "is_found"), [(16, False), (17, True)])
def test_sendmsg_reads_the_name(shelf: Any, n_bytes: int, is_found: bool) -> None:
    name = shelf.place(struct.pack("<HHI8x", socket.AF_INET, 0, 0))
    header = message(shelf, [(4, 0)], name, n_bytes)
    sendmsg_readv.taken_by_sendmsg(shelf.ctx, 4, 9, header)
    found = shelf.finding()
    assert (found is not None) == is_found
    assert found is None or found[1:3] == [name, 17]


def test_a_message_that_was_not_moved_touches_nothing(shelf: Any) -> None:
    header = message(shelf, [(4, 4)], 0, 99)
    for kernel in (sendmsg_readv.taken_by_sendmsg, sendmsg_readv.filled_by_recvmsg):
        kernel(shelf.ctx, -1, 9, header)
        assert shelf.finding() is None


@pytest.mark.parametrize(
    ("room", "said", "touched"), [(16, 16, 16), (8, 16, 8), (16, 2, 2), (0, 16, 0)]
)
def test_an_address_is_written_as_far_as_it_fits(
    shelf: Any, room: int, said: int, touched: int
) -> None:
    """`room` was asked for before the call, `said` is the size behind it."""
    size_place = shelf.place(struct.pack("<I", room))
    sendmsg_readv.ask_address(shelf.ctx, 9, 0, size_place)
    ctypes.c_uint32.from_address(size_place).value = said
    exact = shelf.place(bytes(touched)) if touched else 0
    sendmsg_readv.address_written(shelf.ctx, 0, exact, size_place)
    assert shelf.finding() is None
    if touched > 1:
        short = shelf.place(bytes(touched - 1))
        sendmsg_readv.address_written(shelf.ctx, 0, short, size_place)
        found = shelf.finding()
        assert found is not None and found[1:3] == [short, touched]
        sendmsg_readv.address_written(shelf.ctx, -1, short, size_place)
        assert shelf.finding() is None


@pytest.mark.parametrize(("n_bytes", "is_found"), [(-1, False), (0, False), (4, False), (5, True)])
def test_setsockopt_reads_its_value(shelf: Any, n_bytes: int, is_found: bool) -> None:
    value = shelf.place(bytes(4))
    assert sendmsg_readv.check_setsockopt(shelf.ctx, 9, 1, 2, value, n_bytes)
    assert (shelf.finding() is not None) == is_found


@pytest.mark.parametrize("wrong", ["own", "other"])
def test_both_lists_of_process_vm_are_the_callers(shelf: Any, wrong: str) -> None:
    lists = {name: placed(shelf, [(4, 0)])[0] for name in ("own", "other")}
    sendmsg_readv.ask_process_vm(shelf.ctx, 1, lists["own"], 1, lists["other"], 1)
    assert shelf.finding() is None
    counts = {name: 1 + (name == wrong) for name in lists}
    sendmsg_readv.ask_process_vm(
        shelf.ctx, 1, lists["own"], counts["own"], lists["other"], counts["other"]
    )
    found = shelf.finding()
    assert found is not None and found[1:3] == [lists[wrong], 32]
