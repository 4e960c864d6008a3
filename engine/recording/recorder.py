"""Recording, seen from the run: starts the process that writes, arms the kernels, hears the end."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from irsan.engine.options import TraceRequest
from irsan.engine.recording.trace_files import Recorded, form_of, open_part, part_of
from irsan.errors import InternalError
from irsan.own_process import module_command
from irsan.reports.model.report import Frame
from irsan.runtime.layout import options
from irsan.runtime.records.race import trace_records as tr
from irsan.traces.site_names import SiteName, sites_path, write_sites

STATUS_NO_TRACE = 74
_PIPE_BYTES = 1 << 20
_HIGH_DESCRIPTOR = 900  # programs close low ones that they do not know
_DJIT = options.RACE_DETECTORS.index("djit")

SiteToFrames = Callable[[int], Sequence[Frame]]


class Recorder:
    """One recorded run.  `start` before the program's first step, `finish` after its last one."""

    def __init__(self, request: TraceRequest, site_to_frames: SiteToFrames) -> None:
        """Opens the file and starts the process.  Raises UsageError for a file that cannot be."""
        self._request = request
        self._site_to_frames = site_to_frames
        self._pid = os.getpid()
        form = form_of(request.path, request.form)
        trace = open_part(request.path)
        reader, self._events = _pipe()
        self._answer, writer = _pipe()
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._events, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        numbers = [reader, trace, writer]
        words = [*map(str, numbers), str(request.path), form]
        command = module_command("irsan.engine.recording.trace_process", *words)
        started = subprocess.run(
            command,
            pass_fds=numbers,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        for number in numbers:
            os.close(number)
        if started.returncode:
            raise InternalError("the process that writes the trace did not start")

    @staticmethod
    def option_words(words: dict[int, int]) -> dict[int, int]:
        """Those of a recorded run: DJIT+ in FastTrack's place, because every access comes to it."""
        chosen = words[options.RACE_DETECTOR] or _DJIT
        return {**words, options.RACE_DETECTOR: chosen}

    def before_child(self, on_fork: Callable[[], None]) -> Callable[[], None]:
        """`on_fork` for a process that is a fork of the recorded one: it is not recorded."""

        def leave() -> None:
            with contextlib.suppress(OSError):  # the program may have closed it
                os.close(self._events)
            on_fork()

        return leave

    def start(self, ctx: Any) -> None:
        """Let the kernels record from now on."""
        words = ctx["recording"]
        words["written_to"] = tr.BUFFER
        words["descriptor"] = self._events
        words["is_filtered"] = int(not self._request.every_access)
        words["mode"] = tr.INTO_PIPE

    def finish(self, ctx: Any) -> int:
        """Hand over the rest, wait for the trace; the status of a failure, 0 if there is none."""
        if os.getpid() != self._pid:
            return 0
        words = ctx["recording"]
        n_bytes = int(words["written_to"]) - tr.BUFFER
        # A full buffer was being written when a signal ended the run: how far is unknown.
        is_lost = not int(words["mode"]) or n_bytes >= tr.BUFFER_BYTES
        words["mode"] = 0
        if not is_lost:
            _write_all(self._events, ctypes.string_at(tr.BUFFER, n_bytes) + bytes(tr.EVENT_BYTES))
        with contextlib.suppress(OSError):
            os.close(self._events)
        return self._tell(_answer_from(self._answer))

    def _tell(self, recorded: Recorded) -> int:
        path = self._request.path
        if recorded.is_ended and not recorded.error:
            recorded = self._with_files(recorded)
        if recorded.error or not recorded.is_ended:
            print(f"irsan: error: {recorded.why_incomplete(path)}", file=sys.stderr)
            return STATUS_NO_TRACE
        print(f"irsan: trace: {recorded.n_events} events in {path}", file=sys.stderr)
        if recorded.n_approximate:
            print(
                f"irsan: trace: {recorded.n_approximate} releases of sync objects are written as "
                "locks, which may hide races (docs/traces.md)",
                file=sys.stderr,
            )
        return 0

    def _with_files(self, recorded: Recorded) -> Recorded:
        """Give the trace its name and its places; says so if that fails."""
        path = self._request.path
        part = part_of(path)
        try:
            if part != path:
                found = ((site, _named(self._site_to_frames(site))) for site in recorded.sites)
                write_sites(sites_path(path), {site: name for site, name in found if name})
                part.replace(path)
        except OSError as error:
            return replace(recorded, error=str(error.strerror or error))
        return recorded


def _named(frames: Sequence[Frame]) -> SiteName | None:
    """The innermost place in the source; None when there is no place of the program."""
    if not frames or not frames[0].line:
        return None
    frame = frames[0]
    return SiteName(f"{frame.file}:{frame.line}:{frame.column}", frame.function)


def _pipe() -> tuple[int, int]:
    """A pipe with descriptors that the program hardly meets."""
    low = os.pipe()
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    least = min(_HIGH_DESCRIPTOR, max(limit - 8, 0)) if limit >= 0 else _HIGH_DESCRIPTOR
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, least) for end in low)
    for end in low:
        os.close(end)
    return high[0], high[1]


def _write_all(descriptor: int, data: bytes) -> None:
    """Write what the pipe takes; a closed one is seen by who reads it."""
    rest = memoryview(data)
    with contextlib.suppress(OSError):
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def _answer_from(descriptor: int) -> Recorded:
    with open(descriptor, encoding="utf-8") as file:
        line = file.read()
    if not line:
        raise InternalError("the process that writes the trace has died")
    return Recorded(**json.loads(line))
