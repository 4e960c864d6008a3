"""Which iterations each thread of a team has, by the plainest reading of the specification."""

from __future__ import annotations


def iterations(lower: int, upper: int, step: int) -> list[int]:
    """The values of a loop's counter, in order; the bounds are both meant."""
    return list(range(lower, upper + (1 if step > 0 else -1), step))


def static_blocks(counters: list[int], n_threads: int) -> list[list[int]]:
    """One block for each thread; the first ones have one more where it does not come out even."""
    size, more = divmod(len(counters), n_threads)
    blocks, at = [], 0
    for number in range(n_threads):
        end = at + size + (number < more)
        blocks.append(counters[at:end])
        at = end
    return blocks


def static_chunks(counters: list[int], n_threads: int, chunk: int) -> list[list[int]]:
    """Chunks in turn."""
    parts: list[list[int]] = [[] for _ in range(n_threads)]
    for at in range(0, len(counters), chunk):
        parts[at // chunk % n_threads] += counters[at : at + chunk]
    return parts
