"""Lines of STD text, put together by a kernel, against Python's own formatting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irsan.traces.events import KEYWORDS, N_OPERATIONS, Chunk, Names
from irsan.traces.std_format import chunk_to_std

NAMES = [b"", b"x", b"main", b"a.b[3]", "é".encode(), b"9" * 40]
NUMBERS = st.integers(0, len(NAMES) - 1)
EVENTS = st.lists(st.tuples(st.integers(0, N_OPERATIONS - 1), NUMBERS, NUMBERS, NUMBERS))


def plain_line(operation: int, thread: int, target: int, location: int) -> bytes:
    """An operation with a target has it in parentheses; other labels say what they stand in."""
    name = b"(%b)" % NAMES[target] if operation < 6 else NAMES[target]
    keyword = KEYWORDS[operation].encode()
    return b"%b|%b%b|%b\n" % (NAMES[thread], keyword, name, NAMES[location])


@given(EVENTS)
def test_lines_are_what_python_makes_of_them(events: list[tuple[int, int, int, int]]) -> None:
    names = Names.empty()
    for table in names.tables():
        lengths = np.array([len(name) for name in NAMES], np.int64)
        table.extend(lengths, np.frombuffer(b"".join(NAMES), np.uint8))
    columns = np.array(events, np.int32).reshape(-1, 4).T.copy()
    chunk = Chunk(1, columns[0].astype(np.uint8), columns[1], columns[2], columns[3])
    assert chunk_to_std(chunk, names) == b"".join(plain_line(*event) for event in events)
