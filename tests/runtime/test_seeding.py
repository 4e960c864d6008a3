"""Seeds: any integer gives four words, and seeds that differ give words that differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.runtime.seeding import seed_to_rng_words


@given(st.sets(st.integers(0, 2**64 - 1), min_size=2, max_size=20))
def test_different_seeds_give_different_words(seeds: set[int]) -> None:
    words = {seed_to_rng_words(seed) for seed in seeds}
    assert len(words) == len(seeds)


def test_neighbours_have_nothing_in_common() -> None:
    first, second = seed_to_rng_words(0), seed_to_rng_words(1)
    differing = [bin(a ^ b).count("1") for a, b in zip(first, second, strict=True)]
    assert all(20 < n_bits < 44 for n_bits in differing)
