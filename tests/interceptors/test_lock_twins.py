"""Mutexes, conditions, semaphores, shared locks and barriers against their naive twins."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import fresh_guest
from tests.support.lock_pair import VERBS, Script, run_scripts

LOCKS = ("lock", "trylock", "timedlock", "unlock", "unlock", "pause")
CONDITIONS = ("wait", "timedwait", "signal", "broadcast", "unlock", "lock", "pause")
SEMAPHORES = ("sem_wait", "sem_trywait", "sem_timedwait", "sem_post", "sem_post")
SHARED = ("read", "tryread", "timedread", "write", "trywrite", "timedwrite", "unshare", "unshare")
BARRIERS = ("arrive", "arrive", "pause")
SPINS = ("spin", "tryspin", "unspin", "unspin")


def scripts(verbs: tuple[str, ...], max_threads: int = 4) -> st.SearchStrategy[list[Script]]:
    """One script per thread, over three mutexes and one of everything else."""
    step = st.tuples(st.sampled_from(verbs), st.integers(0, 2))
    return st.lists(st.lists(step, max_size=12), min_size=1, max_size=max_threads)


SEEDS = st.integers(0, 2**64 - 1)
MANY = settings(max_examples=150, deadline=None)


@MANY
@given(scripts(LOCKS), SEEDS)
def test_mutexes(threads: list[Script], seed: int) -> None:
    run_scripts(fresh_guest().ctx, threads, seed)


@MANY
@given(scripts(CONDITIONS), SEEDS)
def test_conditions(threads: list[Script], seed: int) -> None:
    run_scripts(fresh_guest().ctx, threads, seed)


@MANY
@given(scripts(SEMAPHORES), SEEDS, st.integers(0, 2))
def test_semaphores(threads: list[Script], seed: int, value: int) -> None:
    pair = run_scripts(fresh_guest().ctx, threads, seed, semaphore_value=value)
    assert pair.semaphore.value >= 0


@MANY
@given(scripts(SHARED), SEEDS)
def test_shared_locks(threads: list[Script], seed: int) -> None:
    run_scripts(fresh_guest().ctx, threads, seed)


@MANY
@given(scripts(BARRIERS), SEEDS, st.integers(1, 4))
def test_barriers(threads: list[Script], seed: int, count: int) -> None:
    run_scripts(fresh_guest().ctx, threads, seed, barrier_count=count)


@MANY
@given(scripts(SPINS), SEEDS)
def test_spinlocks(threads: list[Script], seed: int) -> None:
    run_scripts(fresh_guest().ctx, threads, seed)


@settings(max_examples=200, deadline=None)
@given(scripts(VERBS), SEEDS)
def test_everything_at_once(threads: list[Script], seed: int) -> None:
    run_scripts(fresh_guest().ctx, threads, seed)


def test_a_run_is_a_function_of_its_seed() -> None:
    script = [("lock", 0), ("pause", 0), ("unlock", 0)] * 20

    def choices(seed: int) -> list[int]:
        return run_scripts(fresh_guest().ctx, [script] * 3, seed).guest.choices

    first: Any = choices(5)
    assert choices(5) == first
    assert any(choices(seed) != first for seed in range(3))
    assert set(first) == {0, 1, 2}
