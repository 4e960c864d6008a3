"""Random programs for the race detectors: strategies of single steps, and whole programs."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tests.support.race_pair import Step

TIDS = st.integers(0, 3)
OFFSETS = st.integers(0, 23)
SIZES = st.sampled_from([1, 2, 3, 4, 5, 8, 16])
ATOMIC_SIZES = st.sampled_from([1, 2, 4, 8])
ORDERS = st.integers(0, 5)
SITES = st.integers(1, 3)
LOCKS = st.integers(0, 2)
ATOMIC_VERBS = st.sampled_from(["load", "store", "rmw"])

STEP = st.one_of(
    st.tuples(st.just("access"), TIDS, OFFSETS, SIZES, st.integers(0, 1), SITES),
    st.tuples(st.just("access"), TIDS, OFFSETS, SIZES, st.integers(0, 3), SITES),
    st.tuples(st.just("range"), TIDS, OFFSETS, st.integers(0, 40), st.integers(0, 1), SITES),
    st.tuples(ATOMIC_VERBS, TIDS, OFFSETS, ATOMIC_SIZES, ORDERS, SITES),
    st.tuples(st.just("fence"), TIDS, ORDERS),
    st.tuples(st.sampled_from(["free", "malloc"]), TIDS, OFFSETS, st.integers(1, 30), SITES),
    st.tuples(st.just("forget"), TIDS, OFFSETS, st.integers(1, 30)),
    st.tuples(st.sampled_from(["fork", "finish"]), TIDS),
    st.tuples(st.just("join"), TIDS, TIDS),
    st.tuples(st.sampled_from(["lock", "unlock", "read_lock", "read_unlock"]), TIDS, LOCKS),
    st.tuples(st.sampled_from(["post", "wait", "exchange", "destroy"]), TIDS, LOCKS),
)
MANY = st.integers(0, 7)
# Mostly synchronisation, of more threads, with all that publishes, merges, learns and ends.
SYNC_STEP = st.one_of(
    st.tuples(st.sampled_from(["fork", "finish", "finalize"]), MANY),
    st.tuples(st.just("join"), MANY, MANY),
    st.tuples(st.sampled_from(["lock", "unlock", "read_lock", "read_unlock"]), MANY, LOCKS),
    st.tuples(st.sampled_from(["post", "wait", "exchange", "destroy"]), MANY, LOCKS),
    st.tuples(ATOMIC_VERBS, MANY, st.sampled_from([72, 76]), st.just(4), ORDERS, SITES),
    st.tuples(st.just("fence"), MANY, ORDERS),
    st.tuples(st.just("access"), MANY, OFFSETS, SIZES, st.integers(0, 1), SITES),
)
START: list[Step] = [("fork", 0), ("fork", 0)]


def random_program(rng: random.Random, n_steps: int, atomics: bool) -> list[Step]:
    """A program whose threads mostly keep to locks, so that races come late."""
    steps: list[Step] = [("fork", 0)] * rng.randrange(1, 4)
    for _ in range(n_steps):
        tid, site = rng.randrange(8), rng.randrange(1, 5)
        lock = rng.randrange(2)
        guarded = lock * 12
        choice = rng.random()
        if choice < 0.55:
            size = rng.choice([1, 2, 4, 8])
            offset = guarded + rng.randrange(max(1, 13 - size))
            access = ("access", tid, offset, size, rng.randrange(2), site)
            steps += [("lock", tid, lock), access, access, ("unlock", tid, lock)]
        elif choice < 0.7:
            steps.append(("access", tid, 24 + rng.randrange(8), rng.choice([1, 2, 4]), 0, site))
        elif choice < 0.75:
            own = 40 + 4 * tid + rng.randrange(4)
            steps.append(("access", tid, own, 1, rng.randrange(2), site))
        elif choice < 0.9 and atomics:
            verb = rng.choice(["load", "store", "rmw"])
            steps.append((verb, tid, 72 + 4 * rng.randrange(2), 4, rng.randrange(6), site))
        elif choice < 0.93:
            steps.append(("fence", tid, rng.randrange(6)))
        elif choice < 0.95:
            steps += [("fork", tid)]
        elif choice < 0.97:
            steps += [("finish", tid), ("join", rng.randrange(8), tid)]
        elif choice < 0.98:
            steps += [("lock", tid, lock), ("free", tid, guarded, 12, site)]
            steps += [("malloc", tid, guarded, 12, site), ("unlock", tid, lock)]
        else:
            steps.append(("access", tid, rng.randrange(30), rng.choice([1, 2, 4, 8]), 1, site))
    return steps


def sync_program(rng: random.Random, n_threads: int, n_steps: int) -> list[Step]:
    """Many threads that learn of each other in every way; few accesses, most of them guarded."""
    steps: list[Step] = [("fork", 0)] * (n_threads // 2)
    for _ in range(n_steps):
        tid, lock, choice = rng.randrange(n_threads), rng.randrange(3), rng.random()
        if choice < 0.5:
            access = ("access", tid, 8 * lock, 4, 1, 1)
            steps += [("lock", tid, lock), access, ("unlock", tid, lock)]
        elif choice < 0.6:
            steps += [("read_lock", tid, lock), ("read_unlock", tid, lock)]
        elif choice < 0.75:
            steps.append((rng.choice(["post", "wait", "exchange"]), tid, lock))
        elif choice < 0.85:
            verb = rng.choice(["load", "store", "rmw"])
            steps.append((verb, tid, 72 + 4 * rng.randrange(2), 4, rng.randrange(6), 1))
        elif choice < 0.89:
            steps.append(("fence", tid, rng.randrange(6)))
        elif choice < 0.93:
            steps.append(("fork", tid))
        elif choice < 0.97:
            steps += [("finish", tid), ("join", rng.randrange(n_threads), tid)]
        elif choice < 0.98:
            steps.append(("finalize", tid))
        else:
            steps.append(("access", tid, 24 + rng.randrange(8), 4, 1, 2))
    return steps


def message_program(rng: random.Random, n_rounds: int) -> list[Step]:
    """Threads hand data over through atomic flags, with orders and fences that may not suffice.

    Each round has data and a flag of its own, so that one race does not hide the next.
    """
    steps: list[Step] = [("fork", 0), ("fork", 0), ("fork", 0)]
    for index in range(n_rounds):
        data, flag = 48 * index, 48 * index + 32
        site = rng.randrange(1, 4)
        for _ in range(rng.randrange(2, 8)):
            tid, order, choice = rng.randrange(4), rng.randrange(6), rng.random()
            if choice < 0.3:
                kind = rng.choice([0, 1, 1])
                size, offset = rng.choice([1, 2, 4]), data + rng.randrange(4)
                steps.append(("access", tid, offset, size, kind, site))
            elif choice < 0.4:
                kind = rng.choice([0, 1, 2, 3])
                steps.append(("access", tid, flag, 4, kind, site))
            elif choice < 0.5:
                steps.append(("fence", tid, order))
            elif choice < 0.55:
                steps.append(("post", tid, 0))
            else:
                verb = rng.choice(["load", "store", "store", "rmw"])
                steps.append((verb, tid, flag, 4, order, site))
        steps.append(("access", rng.randrange(4), data, 4, 1, site))
    return steps


def handover_program(rng: random.Random, n_rounds: int) -> list[Step]:
    """One writer, one reader, and a third thread that meddles with the flag in between."""
    steps: list[Step] = [("fork", 0), ("fork", 0), ("fork", 0)]
    for index in range(n_rounds):
        data, flag = 48 * index, 48 * index + 32
        writer, meddler, reader = rng.sample(range(4), 3)
        steps.append(("access", writer, data, 4, 1, 1))
        if rng.random() < 0.4:
            steps.append(("fence", writer, rng.choice([3, 4, 5])))
        steps.append((rng.choice(["store", "rmw"]), writer, flag, 4, rng.choice([0, 3, 4, 5]), 2))
        for _ in range(rng.choice([0, 0, 1, 2])):
            verb, tid = rng.choice(["load", "store", "rmw"]), rng.choice([meddler, writer])
            steps.append((verb, tid, flag, 4, rng.choice([0, 0, 2, 3, 4]), 3))
        steps.append((rng.choice(["load", "rmw"]), reader, flag, 4, rng.choice([0, 2, 4, 5]), 1))
        if rng.random() < 0.4:
            steps.append(("fence", reader, rng.choice([2, 4, 5])))
        steps.append(("access", reader, data, 4, rng.randrange(2), 2))
    return steps


def lives_program(rng: random.Random, n_rounds: int) -> list[Step]:
    """Memory that is accessed, then partly freed, handed out or forgotten, then accessed again."""
    steps: list[Step] = [("fork", 0), ("fork", 0)]
    for index in range(n_rounds):
        lo = 64 * index
        for verb in ("before", rng.choice(["free", "malloc", "forget"]), "after"):
            if verb == "forget":
                offset, size = lo + rng.randrange(8), rng.randrange(1, 24)
                steps.append((verb, rng.randrange(3), offset, size))
            elif verb in ("free", "malloc"):
                offset, size = lo + rng.randrange(8), rng.randrange(1, 24)
                steps.append((verb, rng.randrange(3), offset, size, 4))
            for _ in range(rng.randrange(1, 4)):
                offset, size = lo + rng.randrange(20), rng.choice([1, 2, 3, 4, 8])
                kind = rng.choice([0, 0, 1, 1, 2, 3])
                steps.append(("access", rng.randrange(3), offset, size, kind, rng.randrange(1, 4)))
    return steps
