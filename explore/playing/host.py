"""The process that plays schedules: the program begins once, and is forked once per schedule.

    explorer                              host (exec'd: the arena has its addresses, no threads)
      prepare: compile, instrument          link the runtime                          once
      Job ------------------------------>   fork: link the program, begin it          per program
      Schedule ------------------------->     choose it; fork, run, tell (forker.py)  per schedule
      Played <---------------------------     add what the kernel knows of the end

A schedule costs a fork, the pages that it touches, and what the program does.  Standard streams and
messages are files in memory, reused; descriptors of the host lie where a program has none.
"""

from __future__ import annotations

import gc
import hashlib
import os
import signal
import socket
import sys
import time
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn

from irsan.engine.cache import open_cache
from irsan.engine.commands.batch_host import Failure, serve_jobs
from irsan.engine.commands.forking import memory_file, plain_fork, receive, send
from irsan.engine.commands.session import read_flags
from irsan.engine.findings.crash import CrashHandler
from irsan.engine.guest.own_descriptors import tell_kernels
from irsan.engine.options import RunOptions
from irsan.engine.run.prepared import Stages
from irsan.engine.run.run_guest import link_guest, start_guest
from irsan.errors import InternalError, IrsanError
from irsan.explore.playing.answers import Told, read_answers
from irsan.explore.playing.child import Child
from irsan.explore.playing.forker import Forker
from irsan.explore.playing.frozen_memory import freeze_memory, make_own, system_calls
from irsan.explore.playing.watched import (
    Streams,
    Watch,
    await_child,
    await_end,
    end_strays,
    watch_of,
)
from irsan.explore.processors import keep_to, use
from irsan.explore.schedules import (
    FORGET,
    KEPT_OUTPUT_BYTES,
    READY,
    Ending,
    Job,
    Played,
    Schedule,
)
from irsan.streams import out_of_the_way

if TYPE_CHECKING:
    from irsan.engine.guest.image_memory import LinkedRuntime
    from irsan.engine.runtime_image.image import RuntimeImage

_DIGEST_BYTES: Final = 8


def main(descriptor: int) -> None:
    """Serve programs until the other side closes."""
    serve_jobs(_moved(descriptor), _serve)


def _serve(
    channel: socket.socket, job: Job, runtime_image: RuntimeImage, runtime: LinkedRuntime
) -> int:
    """Play schedules of one program until None comes."""
    try:
        host = ScheduleHost(job, runtime_image, runtime)
    except IrsanError as error:
        send(channel, error)
        return 0
    except Exception:
        send(channel, Failure(traceback.format_exc()))
        return 0
    send(channel, READY)
    while (asked := receive(channel)) is not None:
        if asked == FORGET:
            host.forget()
        else:
            send(channel, host.play(asked))
    return 0


class ScheduleHost:
    """A program that has begun in this process."""

    def __init__(self, job: Job, runtime_image: RuntimeImage, runtime: LinkedRuntime) -> None:
        self._limits, self._stdin = job.limits, job.stdin
        os.environ.clear()
        os.environ.update(job.options.environment)
        self._streams = Streams()
        self._answers = _moved(memory_file("answers"), appends=True)
        self._job, self._crashes = job, CrashHandler(runtime.symbols)
        cache = open_cache(job.options.cache_environment())
        self._guest = link_guest(runtime_image, runtime, job.program, job.options, cache)
        self._flags = read_flags(job.options, job.defaults)
        self._child = None if self._begins_anew() else self._begin(job.options)
        self._is_warm = False
        self._keys: set[str] = set()
        self._digests: set[str] = set()
        gc.collect()
        gc.freeze()  # a collection in a child would copy every page it looks at
        gc.disable()
        self._processors = keep_to(job.processor)
        self._forker = self._child.forker() if self._child is not None else None
        if self._forker is not None:
            self._forker.may_use(self._processors)
        if self._child is None or self._forker is None:
            freeze_memory(system_calls(runtime.symbols["irsan_system_calls"]))
            return
        freeze_memory(self._forker.start)
        if self._forker.is_schedule:
            _go_on(self._child, self._forker)
        if not self._forker.is_running:
            self._forker = None

    def _begins_anew(self) -> bool:
        """Whether the seed has a say before the program's first instruction."""
        return "gwp-asan" in self._job.options.sanitize or self._guest.launchers is not None

    def _begin(self, options: RunOptions) -> Child:
        started = start_guest(options, self._flags, self._guest, Stages(is_cached=True))
        tell_kernels(started.parts.machine.ctx, self._answers)
        self._crashes.install()
        return Child(started, self._answers)

    def forget(self) -> None:
        """What was found and printed so far is new again."""
        self._keys.clear()
        self._digests.clear()

    def play(self, schedule: Schedule) -> Played:
        """Fork a process for the schedule, wait for its end, say what came of it."""
        self._streams.rewind(self._stdin)
        os.ftruncate(self._answers, 0)
        if self._child is not None:
            self._child.choose(schedule)
        began = time.perf_counter()
        forker = self._forker
        child, watch = self._asked(forker, schedule) if forker else self._forked(schedule)
        if end_strays(child):
            self._renew()
        run_s = time.perf_counter() - began
        answers = os.pread(self._answers, os.fstat(self._answers).st_size, 0)
        told, pages = read_answers(answers, schedule)
        if pages and not self._is_warm:
            self._is_warm = True
            expect = self._forker.will_write if self._forker is not None else make_own
            expect(pages)
        return self._played(schedule.index, child, told, watch, run_s)

    def _asked(self, forker: Forker, schedule: Schedule) -> tuple[int, Watch]:
        """Let a process of the forker's play; who it was, and how it has ended."""
        forker.ask(schedule, self._keys, tells_pages=not self._is_warm)
        ending = await_end(forker.replies, forker.child, self._limits, self._streams)
        return forker.child(), watch_of(forker.status(), ending)

    def _forked(self, schedule: Schedule) -> tuple[int, Watch]:
        """The same with a fork of this process."""
        child = plain_fork()
        if not child:
            self._in_child(schedule)
        return child, await_child(child, self._limits, self._streams)

    def _renew(self) -> None:
        """What a schedule has left running was ended, but may still write to these streams."""
        self._streams.renew()
        if self._forker is not None:  # which has the old ones
            self._forker.close()
            self._forker = None

    def _in_child(self, schedule: Schedule) -> NoReturn:
        try:
            os.setpgid(0, 0)
            use(self._processors)
            own = self._child
            if own is None:
                own = self._begin(schedule.of(self._job.options))
                own.choose(schedule)
            own.expect(schedule)
            own.play_and_exit(schedule, self._keys, tells_pages=not self._is_warm)
        finally:
            os._exit(InternalError.exit_status)

    def _played(
        self, index: int, child: int, told: list[Told], watch: Watch, run_s: float
    ) -> Played:
        every = [one.played for one in told]
        own = next((one.played for one in told if one.pid == child), None)
        own = own or Played(index, _untold(watch))
        output = self._streams.output()
        digest = hashlib.blake2b(output, digest_size=_DIGEST_BYTES).hexdigest()
        digest = "" if watch.ending else digest  # it was cut somewhere
        is_new = digest not in self._digests
        self._digests.add(digest)
        found = tuple(key for one in every for key in one.found)
        self._keys.update(found)
        return replace(
            own,
            ending=watch.ending or own.ending,
            digest=digest,
            output=output[:KEPT_OUTPUT_BYTES] if is_new else None,
            found=found,
            fails_with=next((one.fails_with for one in every if one.fails_with), 0),
            findings=tuple(pair for one in every for pair in one.findings),
            suppressed=tuple(use for one in every for use in one.suppressed),
            racing=tuple(sorted({pair for one in every for pair in one.racing})),
            run_s=run_s,
        )


def _go_on(child: Child, forker: Forker) -> NoReturn:
    """In a process of the forker's, whose guest has left an event: serve it, and what follows."""
    try:
        schedule, known, tells_pages = forker.asked()
        child.expect(schedule)
        child.play_and_exit(schedule, known, tells_pages)
    finally:
        os._exit(InternalError.exit_status)


def _untold(watch: Watch) -> Ending:
    """A process that ended without a message: a signal that nobody can catch has ended it."""
    if watch.signal:
        name = signal.Signals(watch.signal).name
        return Ending(f"killed by {name}", 128 + watch.signal, is_bad=True)
    return Ending(f"ended without irsan, status {watch.status}", watch.status, watch.status != 0)


def _moved(descriptor: int, *, appends: bool = False) -> int:
    """The descriptor under a number that a program is not given."""
    if appends:
        again = os.open(f"/proc/self/fd/{descriptor}", os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        os.close(descriptor)
        descriptor = again
    moved = out_of_the_way(descriptor)
    if moved is None:
        return descriptor
    os.close(descriptor)
    return moved


if __name__ == "__main__":
    # What is sent has classes of this module by its name, not of __main__, which the other side is.
    from irsan.explore.playing.host import main as serve
    from irsan.low_heap import leave_low_heap

    leave_low_heap()
    serve(int(sys.argv[1]))
