"""What is appended to the answers is read again, whoever has written it and how often."""

from __future__ import annotations

import os
import struct
from array import array

from hypothesis import given
from hypothesis import strategies as st

from irsan.explore.playing.answers import (
    Pages,
    Told,
    clean_end,
    packed_end,
    packed_message,
    read_answers,
)
from irsan.explore.schedules import Ending, Played, Schedule
from irsan.runtime.layout.explore_words import READS, WRITES

WORD = st.integers(0, 2**64 - 1)
STATUS = st.integers(0, 255)
RFF = Schedule(7, "rff", 7)


def traced_end(rows: list[tuple[int, int, int, int]], pid: int) -> bytes:
    """As machine code writes it: the six words, then the rows of (thread, kind, site, object)."""
    words = [
        word for tid, kind, site, touched in rows
        for word in (tid | kind << 16 | site << 32, touched, 0, 0)
    ]  # fmt: skip
    return struct.pack("<6Q", 0, pid, 0, 5, 9, len(rows)) + array("Q", words).tobytes()


@given(st.lists(st.tuples(st.booleans(), STATUS, WORD, WORD), max_size=6))
def test_ends_come_in_the_order_in_which_they_were_appended(
    ends: list[tuple[bool, int, int, int]],
) -> None:
    raw, expected = b"", []
    for is_clean, status, interleaving, steps in ends:
        ending = clean_end(status) if is_clean else Ending("deadlock", status, is_bad=True)
        played = Played(7, ending, interleaving=interleaving, steps=steps)
        expected.append(Told(os.getpid(), played))
        message = Told(os.getpid(), Played(7, ending))
        raw += (
            packed_end(status, interleaving, steps) if is_clean
            else packed_message(message, interleaving, steps)
        )  # fmt: skip
    assert read_answers(raw, RFF) == (expected, ())


def test_pages_are_no_end() -> None:
    raw = packed_message(Pages((4096, 8192)), 0, 0) + packed_end(0, 1, 2)
    told, pages = read_answers(raw, RFF)
    assert (len(told), pages) == (1, (4096, 8192))


def test_rows_are_read_for_reads_from_pairs_and_skipped_to_what_follows() -> None:
    rows = [(0, WRITES, 3, 64), (1, READS, 4, 64), (1, READS, 5, 72)]
    told, _ = read_answers(traced_end(rows, 11) + traced_end([], 12), RFF)
    assert [(one.pid, one.played.reads) for one in told] == [
        (11, ((0, 3), (3, 4), (0, 5))),
        (12, ()),
    ]
    assert (told[0].played.interleaving, told[0].played.steps) == (5, 9)
