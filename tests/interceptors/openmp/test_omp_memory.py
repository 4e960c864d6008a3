"""Memory of OpenMP's records: zeroed, disjoint, used again."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.runtime.records.threads import openmp_records as om
from tests.support.openmp import forget_openmp

pytestmark = pytest.mark.usefixtures("guest")
SAME_GUEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@SAME_GUEST
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 3000)), max_size=60))
def test_records_are_zero_and_never_overlap(steps: list[tuple[bool, int]]) -> None:
    forget_openmp()
    live: dict[int, int] = {}
    for is_taken, n_bytes in steps:
        if is_taken or not live:
            addr = int(omp_take(n_bytes))
            assert ctypes.string_at(addr, n_bytes) == bytes(n_bytes)
            others = ((lo, lo + size) for lo, size in live.items())
            assert all(addr + n_bytes <= lo or addr >= hi for lo, hi in others)
            ctypes.memset(addr, 0xAB, n_bytes)
            live[addr] = n_bytes
        else:
            addr, size = live.popitem()
            omp_give(addr, size)


def test_what_was_given_back_is_used_again() -> None:
    forget_openmp()
    first = int(omp_take(100))
    omp_give(first, 100)
    assert int(omp_take(128)) == first
    assert int(omp_take(128)) != first


def test_a_record_beyond_the_table_is_refused() -> None:
    forget_openmp()
    assert int(omp_take(om.RECORDS_END - om.RECORDS + 1)) == 0
