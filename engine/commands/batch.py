"""Many runs of prepared programs, fast: compile and link once, fork once per run.

    BatchRunner (this process)            host (a process of its own, numpy and the engine imported)
      prepare: compile, instrument          reserve the arena, link the runtime         once
      run: one pickled Job ------------->   fork: link the program                      per job
                                              fork: configure, run the guest, report    per run
      RunResult <------------------------     wait, read output and report

A run costs a fork, the pages it touches and what the guest does.  The host is started by exec, so
that the arena's fixed addresses are never reserved in this process and no thread of this process
is forked.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import irsan
from irsan.engine.commands.batch_host import Failure, Job, RunRequest
from irsan.engine.commands.forking import receive, send
from irsan.engine.options import RunOptions
from irsan.errors import InternalError
from irsan.own_process import module_command

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram
    from irsan.engine.runtime_image.image import RuntimeImage

DEFAULT_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class RunResult:
    """What one run did.

    exit_status: as a shell says it: 128 + signal when a signal ended the process.
    report: the irsan-report/1 object; None when the run ended without one (usage, unsupported).
    """

    seed: int
    exit_status: int
    stdout: bytes
    stderr: str
    report: dict[str, Any] | None
    run_s: float
    is_timeout: bool = False

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of the report."""
        return list(self.report["findings"]) if self.report else []


class BatchRunner:
    """Runs programs many times.  Use as a context manager, or call `close`."""

    def __init__(self, options: RunOptions, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """options: what all runs share; `programs`, `arguments`, `seed` are given per run."""
        self.options = options
        self._timeout_s = timeout_s
        self._host: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._runtime: RuntimeImage | None = None

    def __enter__(self) -> BatchRunner:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the host process."""
        if self._socket is not None:
            self._socket.close()
        if self._host is not None:
            self._host.wait()
        self._host = self._socket = self._runtime = None

    def run(
        self,
        programs: Sequence[Path],
        seeds: Iterable[int] = (0,),
        *,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        **changes: Any,
    ) -> list[RunResult]:
        """Run a program once per seed; `environment` is added to the options' own.

        changes: other fields of RunOptions (`opt_level`, `cc`, ...).
        Raises what `irsan run` raises when the program cannot be compiled.
        """
        options = replace(
            self.options,
            programs=tuple(programs),
            arguments=tuple(arguments),
            environment={**self.options.environment, **(environment or {})},
            **changes,
        )
        return list(self.runs(options, (replace(options, seed=seed) for seed in seeds), stdin))

    def runs(
        self, program: RunOptions, runs: Iterable[RunOptions], stdin: bytes = b""
    ) -> Iterator[RunResult]:
        """Prepare what `program` says, then run it as each of `runs` says, in order."""
        prepared = self.prepared(program)
        requests = [RunRequest(options, stdin, self._timeout_s) for options in runs]
        yield from self._submit(prepared, requests)

    def prepared(self, program: RunOptions) -> PreparedProgram:
        """A program made ready for this runner's host. Raises what `irsan run` raises."""
        from irsan.engine.run.prepared import prepare

        prepared = prepare(program, self._runtime)
        self._runtime = prepared.runtime  # the host has linked this one
        return prepared

    def _submit(self, prepared: PreparedProgram, requests: list[RunRequest]) -> Iterator[RunResult]:
        channel = self._channel(prepared)
        send(channel, Job(prepared.program, requests, prepared.defaults))
        for request in requests:
            answer = receive(channel)
            if answer is None or isinstance(answer, Failure):
                self.close()
                reason = "it has ended" if answer is None else answer.text
                raise InternalError(f"the host of {request.options.programs[0]} failed: {reason}")
            yield RunResult(request.options.seed, *answer)

    def _channel(self, prepared: PreparedProgram) -> socket.socket:
        """The socket to the host, started now if there is none."""
        if self._socket is not None:
            return self._socket
        ours, theirs = socket.socketpair()
        with theirs:
            self._host = subprocess.Popen(
                module_command("irsan.engine.commands.batch_host", str(theirs.fileno())),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                env=_host_environment(),
            )
        self._socket = ours
        send(ours, prepared.runtime)
        return ours


def _host_environment() -> dict[str, str]:
    """This environment, in which the host finds the very package that is running."""
    root = str(Path(irsan.__file__).parent.parent)
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}  # threads do not fork
