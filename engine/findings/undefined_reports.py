"""Failed checks of undefined behaviour: from the call of a handler to a finding.

    handler's words -> Failure (runtime/diagnosis/undefined_*.py) -> Finding ->
    sink

A place is reported once: the column in its record becomes ~0, suppressed or not.  The top frame of
the stack has the place of the record, as clang knows it better than the debug location of a call.

The program may define `__ubsan_on_report()`, called before the text, which may ask for the report.

Source: compiler-rt's ubsan_handlers.cpp, ubsan_diag.cpp, ubsan_monitor.cpp.
Deviations: a check that fails again under another handler of the same place is reported again only
when its record is another one.  The text of the minimal run-time names the place.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from irsan.engine.findings.finding_sink import FindingSink
from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.site_frames import SiteFrames
from irsan.engine.guest.guest_texts import GuestTexts
from irsan.engine.guest.machine import Machine, Outcome
from irsan.reports.model.report import Finding, Frame, Stack, UndefinedCheck
from irsan.runtime.diagnosis.dynamic_types import (
    CACHE_WORDS,
    explain_cache_miss,
    read_table,
    type_name,
)
from irsan.runtime.diagnosis.undefined_data import (
    TOLD_COLUMN,
    SourcePlace,
    mark_told,
    read_place,
)
from irsan.runtime.diagnosis.undefined_failures import VALUE_FAILURES, Explain, Failure
from irsan.runtime.diagnosis.undefined_minimal import minimal_failure
from irsan.runtime.diagnosis.undefined_pointers import POINTER_FAILURES

_TOOL: Final = "UndefinedBehaviorSanitizer"
_EXPLANATIONS: Final[Mapping[str, Explain]] = {**VALUE_FAILURES, **POINTER_FAILURES}
_CACHE_MISS: Final = "dynamic_type_cache_miss"
_TYPE_CACHE: Final = "__ubsan_vptr_type_cache"
_MINIMAL: Final = "_minimal"
_UNSIGNED: Final = "unsigned-integer-overflow"


class UndefinedReports:
    """The failed checks of one run."""

    def __init__(
        self,
        recorder: FindingsRecorder,
        frames: SiteFrames,
        sink: FindingSink,
    ) -> None:
        self._recorder, self._frames, self._sink = recorder, frames, sink
        self._texts = GuestTexts()
        self._known_types: set[int] = set()
        self._newest: tuple[Finding, SourcePlace] | None = None

    def function_at(self, address: int) -> Frame:
        """The function whose code begins at an address."""
        return self._frames.of_code(address)

    def type_of_table(self, table: int) -> str:
        """The class that a vtable is of, "" for no vtable."""
        whole = read_table(table).whole
        return type_name(whole) if whole else ""

    def failed(
        self, machine: Machine, name: str, words: Sequence[int], *, is_fatal: bool
    ) -> int | Outcome:
        """The handler called `name` was called; 0, or how the program ends."""
        failure = self._explain(machine, name, words)
        if failure is None:
            return 0
        place = read_place(failure.place_at) if failure.place_at else SourcePlace()
        if failure.place_at and not is_fatal:
            mark_told(failure.place_at)
        is_told = place.column == TOLD_COLUMN or self._is_silent(failure)
        if is_told and not is_fatal:
            return 0
        finding = self._finding(machine, failure, place, is_fatal)
        self._newest = finding, place
        must_stop = self._sink.add(machine, finding, ends=is_fatal)
        return Outcome(is_stopped=True) if must_stop or is_fatal else 0

    def report_data(self, machine: Machine, targets: Sequence[int]) -> None:
        """__ubsan_get_current_report_data: the newest report, into six places of the program."""
        if self._newest is None:
            return
        finding, place = self._newest
        facts = finding.details
        message = facts.message if isinstance(facts, UndefinedCheck) else ""
        texts = (finding.kind, message[:1].upper() + message[1:], place.file or "<unknown>")
        for at, text in zip(targets[:3], texts, strict=True):
            ctypes.c_uint64.from_address(at).value = self._texts.address(machine, text)
        for at, number in zip(targets[3:5], (place.line, place.column), strict=True):
            ctypes.c_uint32.from_address(at).value = number
        ctypes.c_uint64.from_address(targets[5]).value = 0

    def _explain(self, machine: Machine, name: str, words: Sequence[int]) -> Failure | None:
        if name == _CACHE_MISS:
            return self._check_type(machine, words)
        if name.endswith(_MINIMAL):
            return minimal_failure(name.removesuffix(_MINIMAL))
        return _EXPLANATIONS[name](words, self)

    def _check_type(self, machine: Machine, words: Sequence[int]) -> Failure | None:
        """An object whose vptr was not seen with this type; the right type is known from now on."""
        hashed = words[2]
        failure = None if hashed in self._known_types else explain_cache_miss(words)
        if failure is None:
            self._known_types.add(hashed)
            cache = machine.runtime.symbols[_TYPE_CACHE]
            ctypes.c_uint64.from_address(cache + 8 * (hashed % CACHE_WORDS)).value = hashed
        return failure

    def _is_silent(self, failure: Failure) -> bool:
        """Whether a flag asks for no reports of this kind."""
        silences = self._recorder.flags.ubsan.get_bool("silence_unsigned_overflow")
        return silences and failure.kind == _UNSIGNED

    def _finding(
        self, machine: Machine, failure: Failure, place: SourcePlace, is_fatal: bool
    ) -> Finding:
        stack_id = machine.runtime.kernel("current_stack_id") & 0xFFFF_FFFF
        frames = _placed(self._frames.of_stack(stack_id), place)
        thread = f"T{int(machine.current_thread()['tid'])}"
        return Finding(
            tool=_TOOL,
            kind=failure.kind,
            thread=thread,
            stacks=(Stack("access", thread, frames),),
            details=UndefinedCheck(
                failure.message, failure.check, failure.notes, failure.object_type
            ),
            pc=frames[0].pc if frames else 0,
            fatal=is_fatal,
        )


def _placed(frames: tuple[Frame, ...], place: SourcePlace) -> tuple[Frame, ...]:
    """Frames whose innermost one is at the place of the record, if it has one."""
    if not place.file or not place.line or place.column == TOLD_COLUMN:
        return frames
    top = frames[0] if frames else Frame()
    changed = replace(top, file=place.file, line=place.line, column=place.column)
    return (changed, *frames[1:])
