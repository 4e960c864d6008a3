"""Making members of the checked library side by side, each in a process of its own.

A worker is a fork, as compiling and instrumenting a member are work of Python's; it makes one
member after the other and sends each.  This process keeps them.

Soundness: a member is the same whoever makes it.  What a worker cannot make ends the build with its
error; the members that were made are kept.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.cache import Cache
from irsan.engine.cxx_library.members import Member, MemberStore, Variant, make_member
from irsan.engine.program_image.worker_turns import worker_turns
from irsan.engine.runtime_image.kernel_workers import forked
from irsan.errors import InternalError, IrsanError, UnsupportedError

if TYPE_CHECKING:
    from irsan.engine.runtime_image.image import RuntimeImage

Job = tuple[str, Path, int]
"""Name of a member, its source, its number."""
Made = tuple[Member, str]
Make = Callable[[Job], Made]

_MAX_WORKERS: Final = 8  # each takes up to half a gigabyte
COMPILING: Final = "compiling the C++ library with checks (once, some minutes)"


def build_members(
    jobs: Sequence[Job],
    variant: Variant,
    runtime: RuntimeImage,
    cache: Cache,
    store: MemberStore,
    progress: Callable[[str], None],
) -> None:
    """Make the members and keep them; `jobs` begin with what takes longest."""

    def make(job: Job) -> Made:
        _, source, number = job
        return make_member(source, number, variant, runtime, cache)

    n_workers = min(len(jobs), len(os.sched_getaffinity(0)), _MAX_WORKERS)
    makes = side_by_side(jobs, make, n_workers) if n_workers > 1 else one_by_one(jobs, make)
    for number, (name, (member, sites)) in enumerate(makes, 1):
        store.put(name, member, sites)
        progress(f"{COMPILING}: {number} of {len(jobs)}")


def one_by_one(jobs: Sequence[Job], make: Make) -> Iterator[tuple[str, Made]]:
    """Each member's name and what was made, in this process."""
    for job in jobs:
        yield job[0], make(job)


def side_by_side(
    jobs: Sequence[Job], make: Make, n_workers: int
) -> Iterator[tuple[str, Made]]:
    """The same in worker processes, as they are ready."""
    with worker_turns(lambda: _worker(make), n_workers) as turns:
        waiting = {turns.submit(_making(job)): job[0] for job in jobs}
        for one in as_completed(waiting):
            yield waiting[one], one.result()


def _making(job: Job) -> Callable[[Worker], Made]:
    return lambda worker: worker.make(job)


class Worker:
    """One process, making one member at a time."""

    def __init__(self, pipe: Connection[Job, Made | IrsanError]) -> None:
        self._pipe = pipe

    def make(self, job: Job) -> Made:
        """What the process has made; its error is raised here."""
        try:
            self._pipe.send(job)
            answer = self._pipe.recv()
        except (OSError, EOFError):
            raise InternalError(f"the process that compiles {job[1].name} has ended") from None
        if isinstance(answer, IrsanError):
            raise answer
        return answer


@contextmanager
def _worker(make: Make) -> Iterator[Worker]:
    with forked(partial(_serve, make)) as pipe:
        yield Worker(pipe)


def _serve(make: Make, pipe: Connection[Made | IrsanError, Job]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks ends, and its pipe with it
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send(_answer(job, make))


def _answer(job: Job, make: Make) -> Made | IrsanError:
    try:
        return make(job)
    except IrsanError as error:
        return UnsupportedError(f"{job[1]}: {error}")  # its own class may not pass a pipe
    except Exception:
        return InternalError(f"{job[1]}: {traceback.format_exc()}")
