"""Hosts of one explorer: started once, fed with schedules, asked for what came of them.

    with Hosts(options, n_hosts=2) as hosts:
        hosts.load(options)                      compile what is not in the cache, begin the program
        for played in hosts.play(schedules):     in the order in which they end
            ...

`run_schedules` does all of it.  A host that ends by itself is an error of irsan; a schedule that
ends badly is an ending (schedules.py).  Whoever explores asks for no more than a `Player`, so the
workers of a cluster can take the place of hosts (cluster.py).
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

import irsan
from irsan.engine.commands.batch_host import Failure
from irsan.engine.commands.forking import receive, send
from irsan.engine.options import RunOptions
from irsan.errors import InternalError, IrsanError, MissingSymbolsError
from irsan.explore.processors import processor_of_host
from irsan.explore.schedules import FORGET, READY, Job, Limits, Played, Schedule
from irsan.own_process import module_command

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram
    from irsan.engine.runtime_image.image import RuntimeImage

_N_AHEAD: Final = 4  # schedules that a host has been sent, so that it never waits for the next


def run_schedules(
    options: RunOptions,
    schedules: Sequence[Schedule],
    *,
    n_hosts: int = 1,
    limits: Limits = Limits(),  # noqa: B008
    stdin: bytes = b"",
) -> list[Played]:
    """Play schedules of a program; the results are in the order of `schedules`.

    Raises what `irsan run` raises when the program cannot be compiled or linked.
    """
    with Hosts(n_hosts) as hosts:
        hosts.load(options, limits, stdin)
        played = {one.index: one for one in hosts.play(schedules)}
    return [played[schedule.index] for schedule in schedules]


class Player(Protocol):
    """Plays schedules of one program at a time: hosts of this machine, or a cluster's workers."""

    def __enter__(self) -> Player:
        """Use as a context manager: in the end all that plays ends."""

    def __exit__(self, *error: object) -> None: ...

    def load(
        self, options: RunOptions, limits: Limits = ..., stdin: bytes = ...,
        prepared: PreparedProgram | None = None,
    ) -> PreparedProgram:
        """As of Hosts."""

    def play(
        self, schedules: Iterable[Schedule], is_over: Callable[[], bool] = ...
    ) -> Iterator[Played]:
        """As of Hosts."""


class Hosts:
    """Processes that play schedules of one program at a time."""

    def __init__(self, n_hosts: int) -> None:
        self._n_hosts = n_hosts
        self._hosts: list[_Host] = []

    def __enter__(self) -> Hosts:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End all hosts, and the schedules that they are playing."""
        for host in self._hosts:
            host.close()
        self._hosts = []

    def load(
        self,
        options: RunOptions,
        limits: Limits = Limits(),  # noqa: B008
        stdin: bytes = b"",
        prepared: PreparedProgram | None = None,
    ) -> PreparedProgram:
        """Prepare a program and let every host begin it; it takes the place of the one before.

        prepared: the program, when that was done already
        """
        from irsan.engine.run.prepared import prepare

        prepared = prepared or prepare(options)
        with places_of_symbols(prepared):
            self.begin(job_of(prepared, options, limits, stdin), prepared.runtime)
        return prepared

    def begin(self, job: Job, runtime: RuntimeImage) -> None:
        """Let every host begin a program. Raises what that refuses, without places of symbols."""
        while len(self._hosts) < self._n_hosts:
            self._hosts.append(_Host(runtime))
        for number, host in enumerate(self._hosts):
            host.begin(replace(job, processor=processor_of_host(number, self._n_hosts)))
        errors = [error for host in self._hosts if (error := host.await_beginning()) is not None]
        for error in errors[:1]:
            raise error

    def forget(self) -> None:
        """Let what is found and printed from here on be told whole, as by hosts that are new."""
        for host in self._hosts:
            send(host.channel, FORGET)

    def play(
        self, schedules: Iterable[Schedule], is_over: Callable[[], bool] = lambda: False
    ) -> Iterator[Played]:
        """What came of each schedule, in the order in which they end.

        is_over: asked before a schedule is sent; those that were sent are waited for
        """
        waiting = iter(schedules)
        try:
            with selectors.DefaultSelector() as selector:
                for host in self._hosts:
                    selector.register(host.channel, selectors.EVENT_READ, host)
                self._feed(waiting, is_over)
                while any(host.sent for host in self._hosts):
                    for key, _ in selector.select():
                        yield key.data.take()
                    self._feed(waiting, is_over)
        finally:
            self._drop_busy()

    def _drop_busy(self) -> None:
        """End hosts that play what nobody waits for any more."""
        for host in [host for host in self._hosts if host.sent]:
            host.close()
            self._hosts.remove(host)

    def _feed(self, waiting: Iterator[Schedule], is_over: Callable[[], bool]) -> None:
        """Send schedules, the same number to each host first."""
        for n_sent in range(_N_AHEAD):
            for host in self._hosts:
                if len(host.sent) > n_sent or is_over():
                    continue
                schedule = next(waiting, None)
                if schedule is None:
                    return
                host.send(schedule)


class _Host:
    """One process and what it was sent."""

    def __init__(self, runtime: RuntimeImage) -> None:
        self.channel, theirs = socket.socketpair()
        self.sent: deque[Schedule] = deque()
        self._has_program = False
        self._program = ""
        with theirs:
            self._process = subprocess.Popen(
                module_command("irsan.explore.playing.host", str(theirs.fileno())),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                env=_host_environment(),
                start_new_session=True,  # an interrupt at the terminal is the explorer's
            )
        send(self.channel, runtime)

    def begin(self, job: Job) -> None:
        if self._has_program:
            send(self.channel, None)
        self._has_program, self._program = False, str(job.options.programs[0])
        send(self.channel, job)

    def await_beginning(self) -> IrsanError | None:
        """Why the program cannot begin; None when it has."""
        answer = receive(self.channel)
        if isinstance(answer, IrsanError):
            return answer
        if answer != READY:
            self._refuse(answer or Failure("it has ended"))
        self._has_program = True
        return None

    def send(self, schedule: Schedule) -> None:
        send(self.channel, schedule)
        self.sent.append(schedule)

    def take(self) -> Played:
        answer = receive(self.channel)
        if not isinstance(answer, Played):
            self._refuse(answer or Failure("it has ended"))
        self.sent.popleft()
        return answer

    def close(self) -> None:
        self.channel.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, 9)
        self._process.wait()

    def _refuse(self, answer: Any) -> NoReturn:
        reason = answer.text if isinstance(answer, Failure) else f"it said {answer!r}"
        raise InternalError(f"the host of {self._program} failed: {reason}")


def job_of(
    prepared: PreparedProgram, options: RunOptions, limits: Limits, stdin: bytes
) -> Job:
    """A prepared program as hosts are given it."""
    return Job(prepared.program, options, prepared.defaults, limits, stdin)


@contextmanager
def places_of_symbols(prepared: PreparedProgram) -> Iterator[None]:
    """What refuses a program for symbols that it misses says where it needs them."""
    from irsan.engine.front_end.missing_symbols import with_places

    try:
        yield
    except MissingSymbolsError as error:
        raise with_places(error, prepared.units) from None


def _host_environment() -> dict[str, str]:
    """This environment, in which the host finds the very package that is running."""
    root = str(Path(irsan.__file__).parent.parent)
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}  # threads do not fork
