"""Planned writes: they cover what must change, write nothing wrong, and are few."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.frames.stack_shadow import Piece, join_pieces, plan_pieces

BYTES = st.lists(st.sampled_from([0, 4, 0xF1, 0xF2, 0xF8]), min_size=1, max_size=300).map(bytes)


def pieces(want: bytes, differs: bytes) -> list[Piece]:
    return list(plan_pieces(want, differs))


@given(BYTES, st.data())
def test_what_is_written_is_what_is_wanted(want: bytes, data: st.DataObject) -> None:
    length = len(want)
    differs = data.draw(st.lists(st.integers(0, 1), min_size=length, max_size=length).map(bytes))
    shadow = bytearray(
        0xEE if changes else byte for byte, changes in zip(want, differs, strict=True)
    )
    joined = shadow[:]
    for piece in pieces(want, differs):
        assert piece.is_run or len(piece.raw) in (1, 2, 4, 8)
        assert not piece.is_run or len(set(piece.raw)) == 1
        shadow[piece.offset : piece.offset + len(piece.raw)] = piece.raw
        assert len(shadow) == length
    assert bytes(shadow) == want
    for piece in join_pieces(pieces(want, differs), want):
        assert piece.is_copy == (len(set(piece.raw)) > 1 and len(piece.raw) > 8)
        joined[piece.offset : piece.offset + len(piece.raw)] = piece.raw
    assert bytes(joined) == want


def test_many_stores_that_lie_close_are_one_copy() -> None:
    frame = bytes([0xF1] * 4 + [4, 0xF2, 0, 0xF2] * 80)
    (piece,) = join_pieces(pieces(frame, frame), frame)
    assert piece.is_copy and piece.offset == 0 and piece.raw == frame


def test_few_stores_and_those_far_apart_stay() -> None:
    few = bytes([0xF1, 0] * 100)
    assert len(join_pieces(pieces(few, few), few)) == 25
    far = bytes([0xF1] + [0] * 20) * 40
    assert len(join_pieces(pieces(far, far), far)) == 40


def test_a_small_frame_is_one_store() -> None:
    frame = bytes([0xF1] * 4 + [4, 0xF3, 0xF3, 0xF3])
    assert pieces(frame, frame) == [Piece(0, frame)]


def test_a_large_array_costs_nothing_where_nothing_changes() -> None:
    frame = bytes([0xF1] * 4 + [0] * 512 + [0xF3] * 32)
    assert [(one.offset, len(one.raw)) for one in pieces(frame, frame)] == [
        (0, 4), (516, 8), (524, 8), (532, 8), (540, 8),
    ]  # fmt: skip


def test_a_long_run_is_one_piece() -> None:
    frame = bytes([0xF8] * 100)
    (piece,) = pieces(frame, frame)
    assert piece.is_run and piece.raw == frame


def test_the_last_store_reaches_back_instead_of_beyond() -> None:
    frame = bytes([0xF1] * 9)
    assert pieces(frame, frame) == [Piece(0, frame[:8]), Piece(8, frame[8:])]
    assert pieces(bytes(3), b"\1\1\1") == [Piece(0, bytes(2)), Piece(2, bytes(1))]
    assert pieces(bytes(11), b"\1" * 11)[-1] == Piece(7, bytes(4))
