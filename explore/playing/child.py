"""One schedule in a process forked for it: played, and told in one message.

A program that forks has more processes here; each tells what it has found, with its own number.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import traceback
from collections.abc import Container
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from irsan.engine.guest.explored_schedule import Unchosen, events_of, switches_of
from irsan.engine.guest.machine import Outcome
from irsan.engine.run.run_guest import (
    StartedGuest,
    choose_schedule,
    is_plain_run,
    leave_process,
    play_chosen,
)
from irsan.errors import InternalError, IrsanError
from irsan.explore.fuzzing import MAX_READ_EVENTS, Pair, reads_of
from irsan.explore.keys import key_of
from irsan.explore.playing.answers import Pages, Told, clean_end, packed_end, packed_message
from irsan.explore.playing.forker import Forker
from irsan.explore.playing.frozen_memory import own_pages
from irsan.explore.schedules import Ending, Played, Schedule, Shares, Trace
from irsan.explore.shared_objects import shares_with_objects
from irsan.reports.model.report import Finding, SignalFacts
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.inject_words import CLOCK
from irsan.runtime.layout.memory_map import CONTEXT_ADDR

if TYPE_CHECKING:
    from irsan.engine.findings.findings import FindingsRecorder


class Child:
    """What a forked process needs to run the program of `started`; made before the fork.

    Whatever it looks at is copied, page by page: a clean end takes few objects of Python.
    """

    def __init__(self, started: StartedGuest, answers: int) -> None:
        self._started, self._answers = started, answers
        ctx = started.parts.machine.ctx
        self._outcome = Outcome()
        self._unchosen = Unchosen()
        self._racing = started.parts.events.racing_sites
        self._decisions = _word(ctx, "schedule.hash")
        self._events = _word(ctx, "explore.order_hash")
        self._steps = _word(ctx, "explore.steps")

    def choose(self, schedule: Schedule) -> None:
        """Say how the threads will take turns, before the fork: the child pays nothing."""
        self._unchosen.restore()
        choose_schedule(
            self._started, schedule.of(self._started.options), schedule.leaves_events
        )  # fmt: skip

    def forker(self) -> Forker | None:
        """What forks processes for schedules without Python; None where Python has a say in each.

        The calendar, of which each schedule may have its own, is more than is sent to one.
        """
        machine, options = self._started.parts.machine, self._started.options
        is_plain = is_plain_run(self._started) and CLOCK not in options.inject
        return Forker(machine, self._answers) if is_plain and _writes_freely() else None

    def expect(self, schedule: Schedule) -> None:
        """Say which schedule this process plays, or the one that is forked from it."""
        recorder = self._started.parts.recorder
        recorder.start_schedule(partial(schedule.of, self._started.options))

    def play_and_exit(
        self, schedule: Schedule, known: Container[str], tells_pages: bool = False
    ) -> NoReturn:
        """Run the program, whose schedule is chosen, and append what came of it to the answers.

        known: keys of findings that need not be told whole
        tells_pages: the pages that it has copied are told, too
        """
        try:
            pid = os.getpid()
            try:
                raw = self._play(schedule, known)
            except IrsanError as error:
                raw = self._packed(_failure(schedule, f"irsan: error: {error}", error.exit_status))
            except Exception:
                text = f"internal error of irsan:\n{traceback.format_exc()}"
                raw = self._packed(_failure(schedule, text, InternalError.exit_status))
            if tells_pages and os.getpid() == pid:
                pages = Pages(own_pages())
                os.write(self._answers, self._packed(pages))
            os.write(self._answers, raw)
            if os.getpid() != pid:
                self._end_as_program()
        finally:
            os._exit(0)

    def _play(self, schedule: Schedule, known: Container[str]) -> bytes:
        recorder = self._started.parts.recorder
        self._outcome = outcome = play_chosen(self._started)
        is_clean = not (recorder.findings or outcome.signal or outcome.is_stopped)
        if is_clean and not (self._racing or schedule.leaves_events or recorder.suppressed()):
            return packed_end(outcome.status, self._interleaving(), self._steps.value)
        keys = [key_of(finding) for finding in recorder.findings]
        new = {key: f for key, f in zip(keys, recorder.findings, strict=True) if key not in known}
        played = Played(
            schedule.index,
            _ending(recorder, outcome),
            found=tuple(keys),
            fails_with=recorder.status_of_findings() if keys else 0,
            findings=tuple(new.items()),
            suppressed=recorder.suppressed(),
            racing=tuple(sorted(self._racing)),
            shares=self._shares() if schedule.is_traced else None,
            reads=self._reads() if schedule.tells_reads else (),
            trace=self._trace() if schedule.keeps_trace else Trace(),
        )
        return self._packed(Told(os.getpid(), played))

    def _end_as_program(self) -> None:
        """A process that the program has forked ends as in a run: its parent may ask how."""
        recorder = self._started.parts.recorder
        leave_process(recorder, self._outcome, recorder.status_after(self._outcome))

    def _shares(self) -> Shares:
        """Of threads by the threads that they have made, which only this process knows."""
        return shares_with_objects(events_of(self._started.parts.machine.ctx))

    def _reads(self) -> tuple[Pair, ...]:
        return reads_of(events_of(self._started.parts.machine.ctx, MAX_READ_EVENTS))

    def _trace(self) -> Trace:
        ctx = self._started.parts.machine.ctx
        return Trace(tuple(events_of(ctx)), switches_of(ctx))

    def _packed(self, message: Told | Pages) -> bytes:
        return packed_message(message, self._interleaving(), self._steps.value)

    def _interleaving(self) -> int:
        return self._events.value or self._decisions.value


def _writes_freely() -> bool:
    """Whether no limit that Python would have to lift first is set for files."""
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def _failure(schedule: Schedule, text: str, status: int) -> Told:
    return Told(os.getpid(), Played(schedule.index, Ending(text, status, is_bad=True)))


def _word(ctx: Any, path: str) -> ctypes.c_uint64:
    """A word of the Context as it is now, at any time."""
    return ctypes.c_uint64.from_address(CONTEXT_ADDR + field_offset(ctx.dtype, path))


def _ending(recorder: FindingsRecorder, outcome: Outcome) -> Ending:
    status = recorder.status_after(outcome)
    last = recorder.findings[-1] if recorder.findings else None
    if outcome.signal:
        return Ending(_death(last, outcome.signal), status, is_bad=True)
    if outcome.is_stopped and last is not None:
        return Ending(last.kind, status, is_bad=True)
    return Ending(clean_end(outcome.status).words, status, is_bad=outcome.status != 0)


def _death(last: Finding | None, number: int) -> str:
    facts = last.details if last is not None else None
    if isinstance(facts, SignalFacts) and facts.reason == "assertion":
        return f"assertion failed: {facts.expression}"
    if isinstance(facts, SignalFacts) and facts.reason == "precondition":
        return f"broken precondition: {facts.message}"
    if isinstance(facts, SignalFacts) and facts.reason == "exception":
        return f"uncaught exception: {facts.message}"
    if isinstance(facts, SignalFacts) and last is not None:
        return last.kind
    return f"signal {signal.Signals(number).name}"
