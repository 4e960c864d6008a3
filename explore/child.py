"""One schedule in a process forked for it: played, and told in one message.

A program that forks has more processes here; each tells what it has found, with its own number.
The message is appended to a file in memory in one write, which is whole even when several
processes write.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import struct
import traceback
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

from irsan.engine.guest.explored_schedule import events_of, shares_of, switches_of
from irsan.engine.guest.machine import Outcome
from irsan.engine.run.run_guest import (
    StartedGuest,
    choose_schedule,
    leave_process,
    play_chosen,
)
from irsan.errors import InternalError, IrsanError
from irsan.explore.frozen_memory import own_pages
from irsan.explore.fuzzing import MAX_READ_EVENTS, Pair, reads_of
from irsan.explore.keys import key_of
from irsan.explore.schedules import Ending, Played, Schedule, Shares, Trace, Watched
from irsan.explore.shared_objects import sites_of_objects
from irsan.reports.model.report import Finding, SignalFacts
from irsan.runtime.layout.memory_map import CONTEXT_ADDR
from irsan.runtime.records.field_offsets import field_offset

if TYPE_CHECKING:
    from irsan.engine.findings.findings import FindingsRecorder

# bytes behind the header; process, status of a clean end, hash of its decisions, points
_HEADER: Final = struct.Struct("<QqqQQ")


@dataclass(frozen=True, slots=True)
class Told:
    """What a process tells of itself; its output and the time it took are seen from outside."""

    pid: int
    played: Played


@dataclass(frozen=True, slots=True)
class Pages:
    """Addresses of pages that a child has copied."""

    addresses: Sequence[int]


class Child:
    """What a forked process needs to run the program of `started`; made before the fork.

    Whatever it looks at is copied, page by page: a clean end takes few objects of Python.
    """

    def __init__(self, started: StartedGuest, answers: int) -> None:
        self._started, self._answers = started, answers
        ctx = started.parts.machine.ctx
        self._outcome = Outcome()
        self._racing = started.parts.events.racing_sites
        self._decisions = _word(ctx, "schedule.hash")
        self._events = _word(ctx, "explore.order_hash")
        self._steps = _word(ctx, "explore.steps")

    def choose(self, schedule: Schedule) -> None:
        """Say how the threads will take turns.

        Before the fork it costs the child nothing; a strategy that explores leaves more behind
        than the next schedule replaces, so it is chosen in the child.
        """
        choose_schedule(
            self._started, schedule.of(self._started.options), schedule.leaves_events
        )  # fmt: skip

    def expect(self, schedule: Schedule) -> None:
        """Say which schedule comes; before the fork."""
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
            return self._header(0, outcome.status)
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
        events = events_of(self._started.parts.machine.ctx)
        objects = (Watched(each, shares_of(events, each)) for each in sites_of_objects(events))
        return Shares(shares_of(events), tuple(objects))

    def _reads(self) -> tuple[Pair, ...]:
        return reads_of(events_of(self._started.parts.machine.ctx, MAX_READ_EVENTS))

    def _trace(self) -> Trace:
        ctx = self._started.parts.machine.ctx
        return Trace(tuple(events_of(ctx)), switches_of(ctx))

    def _packed(self, message: Told | Pages) -> bytes:
        raw = pickle.dumps(message)
        return self._header(len(raw), 0) + raw

    def _header(self, n_bytes: int, status: int) -> bytes:
        return _HEADER.pack(
            n_bytes, os.getpid(), status, self._events.value or self._decisions.value,
            self._steps.value,
        )  # fmt: skip


def read_told(raw: bytes, index: int) -> tuple[list[Told], Sequence[int]]:
    """The messages of all processes of a schedule, in the order in which they ended; pages.

    index: the schedule's number, which a clean end does not tell
    """
    found: list[Told] = []
    pages: Sequence[int] = ()
    at = 0
    while at + _HEADER.size <= len(raw):
        n_bytes, pid, status, interleaving, steps = _HEADER.unpack_from(raw, at)
        at += _HEADER.size + n_bytes
        if not n_bytes:
            told = Told(pid, Played(index, clean_end(status)))
        else:
            told = pickle.loads(raw[at - n_bytes : at])
        if isinstance(told, Pages):
            pages = told.addresses
        else:
            played = replace(told.played, interleaving=interleaving, steps=steps)
            found.append(Told(told.pid, played))
    return found, pages


@cache
def clean_end(status: int) -> Ending:
    """The ending of a program that has called exit, or returned from main."""
    return Ending(f"exit status {status}", status, is_bad=status != 0)


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
