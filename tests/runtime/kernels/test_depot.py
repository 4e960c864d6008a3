"""StackDepot: equal stacks get equal ids, ids give back their sites."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import depot
from irsan.runtime.records.race.lock_records import LOCKSET_MARK
from irsan.runtime.views.stackdepot import depot_path, stack_to_sites
from tests.oracles.depot import NaiveDepot

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
        assert stack_id < 1 << 27
        assert list(depot_path(stack_id)) == sites[::-1]
        assert stack_to_sites(stack_id) == [s for s in sites[::-1] if not s & LOCKSET_MARK]
        assert ids.setdefault(tuple(sites), stack_id) == stack_id
    assert len(set(ids.values())) == len(ids)


def test_node_access(guest: Any) -> None:
    below = depot.depot_put(guest.ctx, 0, 7)
    top = depot.depot_put(guest.ctx, below, 9)
    assert (depot.depot_parent(top), depot.depot_site(top)) == (below, 9)
    assert (depot.depot_parent(below), depot.depot_site(below)) == (0, 7)
    assert guest.ctx["depot"]["n_words"] == 2 * depot.NAMED_WORDS


@RELAXED
@given(st.lists(st.tuples(st.integers(0, 40), SITES | st.integers(1, 30)), max_size=300))
def test_wide_and_narrow_nodes_agree_with_a_dictionary(guest: Any, pairs: Any) -> None:
    naive = NaiveDepot()
    stacks: list[tuple[tuple[int, ...], int]] = [((), 0)]  # with their ids
    for wanted_parent, site in pairs:
        below, parent = stacks[wanted_parent % len(stacks)]
        stack = (*below, site)
        found = depot.depot_put(guest.ctx, parent, site)
        number = naive.put(stack) + 1
        if number == len(stacks):
            stacks.append((stack, found))
        assert stacks[number] == (stack, found)
    assert len({found for _, found in stacks}) == len(naive.ids) + 1


def test_many_children_of_one_node_are_all_found_again(guest: Any) -> None:
    ids = [depot.depot_put(guest.ctx, 0, site) for site in range(1, 20_001)]
    assert len(set(ids)) == 20_000 and 0 not in ids
    assert [depot.depot_put(guest.ctx, 0, site) for site in range(1, 20_001)] == ids


@RELAXED
@given(st.lists(st.lists(SITES | st.integers(1, 4), min_size=1, max_size=8), max_size=12))
def test_a_hash_leads_to_the_stack_or_to_nothing(guest: Any, stacks: list[list[int]]) -> None:
    for sites in stacks:
        stack_hash = 0
        for site in sites:
            stack_hash = depot.child_hash(stack_hash, site)
        before = int(guest.ctx["depot"]["n_words"])
        found = depot.find_hashed(guest.ctx, stack_hash, sites[-1])
        stack_id = put_stack(guest.ctx, sites)
        is_new = int(guest.ctx["depot"]["n_words"]) > before
        assert found == (0 if is_new else stack_id)
        assert depot.find_hashed(guest.ctx, stack_hash, sites[-1]) == stack_id


def test_all_is_found_again_when_slots_become_huge_pages(guest: Any) -> None:
    guest.ctx["depot"]["slot_bits"] = depot.HUGE_SLOT_BITS - 1
    ids = [depot.depot_put(guest.ctx, 0, site) for site in range(1, 3_001)]
    guest.ctx["depot"]["n_named"] = 1 << (depot.HUGE_SLOT_BITS - 2)
    ids.append(depot.depot_put(guest.ctx, 0, 3_001))
    assert guest.ctx["depot"]["slot_bits"] == depot.HUGE_SLOT_BITS
    found = [depot.find_hashed(guest.ctx, depot.child_hash(0, s), s) for s in range(1, 3_002)]
    assert found == ids and len(set(ids)) == 3_001


@RELAXED
@given(st.lists(st.tuples(st.integers(1, 600), st.booleans()), max_size=300))
def test_recent_stacks_are_those_of_the_depot(
    new_guest: Any, questions: list[tuple[int, bool]]
) -> None:
    """More stacks than there is room for, some of which are asked for before they are made."""
    ctx, naive = new_guest().ctx, NaiveDepot()
    ids: dict[int, int] = {}
    for site, is_made in questions:
        if is_made:
            ids[naive.put((site,))] = depot.depot_put(ctx, 0, site)
        expected = ids[naive.put((site,))] if (site,) in naive.ids else 0
        assert depot.find_recent(ctx, depot.child_hash(0, site), site) == expected


def test_a_full_depot_answers_unknown_and_counts(guest: Any) -> None:
    guest.ctx["depot"]["n_words"] = (1 << depot.ID_BITS) - 5
    last = depot.depot_put(guest.ctx, 0, 7)
    assert last == (1 << depot.ID_BITS) - 3
    assert depot.depot_put(guest.ctx, 0, 8) == 0
    assert depot.depot_put(guest.ctx, 0, 7) == last
    assert guest.ctx["depot"]["n_lost"] == 1
    assert stack_to_sites(0) == []


def test_the_largest_node_lies_in_the_depots_range() -> None:
    from irsan.runtime.layout import memory_map

    assert memory_map.room("stacks") >= (1 << depot.ID_BITS) * depot.WORD_BYTES
    assert depot.SLOTS_ADDR + (4 << depot.MAX_SLOT_BITS) <= depot.FRONT_ADDR
    assert 2 * depot.LAST_ID <= 1 << depot.MAX_SLOT_BITS
    assert depot.MOVED_ADDR + (4 << (depot.MAX_SLOT_BITS - 1)) <= depot.FRONT_ADDR
    assert depot.FRONT_ADDR + (depot.FRONT_BYTES << depot.FRONT_BITS) <= depot.RECENT_ADDR
    assert depot.RECENT_ADDR + (depot.FRONT_BYTES << depot.RECENT_BITS) <= depot.NODES_ADDR


def test_a_number_that_is_no_stack_id_is_refused() -> None:
    with pytest.raises(ValueError, match="not a stack id"):
        stack_to_sites(1 << 27)
