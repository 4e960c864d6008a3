"""What runs on the workers of a Dask cluster: plugins that keep images and hosts, and one task.

Dask sets plugins up on each worker before its first task, on a worker that comes later, too.  So
each has the runtime and a program once, also one that takes the place of another that has died.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin, get_worker

import irsan
from irsan.engine.runtime_image.source_hash import runtime_sources_hash
from irsan.errors import IrsanError, UsageError
from irsan.explore.playing.hosts import Hosts
from irsan.explore.schedules import Job, Played, Schedule

if TYPE_CHECKING:
    from irsan.engine.runtime_image.image import RuntimeImage


class HostsPlugin(WorkerPlugin):  # type: ignore[misc]
    """Keeps the runtime, and hosts that play nothing now, with the name of their program."""

    def __init__(self, name: str, runtime: RuntimeImage) -> None:
        self.name, self._runtime = name, runtime
        self._version, self._code = irsan.__version__, runtime_sources_hash()
        self._free: list[tuple[str, Hosts]] = []

    def setup(self, worker: Any) -> None:
        """On the worker. Raises UsageError where another irsan is installed."""
        del worker
        self._lock = threading.Lock()
        if self._code != runtime_sources_hash():
            raise UsageError(
                f"a worker of the cluster has another irsan ({irsan.__version__}) than this one "
                f"({self._version}), or one that was changed: install the same one everywhere"
            )

    def teardown(self, worker: Any) -> None:
        """On the worker, when it ends, or nobody needs it any more."""
        del worker
        with self._lock:
            for _, hosts in self._free:
                hosts.close()
            self._free = []

    @contextmanager
    def host_of(self, program: ProgramPlugin) -> Iterator[Hosts]:
        """A host that has begun a program, for one thread of the worker."""
        name, hosts = self._take(program.name)
        try:
            if name != program.name:
                hosts.begin(program.job, self._runtime)
            yield hosts
        except BaseException:
            hosts.close()
            raise
        with self._lock:
            self._free.append((program.name, hosts))

    def _take(self, program: str) -> tuple[str, Hosts]:
        with self._lock:
            for number, (name, _) in enumerate(self._free):
                if name == program:
                    return self._free.pop(number)
            return self._free.pop() if self._free else ("", Hosts(1))


class ProgramPlugin(WorkerPlugin):  # type: ignore[misc]
    """Brings a program to a worker."""

    def __init__(self, name: str, job: Job) -> None:
        self.name, self.job = name, job


def play_range(
    plugin: str, program: str, schedules: Sequence[Schedule]
) -> list[Played] | IrsanError:
    """A task: play schedules in their order, telling all as if none had been played before."""
    plugins = get_worker().plugins
    try:
        with plugins[plugin].host_of(plugins[program]) as hosts:
            hosts.forget()
            return list(hosts.play(schedules))
    except IrsanError as error:
        return error
