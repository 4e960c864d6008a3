"""Workers of a Dask cluster in the place of hosts: the same schedules, the same result.

    explorer                              each worker (cluster_worker.py)
      runtime, once      ---plugin-->       kept; each of its threads has a host (hosts.py)
      program, once      ---plugin-->       kept until it was explored
      range of schedules ---task---->       a host plays them from the first to the last
      what came of them  <-----------

The range of a worker that dies is played by another one, and comes once: that of the dead one never
came.  A range tells its findings and outputs whole, whoever has seen them before, so it does not
matter who plays it.  Ranges grow until one takes half a second, so that a task costs little.
"""

from __future__ import annotations

import queue
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from irsan.engine.options import RunOptions
from irsan.errors import IrsanError, UnsupportedError, UsageError
from irsan.explore.playing.hosts import job_of, places_of_symbols
from irsan.explore.schedules import Limits, Played, Schedule

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram
    from irsan.engine.runtime_image.image import RuntimeImage

_CONNECT_S: Final = 10
_NO_WORKER_S: Final = 60  # without a worker nothing will come any more
_LOOK_S: Final = 2
_RANGE_S: Final = 0.5
_LEAST_RANGE, _MOST_RANGE = 8, 256
_N_AHEAD: Final = 2  # ranges for each thread of the workers


class ClusterError(IrsanError):
    """The cluster has ended, or its workers die."""

    exit_status = 69


class Cluster:
    """A connection to a cluster, and what it was sent. Use as a context manager."""

    def __init__(self, address: str) -> None:
        """address: as of --cluster. Raises UsageError, UnsupportedError without the extra."""
        self.address, self.client = address, _connected(address)
        self.name = f"irsan-{uuid.uuid4().hex[:12]}"  # others may use the cluster, too
        self._n_programs = 0
        self._has_runtime = False

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(Exception):  # one that is gone has kept nothing
            if self._has_runtime:
                self.client.unregister_worker_plugin(self.name)
        self.client.close()

    def n_threads(self) -> int:
        """How many ranges can be played at once; 0 without a worker."""
        with self.errors():
            return int(sum(self.client.nthreads().values()))

    def send_runtime(self, runtime: RuntimeImage) -> None:
        """Let each worker have the runtime; once."""
        from irsan.explore.playing.cluster_worker import HostsPlugin

        if not self._has_runtime:
            self._register(HostsPlugin(self.name, runtime))
            self._has_runtime = True

    def send_program(self, job: Any) -> str:
        """Let each worker have a program; the name of it."""
        from irsan.explore.playing.cluster_worker import ProgramPlugin

        self._n_programs += 1
        name = f"{self.name}-{self._n_programs}"
        self._register(ProgramPlugin(name, job))
        return name

    def drop_program(self, name: str) -> None:
        """Let no worker keep a program any longer."""
        with self.errors():
            self.client.unregister_worker_plugin(name)

    def submit(self, program: str, schedules: tuple[Schedule, ...]) -> Any:
        """Have a range played; a future."""
        from irsan.explore.playing.cluster_worker import play_range

        with self.errors():
            return self.client.submit(play_range, self.name, program, schedules, pure=False)

    def _register(self, plugin: Any) -> None:
        try:
            with self.errors():
                self.client.register_plugin(plugin)
        except ImportError as error:
            raise UsageError(
                f"--cluster {self.address}: a worker cannot import irsan ({error}): install the "
                "same irsan on every machine of the cluster"
            ) from None

    @contextmanager
    def errors(self) -> Iterator[None]:
        """What Dask raises of a cluster that is gone, as one sentence."""
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            yield
        except KilledWorker as error:
            raise ClusterError(
                f"--cluster {self.address}: workers die, one after the other, while they play the "
                f"same schedules ({error.last_worker.address} was the last): look at its log"
            ) from None
        except (CancelledError, CommClosedError, OSError, TimeoutError) as error:
            why = f" ({error})" if str(error) else ""
            raise ClusterError(f"--cluster {self.address}: the scheduler is gone{why}") from None


class ClusterPlayer:
    """Plays schedules of one program at a time on a cluster; a Player, as Hosts is."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._program = ""
        self._range = _LEAST_RANGE
        self._ended: queue.Queue[Any] = queue.Queue()

    def __enter__(self) -> ClusterPlayer:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(ClusterError):
            self._drop()

    def load(
        self,
        options: RunOptions,
        limits: Limits = Limits(),  # noqa: B008
        stdin: bytes = b"",
        prepared: PreparedProgram | None = None,
    ) -> PreparedProgram:
        """As of Hosts: one worker begins the program here, others with their first range."""
        from irsan.engine.run.prepared import prepare

        prepared = prepared or prepare(options)
        self._drop()
        self._cluster.send_runtime(prepared.runtime)
        self._program = self._cluster.send_program(job_of(prepared, options, limits, stdin))
        self._range = _LEAST_RANGE
        with places_of_symbols(prepared):
            first = self._cluster.submit(self._program, ())
            first.add_done_callback(self._ended.put)
            self._taken(self._next())
        return prepared

    def play(
        self, schedules: Iterable[Schedule], is_over: Callable[[], bool] = lambda: False
    ) -> Iterator[Played]:
        """As of Hosts; is_over is asked before each range."""
        waiting = iter(schedules)
        sent: set[Any] = set()
        try:
            self._feed(sent, waiting, is_over)
            while sent:
                future = self._next()
                sent.discard(future)
                yield from self._taken(future)
                self._feed(sent, waiting, is_over)
        finally:
            self._ended = queue.Queue()
            if sent:
                self._cluster.client.cancel(list(sent))

    def _feed(
        self, sent: set[Any], waiting: Iterator[Schedule], is_over: Callable[[], bool]
    ) -> None:
        """Send ranges, so many that each worker has one that waits for it."""
        n_wanted = max(self._cluster.n_threads(), 1) * _N_AHEAD
        while len(sent) < n_wanted and not is_over():
            schedules = tuple(islice(waiting, self._range))
            if not schedules:
                return
            future = self._cluster.submit(self._program, schedules)
            future.add_done_callback(self._ended.put)
            sent.add(future)

    def _next(self) -> Any:
        """The next range that has ended."""
        none_since_s = time.monotonic()
        while True:
            try:
                return self._ended.get(timeout=_LOOK_S)
            except queue.Empty:
                now_s = time.monotonic()
                if self._cluster.n_threads():
                    none_since_s = now_s
                elif now_s - none_since_s > _NO_WORKER_S:
                    raise ClusterError(
                        f"--cluster {self._cluster.address}: there has been no worker for "
                        f"{_NO_WORKER_S} s: start some with `dask worker`"
                    ) from None

    def _taken(self, future: Any) -> list[Played]:
        """What came of a range. Raises what its program was refused for."""
        with self._cluster.errors():
            answer: list[Played] | IrsanError = future.result()
        if isinstance(answer, IrsanError):
            raise answer
        if answer:
            mean_s = sum(one.run_s for one in answer) / len(answer)
            fitting = int(_RANGE_S / max(mean_s, 1e-6))
            self._range = min(max(fitting, _LEAST_RANGE), _MOST_RANGE)
        return answer

    def _drop(self) -> None:
        if self._program:
            self._cluster.drop_program(self._program)
        self._program = ""


def _connected(address: str) -> Any:
    """A client of the scheduler at an address, or of the one that has written a file."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise UnsupportedError(
            f"--cluster needs Dask ({error}): pip install 'irsan[cluster]'"
        ) from None
    is_file = "://" not in address
    if is_file and not Path(address).is_file():
        raise UsageError(
            f"--cluster {address}: is neither an address, as tcp://host:8786, nor the file that "
            "`dask scheduler --scheduler-file FILE` writes"
        )
    where = {"scheduler_file": address} if is_file else {"address": address}
    try:
        return Client(**where, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"--cluster {address}: no Dask scheduler answers there ({error}); start one with "
            "`dask scheduler`, and workers with `dask worker`"
        ) from None
