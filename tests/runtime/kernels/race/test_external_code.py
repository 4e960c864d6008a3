"""Numbers of program counters of managed code: a plain dictionary knows the same ones."""

from __future__ import annotations

import ctypes

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.registry import ROUTINE_SITE_BASE
from irsan.runtime.kernels.callstack import callstack_depth, callstack_exit, current_stack_id
from irsan.runtime.kernels.race.external_code import (
    MAX_PROBES,
    N_SLOTS,
    external_entry,
    external_pc_to_routine,
    is_in_external_code,
)
from irsan.runtime.layout import external_sites
from irsan.runtime.layout.external_sites import EXTERNAL_PCS, routine_to_external_pc, routine_to_pc
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.conftest import fresh_guest

BIT = 1 << external_sites.EXTERNAL_PC_BIT


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.integers(0, 40) | st.integers(0, BIT - 1), max_size=60))
def test_each_place_keeps_its_own_number(places: list[int]) -> None:
    fresh_guest()
    known = dict[int, int]()
    for place in places:
        number = external_pc_to_routine(place | BIT)
        assert known.setdefault(place, number) == number
        assert routine_to_external_pc(number) == place | BIT
        assert not routine_to_pc(number)
    assert len(set(known.values())) == len(known)


def test_what_is_no_managed_code_has_no_number() -> None:
    fresh_guest()
    assert external_pc_to_routine(0x7F00_1234) == 0
    assert routine_to_external_pc(external_sites.CODE_ROUTINES - 1) == 0
    assert routine_to_external_pc(external_sites.CODE_ROUTINES + N_SLOTS) == 0


def test_a_crowded_place_gives_no_number_and_disturbs_nobody() -> None:
    fresh_guest()
    pc = 77 | BIT
    slot = external_pc_to_routine(pc) - external_sites.CODE_ROUTINES
    words = (ctypes.c_uint64 * N_SLOTS).from_address(EXTERNAL_PCS)
    words[slot] = 0
    for step in range(MAX_PROBES):
        words[(slot + step) % N_SLOTS] = (1000 + step) | BIT
    assert external_pc_to_routine(pc) == 0
    words[(slot + MAX_PROBES - 1) % N_SLOTS] = 0
    last = (slot + MAX_PROBES - 1) % N_SLOTS
    assert external_pc_to_routine(pc) == external_sites.CODE_ROUTINES + last


def test_a_managed_call_takes_the_place_of_the_code_that_tells_of_it() -> None:
    ctx = fresh_guest().ctx
    ctx["site"] = 5
    depth = callstack_depth(ctx)
    external_entry(ctx, 9 | BIT)
    site = ROUTINE_SITE_BASE + external_pc_to_routine(9 | BIT)
    assert is_in_external_code(ctx)
    assert stack_to_sites(current_stack_id(ctx))[0] == site
    external_entry(ctx, 0x7F00_1234)
    assert not is_in_external_code(ctx)
    callstack_exit(ctx)
    callstack_exit(ctx)
    assert callstack_depth(ctx) == depth
