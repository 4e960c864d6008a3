"""Work goes to an idle worker, to none twice at once; what waits at the end is dropped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from irsan.engine.program_image.worker_turns import worker_turns


class Counting:
    """A worker that notes how many use it."""

    def __init__(self) -> None:
        self.n_now = self.most = self.n_calls = 0
        self.has_ended = False

    def double(self, number: int) -> int:
        self.n_now += 1
        self.most = max(self.most, self.n_now)
        self.n_calls += 1
        self.n_now -= 1
        if number == 7:
            raise ValueError("seven")
        return 2 * number


def test_each_worker_does_one_thing_at_a_time() -> None:
    made: list[Counting] = []

    @contextmanager
    def make() -> Iterator[Counting]:
        made.append(Counting())
        yield made[-1]
        made[0].has_ended = True

    with worker_turns(make, 3) as turns:
        waiting = [turns.submit(lambda worker, n=n: worker.double(n)) for n in range(20)]
        found = [one.result() for n, one in enumerate(waiting) if n != 7]
        with pytest.raises(ValueError, match="seven"):
            waiting[7].result()
    assert found == [2 * n for n in range(20) if n != 7]
    assert len(made) == 3 and sum(one.n_calls for one in made) == 20
    assert all(one.most <= 1 for one in made) and made[0].has_ended


def test_what_waits_when_the_block_is_left_is_dropped() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def wait(_: None) -> None:
        begun.set()
        may_end.wait(10)

    @contextmanager
    def make() -> Iterator[None]:
        yield None
        may_end.set()

    with worker_turns(make, 1) as turns:
        turns.submit(wait)
        later = turns.submit(wait)
        assert begun.wait(10)
    assert later.cancelled()
