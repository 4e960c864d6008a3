"""Workers that take turns: each piece of work goes to one that is idle, and its result is promised.

    with worker_turns(make_worker, 4) as turns:
        waiting = [turns.submit(lambda worker: worker.make(job)) for job in jobs]     a Future each

What still waits when the block is left is dropped.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

Worker = TypeVar("Worker")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class WorkerTurns(Generic[Worker]):
    """A thread for each worker, which waits for what it does."""

    _threads: ThreadPoolExecutor
    _idle: queue.SimpleQueue[Worker]

    def submit(self, work: Callable[[Worker], Result]) -> Future[Result]:
        """What `work` will return of a worker that has nothing else to do."""
        return self._threads.submit(self._take_turn, work)

    def _take_turn(self, work: Callable[[Worker], Result]) -> Result:
        worker = self._idle.get()
        try:
            return work(worker)
        finally:
            self._idle.put(worker)


@contextmanager
def worker_turns(
    make_worker: Callable[[], AbstractContextManager[Worker]], n_workers: int
) -> Iterator[WorkerTurns[Worker]]:
    """Workers that are started now, and end with the block."""
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    with ExitStack() as stack:
        # Left in the other order: what waits is dropped, workers end, and with them the threads.
        threads = stack.enter_context(ThreadPoolExecutor(n_workers))
        for _ in range(n_workers):
            idle.put(stack.enter_context(make_worker()))
        stack.callback(threads.shutdown, wait=False, cancel_futures=True)
        yield WorkerTurns(threads, idle)
