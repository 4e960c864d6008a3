"""Places of fields, those of records in records and elements of arrays too."""

from __future__ import annotations

import numpy as np
import pytest

from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE

INNER = np.dtype([("small", "u4"), ("row", "u8", (3,))], align=True)
OUTER = np.dtype([("first", "u1"), ("inner", INNER), ("last", "u2", (2,))], align=True)


@pytest.mark.parametrize(
    ("path", "index", "offset"),
    [("first", 0, 0), ("inner", 0, 8), ("inner.small", 0, 8), ("inner.row", 0, 16),
     ("inner.row", 2, 32), ("last", 1, 42)],
)  # fmt: skip
def test_a_place_is_the_sum_of_the_places_on_the_way(path: str, index: int, offset: int) -> None:
    assert field_offset(OUTER, path, index) == offset


@pytest.mark.parametrize("path", ["second", "inner.large", "first.small", "inner.", ""])
def test_what_is_not_there_is_named(path: str) -> None:
    with pytest.raises(KeyError, match="is no field of"):
        field_offset(OUTER, path)


@pytest.mark.parametrize("dtype", [CONTEXT_DTYPE, THREAD_DTYPE], ids=["context", "thread"])
def test_what_is_written_by_name_lies_at_its_place(dtype: np.dtype[np.void]) -> None:
    for name in dtype.names or ():
        for inner in dtype[name].names or ():
            record = np.zeros((), dtype)
            record[name][inner] = 0x5A
            at = field_offset(dtype, f"{name}.{inner}")
            assert record.tobytes()[at] == 0x5A
            assert record.tobytes().count(0x5A) == max(dtype[name][inner].shape, default=1)
