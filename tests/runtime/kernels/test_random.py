"""The schedule's generator: published numbers, its naive twin, bounds."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import random
from irsan.runtime.seeding import seed_to_rng_words
from tests.oracles.scheduler import NaiveGenerator

# The first outputs for the state 1, 2, 3, 4, as the authors' own C code gives them.
PUBLISHED = [
    11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
    16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
]  # fmt: skip
WORD = st.integers(0, 2**64 - 1)
ONE_GUEST = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50
)


def set_state(ctx: Any, words: tuple[int, ...]) -> None:
    for index, word in enumerate(words):
        ctx["schedule"]["rng"][index] = word


def test_the_published_numbers(guest: Any) -> None:
    set_state(guest.ctx, (1, 2, 3, 4))
    assert [int(random.random_u64(guest.ctx)) for _ in PUBLISHED] == PUBLISHED


@ONE_GUEST
@given(state=st.tuples(WORD, WORD, WORD, WORD), bounds=st.lists(st.integers(0, 2**32 - 1)))
def test_the_kernel_and_its_twin(guest: Any, state: tuple[int, ...], bounds: list[int]) -> None:
    twin = NaiveGenerator(list(state))
    set_state(guest.ctx, state)
    for bound in bounds:
        drawn = int(random.random_below(guest.ctx, bound))
        assert drawn == twin.below(bound)
        assert 0 <= drawn < max(bound, 1)
        assert int(random.random_u64(guest.ctx)) == twin.next()
    assert guest.ctx["schedule"]["rng"].tolist() == twin.state


@ONE_GUEST
@given(st.integers())
def test_any_integer_is_a_seed_that_moves_the_generator(guest: Any, seed: int) -> None:
    words = seed_to_rng_words(seed)
    assert any(words) and all(0 <= word < 2**64 for word in words)
    set_state(guest.ctx, words)
    random.random_u64(guest.ctx)
    assert tuple(guest.ctx["schedule"]["rng"].tolist()) != words


def test_the_first_word_of_seed_0_is_splitmix64s() -> None:
    assert seed_to_rng_words(0)[0] == 0xE220A8397B1DCDAF
    assert seed_to_rng_words(1) == seed_to_rng_words(1 + 2**64) != seed_to_rng_words(2)


def test_every_value_below_a_small_bound_is_drawn_about_equally_often(guest: Any) -> None:
    set_state(guest.ctx, seed_to_rng_words(3))
    counts = [0] * 7
    for _ in range(7000):
        counts[int(random.random_below(guest.ctx, 7))] += 1
    assert min(counts) > 850 and max(counts) < 1150
