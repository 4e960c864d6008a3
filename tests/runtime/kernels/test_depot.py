"""StackDepot: equal stacks get equal ids, ids give back their sites."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import depot
from irsan.runtime.stackdepot import stack_to_sites

SITES = st.integers(1, 2**32 - 1)
RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def put_stack(ctx: Any, sites: list[int]) -> int:
    stack_id = 0
    for site in sites:
        stack_id = depot.depot_put(ctx, stack_id, site)
    return stack_id


@RELAXED
@given(st.lists(st.lists(SITES | st.integers(1, 4), max_size=8), max_size=12))
def test_ids_are_a_bijection_with_stacks(guest: Any, stacks: list[list[int]]) -> None:
    ids = {}
    for sites in stacks + stacks:
        stack_id = put_stack(guest.ctx, sites)
        assert stack_id < 1 << 28
        assert stack_to_sites(stack_id) == sites[::-1]
        assert ids.setdefault(tuple(sites), stack_id) == stack_id
    assert len(set(ids.values())) == len(ids)


def test_node_access(guest: Any) -> None:
    below = depot.depot_put(guest.ctx, 0, 7)
    top = depot.depot_put(guest.ctx, below, 9)
    assert (depot.depot_parent(top), depot.depot_site(top)) == (below, 9)
    assert (depot.depot_parent(below), depot.depot_site(below)) == (0, 7)
    assert guest.ctx["depot"][depot.N_NODES] == 2


def test_a_full_part_answers_unknown_and_counts(guest: Any) -> None:
    bucket = depot.stack_bucket(0, 7)
    part = int(bucket) >> depot.PART_BITS
    seq = ctypes.c_uint32.from_address(depot.SEQ_ADDR + 4 * part)
    seq.value = (1 << depot.SEQ_BITS) - 2
    last = depot.depot_put(guest.ctx, 0, 7)
    assert last & ((1 << depot.SEQ_BITS) - 1) == (1 << depot.SEQ_BITS) - 1
    buckets = ((site, depot.stack_bucket(0, site)) for site in range(8, 1 << 20))
    other = next(site for site, bucket in buckets if bucket >> depot.PART_BITS == part)
    assert depot.depot_put(guest.ctx, 0, other) == 0
    assert depot.depot_put(guest.ctx, 0, 7) == last
    assert guest.ctx["depot"][depot.N_LOST] == 1
    assert stack_to_sites(0) == []


def test_the_largest_node_lies_in_the_depots_range() -> None:
    from irsan.runtime import layout

    assert depot.NODES_ADDR + (1 << 28) * depot.NODE_BYTES <= layout.CHUNKS
    assert depot.SEQ_ADDR + 4 * 256 <= depot.NODES_ADDR


def test_a_number_that_is_no_stack_id_is_refused() -> None:
    with pytest.raises(ValueError, match="not a stack id"):
        stack_to_sites(1 << 28)
