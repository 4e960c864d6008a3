"""From a seed to the state of the schedule's generator."""

from __future__ import annotations

_MASK = (1 << 64) - 1


def seed_to_rng_words(seed: int) -> tuple[int, int, int, int]:
    """Four state words by splitmix64 (Steele, Lea, Flood, OOPSLA 2014); any integer is a seed."""
    state = seed & _MASK
    words = []
    for _ in range(4):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        words.append(mixed ^ (mixed >> 31))
    return words[0], words[1], words[2], words[3]
