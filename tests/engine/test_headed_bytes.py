"""Bytes with a head: both parts come back, whatever they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.headed_bytes import join_head, read_head


@given(st.binary(), st.lists(st.binary(), max_size=3))
def test_both_parts_come_back(head: bytes, pieces: list[bytes]) -> None:
    raw = join_head(head, *pieces)
    found, begin = read_head(raw)
    assert (found, raw[begin:]) == (head, b"".join(pieces))


def test_the_length_is_eight_bytes_from_the_lowest() -> None:
    assert join_head(b"ab", b"c") == b"\2\0\0\0\0\0\0\0abc"
