"""Names to numbers against a dictionary, in tables that grow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.traces.kernels.name_hash import intern_column
from irsan.traces.names import NameTable


def intern(table: NameTable, names: list[bytes]) -> list[int]:
    """The numbers of some names, as the parser asks for them: bounds in a block of bytes."""
    data = np.frombuffer(b"".join(names) + b"?", np.uint8).copy()
    ends = np.cumsum([len(name) for name in names], dtype=np.int32)
    starts = (ends - np.array([len(name) for name in names], np.int32)).astype(np.int32)
    out = np.empty(len(names), np.int32)
    table.reserve(len(names), len(data))
    intern_column(table.hashed, data, starts, ends, out)
    return [int(number) for number in out]


NAMES = st.binary(max_size=3) | st.binary(min_size=7, max_size=10)


@given(st.lists(st.lists(NAMES, min_size=1, max_size=80), max_size=5))
@settings(max_examples=200, deadline=None)
def test_numbers_are_those_of_first_mention(batches: list[list[bytes]]) -> None:
    table = NameTable()
    known: dict[bytes, int] = {}
    for names in batches:
        expected = [known.setdefault(name, len(known)) for name in names]
        assert intern(table, names) == expected
    assert len(table) == len(known)
    assert [table.name_bytes(i) for i in range(len(table))] == list(known)


def test_rows_without_a_name_are_left_alone() -> None:
    table = NameTable()
    out = np.full(2, -7, np.int32)
    data = np.frombuffer(b"ab", np.uint8).copy()
    starts, ends = np.array([1, 0], np.int32), np.array([0, 2], np.int32)
    intern_column(table.hashed, data, starts, ends, out)
    assert out.tolist() == [-7, 0]
    with pytest.raises(IndexError):
        table.name_bytes(1)


def test_names_that_are_no_text_come_out_escaped() -> None:
    table = NameTable()
    table.extend(np.array([2, 1], np.int64), np.frombuffer(b"\xff\xfex", np.uint8))
    assert [table.name(i) for i in range(2)] == ["\\xff\\xfe", "x"]


def test_many_names_that_cannot_be_looked_up_cost_no_search() -> None:
    """They share one slot: putting a hundred thousand into the slots would take a minute."""
    table = NameTable()
    for _ in range(10):
        table.extend(np.full(10_000, 1, np.int64), np.full(10_000, 65, np.uint8))
    assert len(table) == 100_000
    assert not table.hashed.slots.any()
