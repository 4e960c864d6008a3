"""Races that a program has announced: benign ones are not reported, expected ones must come.

    AnnotateBenignRaceSized(file, line, p, n, why)   races on [p, p + n) are never reported
    AnnotateExpectRace(file, line, p, why)           nor is one on p, but it has to happen ...
    AnnotateFlushExpectedRaces(file, line)           ... until here: else that is what is reported

Source: the dynamic annotations of ThreadSanitizer; its first versions for expected races, which
today's accepts without effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.run_symbols import read_text
from irsan.engine.guest.guest_texts import GuestTexts
from irsan.reports.model.report import Finding, Frame, Stack
from irsan.reports.text.report import MISSED_RACE
from irsan.runtime.diagnosis.describe import Places, describe_address

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_ANSWERS: Final = {"pure_happens_before": "1"}
_NO: Final = "0"


@dataclass(slots=True)
class _Announced:
    """Bytes on which a race was announced, where that was said, and how often one came."""

    extent: range
    place: str
    why: str
    n_hits: int = 0


class ExpectedRaces:
    """What one program has announced."""

    def __init__(self, recorder: FindingsRecorder, places: Places) -> None:
        self._recorder, self._places = recorder, places
        self._is_on = recorder.flags.tsan.get_bool("enable_annotations")
        self._benign: list[_Announced] = []
        self._expected: list[_Announced] = []
        self._texts = GuestTexts()

    def covers(self, address: int, size_bytes: int) -> bool:
        """Whether a race on these bytes was announced; it counts as having come."""
        found = [
            each
            for each in (*self._benign, *self._expected)
            if each.extent.start < address + size_bytes and address < each.extent.stop
        ]
        for each in found:
            each.n_hits += 1
        return bool(found)

    def benign_race(self, machine: Machine, arguments: Sequence[int]) -> None:
        """AnnotateBenignRace: one byte, which is enough to meet every access of the variable."""
        file, line, address, why = arguments[:4]
        self.benign_range(machine, (file, line, address, 1, why))

    def benign_range(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """AnnotateBenignRaceSized."""
        file, line, address, size_bytes, why = arguments[:5]
        self._add(self._benign, file, line, range(address, address + size_bytes), why)

    def expect_race(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """AnnotateExpectRace."""
        file, line, address, why = arguments[:4]
        self._add(self._expected, file, line, range(address, address + 1), why)

    def flush_expected(self, machine: Machine, _arguments: Sequence[int]) -> None:
        """AnnotateFlushExpectedRaces: those that did not come are findings."""
        missed = [each for each in self._expected if not each.n_hits]
        self._expected.clear()
        if not missed:
            return
        stack_id = machine.runtime.kernel("current_stack_id") & 0xFFFF_FFFF
        frames = self._places.stack_to_frames(stack_id)
        thread = f"T{int(machine.current_thread()['tid'])}"
        for each in missed:
            self._recorder.add(self._missed(each, thread, frames))

    def query(self, machine: Machine, arguments: Sequence[int]) -> int:
        """ThreadSanitizerQuery: "1" for what this detector is, "0" for all else."""
        return self._texts.address(machine, _ANSWERS.get(read_text(arguments[0]), _NO))

    def _add(self, rows: list[_Announced], file: int, line: int, extent: range, why: int) -> None:
        known = any(each.extent == extent for each in rows)
        if self._is_on and extent and not known:
            place = f"{read_text(file)}:{line & 0xFFFF_FFFF}"
            rows.append(_Announced(extent, place, read_text(why)))

    def _missed(self, each: _Announced, thread: str, frames: tuple[Frame, ...]) -> Finding:
        found = describe_address(self._places, each.extent.start)
        return Finding(
            tool="ThreadSanitizer",
            kind=MISSED_RACE,
            thread=thread,
            stacks=(Stack("access", thread, frames), *found.stacks),
            locations=(found.location,),
            address=each.extent.start,
            hints=(f"{each.why or 'a race'}: expected at {each.place}",),
            fatal=False,
        )
