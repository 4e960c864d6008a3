"""The other exact detectors against the naive one: the same first races, legal other sides.

A third of the seeds is run, IRSAN_PART says which.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells import race_records, same_epoch
from irsan.runtime.kernels.race.detectors import tsan
from irsan.runtime.layout import memory_map
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.support.irsan_runs import in_part
from tests.support.race_pair import BASE, RacePair, Step
from tests.support.race_programs import (
    START,
    STEP,
    handover_program,
    lives_program,
    message_program,
    random_program,
)

SEEDS_OF_LIVES = in_part(range(10), 3)
EXACT = ("vector", "djit")
SOUND = (*EXACT, "tsan")
CLOCKS = st.sampled_from(["vector", "tree"])
NewGuest = Callable[[], Any]


def place(addr: int) -> int:
    """Where the index of a byte's record is."""
    return memory_map.RACE_SHADOW + (addr - memory_map.ARENA_LO) * 4


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(SOUND), CLOCKS, st.lists(STEP, max_size=40))
def test_agrees_with_the_naive_detector(
    new_guest: NewGuest, detector: str, clock: str, steps: list[Step]
) -> None:
    RacePair(new_guest(), detector=detector, clock=clock).run(START + steps)


@pytest.mark.parametrize("clock", ["vector", "tree"])
@pytest.mark.parametrize("detector", SOUND)
def test_long_random_programs(new_guest: NewGuest, detector: str, clock: str) -> None:
    n_races = 0
    for seed in range(40):
        for make in (_mixed, lives_program, message_program, handover_program):
            pair = RacePair(new_guest(), max_threads=14, detector=detector, clock=clock)
            pair.run(make(random.Random(seed), 60))
            n_races += pair.n_races
            assert pair.ctx["race"]["n_lost_cells"] == 0
            assert detector == "tsan" or pair.n_missed == 0
    assert n_races > 1000


def _mixed(rng: random.Random, n_steps: int) -> list[Step]:
    return random_program(rng, n_steps, atomics=True)


@pytest.mark.parametrize("detector", SOUND)
def test_records_are_given_back(new_guest: NewGuest, detector: str) -> None:
    """Every record made is in a free list once all memory has been forgotten."""
    for seed in SEEDS_OF_LIVES:
        pair = RacePair(new_guest(), max_threads=14, detector=detector)
        pair.run(lives_program(random.Random(seed), 40))
        made = int(pair.ctx["race"]["record_bump"])
        pair.run([("forget", 0, 0, 1 << 17)])
        free = sum(_free_units(pair.ctx, size_class) for size_class in range(13))
        assert made > 0
        assert free == made


def _free_units(ctx: Any, size_class: int) -> int:
    n_units, index = 0, int(ctx["race"]["record_free"][size_class])
    while index:
        n_units += 1 << size_class
        index = _word(int(race_records.record_to_address(index)) + 4)
    return n_units


def _word(addr: int) -> int:
    return ctypes.c_uint32.from_address(addr).value


@pytest.mark.parametrize("detector", SOUND)
def test_quick_answers_are_never_given(new_guest: NewGuest, detector: str) -> None:
    """What is inlined into programs reads the places as cells of FastTrack and learns nothing."""
    pair = RacePair(new_guest(), detector=detector)
    pair.run([*START, ("malloc", 0, 0, 64, 1), ("access", 0, 0, 16, 1, 1)])
    for kind in ("read", "write"):
        for size in (1, 2, 4, 8, 16):
            known = getattr(same_epoch, f"race_{kind}{size}_known")
            assert not known(pair.ctx, BASE)
    at = place(BASE) if detector != "tsan" else int(tsan.addr_to_unit_place(BASE))
    assert _word(at) != 0


def test_a_block_is_one_record_until_its_parts_differ(new_guest: NewGuest) -> None:
    pair = RacePair(new_guest(), detector="vector")
    pair.run([*START, ("malloc", 0, 0, 4096, 1)])
    assert {_word(place(BASE + byte)) for byte in range(4096)} == {_word(place(BASE))}
    pair.run([("access", 0, 8, 4, 1, 1)])
    pair.run([("range", 0, 0, 8, 1, 1)])
    indices = [_word(place(BASE + byte)) for byte in (0, 7, 8, 11, 12, 4095)]
    assert len(set(indices)) == 3
    assert indices[0] == indices[1] and indices[2] == indices[3] and indices[4] == indices[5]
    record = int(race_records.record_to_address(indices[4]))
    assert _word(record + 4) == 4096 - 12


def test_vector_renews_its_entry_and_djit_skips_the_epoch(new_guest: NewGuest) -> None:
    """DJIT+ keeps the first access of an epoch, plain vector clocks the last."""
    kept = {}
    for detector in EXACT:
        pair = RacePair(new_guest(), detector=detector)
        pair.run([*START, ("access", 1, 0, 4, 1, 1), ("access", 1, 0, 4, 1, 2)])
        pair.run([("access", 2, 0, 4, 1, 3)])
        [found] = pair.found()
        kept[detector] = tuple(stack_to_sites(found.stack))
    assert kept == {"vector": (2,), "djit": (1,)}
