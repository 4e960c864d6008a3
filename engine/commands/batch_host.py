"""The process that forks runs: see irsan.engine.commands.batch for the picture.

Every process here has one thread and ends by `os._exit`.  A run's standard streams and its JSON
report are files in memory, so that a child never waits for a reader.
"""

from __future__ import annotations

import codecs
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irsan.engine.cache import open_cache
from irsan.engine.commands.forking import contents, fork, memory_file, receive, send
from irsan.engine.options import ReportTarget, RunOptions
from irsan.errors import InternalError, IrsanError

if TYPE_CHECKING:
    from irsan.engine.guest.image_memory import LinkedRuntime
    from irsan.engine.program_image.program import ProgramImage
    from irsan.engine.run.run_guest import LinkedGuest
    from irsan.engine.runtime_image.image import RuntimeImage
    from irsan.runtime.flags.flag_table import Owner

_STREAMS = ("stdin", "stdout", "stderr", "report")

Serve = Callable[[socket.socket, Any, "RuntimeImage", "LinkedRuntime"], int]

# (exit status, stdout, stderr, report or None, seconds, whether it was stopped for its time)
Answer = tuple[int, bytes, str, "dict[str, Any] | None", float, bool]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run: its options, its standard input, the seconds it may take."""

    options: RunOptions
    stdin: bytes
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Job:
    """Runs of one program, at least one; `defaults`: options that it carries itself."""

    program: ProgramImage
    requests: list[RunRequest]
    defaults: Mapping[Owner, str]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job cannot go on."""

    text: str


def main(descriptor: int) -> None:
    """Serve jobs until the other side closes."""
    serve_jobs(descriptor, _serve)


def serve_jobs(descriptor: int, serve: Serve) -> None:
    """Link the runtime that comes first, then fork a child for each job, which serves it.

    serve: given the channel, the job and the runtime; returns the child's exit status
    """
    from irsan.engine.run.run_guest import link_runtime

    channel = socket.socket(fileno=descriptor)
    runtime_image = receive(channel)
    if runtime_image is None:
        return
    import_for_runs(runtime_image)
    runtime = link_runtime(runtime_image)
    gc.collect()
    gc.freeze()
    while (job := receive(channel)) is not None:
        child = fork(partial(serve, channel, job, runtime_image, runtime))
        _, status = os.waitpid(child, 0)
        if status:
            send(channel, Failure(f"process status {os.waitstatus_to_exitcode(status)}"))


def import_for_runs(runtime_image: RuntimeImage) -> None:
    """Import and read what a run needs, so that no child pays for it."""
    import irsan.arguments
    import irsan.engine.commands.session
    import irsan.engine.cxx_library.library
    import irsan.engine.front_end.program_defaults
    import irsan.engine.inputs.program_parts
    import irsan.engine.native_libraries.zig_runtime
    import irsan.engine.snapshot.own_loader
    import irsan.reports.derived.finished  # noqa: F401
    from irsan.engine.reporting.run_facts import llvm_of_run
    from irsan.engine.run.host_routines import host_routines
    from irsan.reports.formats.json_shape import resolve_hints
    from irsan.reports.model.report import Report
    from irsan.reports.renderers import renderer
    from irsan.runtime.flags import flags

    host_routines(runtime_image.routines)
    renderer("json")
    resolve_hints(Report)
    flags.parse_flags({}, program="", pid=0)
    llvm_of_run()
    codecs.lookup("ascii")
    codecs.lookup("utf-16-le")


def _serve(
    channel: socket.socket, job: Job, runtime_image: RuntimeImage, runtime: LinkedRuntime
) -> int:
    """Link the program here, then fork one child per run; the links end with this process."""
    from irsan.engine.run.run_guest import link_guest

    options = job.requests[0].options
    try:
        cache = open_cache(options.environment)
        guest = link_guest(runtime_image, runtime, job.program, options, cache)
    except IrsanError as error:
        text = f"irsan: error: {error}\n"
        for _ in job.requests:
            send(channel, (error.exit_status, b"", text, None, 0.0, False))
        return 0
    except Exception:
        send(channel, Failure(traceback.format_exc()))
        return 0
    gc.freeze()  # a collection in a child would copy every page it looks at
    for request in job.requests:
        send(channel, _run(request, guest, job.defaults))
    return 0


def _run(request: RunRequest, guest: LinkedGuest, defaults: Mapping[Owner, str]) -> Answer:
    files = {name: memory_file(name) for name in _STREAMS}
    os.write(files["stdin"], request.stdin)
    os.lseek(files["stdin"], 0, os.SEEK_SET)
    started = time.perf_counter()
    child = fork(lambda: _run_child(request.options, guest, files, defaults))
    status, is_timeout = _wait(child, request.timeout_s)
    elapsed_s = time.perf_counter() - started
    found = {name: contents(files[name]) for name in _STREAMS}
    report = json.loads(found["report"]) if found["report"] else None
    errors = found["stderr"].decode(errors="surrogateescape")
    return status, found["stdout"], errors, report, elapsed_s, is_timeout


def _wait(child: int, timeout_s: float) -> tuple[int, bool]:
    """Exit status as a shell says it, and whether the child had to be killed."""
    watch = os.pidfd_open(child)
    poll = select.poll()
    poll.register(watch, select.POLLIN)
    is_timeout = not poll.poll(timeout_s * 1000)
    if is_timeout:
        os.killpg(child, signal.SIGKILL)
    os.close(watch)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return (code if code >= 0 else 128 - code), is_timeout


def _run_child(
    options: RunOptions, guest: LinkedGuest, files: dict[str, int], defaults: Mapping[Owner, str]
) -> int:
    """The run itself, in a process of its own."""
    from irsan.engine.commands.session import read_flags
    from irsan.engine.run.prepared import Stages
    from irsan.engine.run.run_guest import run_guest

    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number, name in enumerate(_STREAMS[:3]):
        os.dup2(files[name], number)
    os.environ.clear()
    os.environ.update(options.environment)
    report = ReportTarget("json", Path(f"/proc/self/fd/{files['report']}"))
    options = replace(options, reports=(*options.reports, report))
    try:
        return run_guest(options, read_flags(options, defaults), guest, Stages(is_cached=True))
    except IrsanError as error:
        print(f"irsan: error: {error}", file=sys.stderr)
        return error.exit_status
    except Exception:
        traceback.print_exc()
        return InternalError.exit_status


if __name__ == "__main__":
    # What is sent has classes of this module by its name, not of __main__, which the other side is.
    from irsan.engine.commands.batch_host import main as serve
    from irsan.low_heap import leave_low_heap

    leave_low_heap()
    serve(int(sys.argv[1]))
