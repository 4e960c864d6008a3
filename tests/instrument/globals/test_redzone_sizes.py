"""How big redzones are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.globals.redzone_sizes import padded_size
from tests.oracles.redzone_sizes import naive_padded_size

ALIGNMENTS = st.sampled_from([1, 2, 4, 8, 16, 32, 64, 128, 4096])


@given(st.integers(0, 1 << 22), ALIGNMENTS)
def test_sizes_are_those_of_the_naive_twin(size_bytes: int, alignment: int) -> None:
    assert padded_size(size_bytes, alignment) == naive_padded_size(size_bytes, alignment)


@pytest.mark.parametrize(
    ("size_bytes", "total_bytes"), [(0, 32), (4, 32), (16, 32), (17, 64), (40, 96), (1000, 1248)]
)
def test_sizes_are_those_of_clang(size_bytes: int, total_bytes: int) -> None:
    assert padded_size(size_bytes) == total_bytes
