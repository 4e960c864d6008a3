"""An interleaving as columns: one thread beside the other, each event with its source line.

    point  T0                       T1                       T2
        1  a.c:20 pthread_create(…
        2                           a.c:7 lock(&m);
      > 3                                                    a.c:12 lock(&n);

`>` marks a preemption: the thread before could have gone on.  Where a thread goes on behind an
event is shown only when others had a turn there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from irsan.engine.guest.explored_schedule import Event
from irsan.reports.model.exploration import Interleaving, Step
from irsan.runtime.layout.explore_words import GOES_ON, STARTS, TOUCHES, WAKES

SourceOf = Callable[[int], tuple[str, str]]  # site -> "a.c:7", its line's text
MAX_LINES: Final = 400
_LEAST_WIDTH: Final = 24
_NUMBER_WIDTH: Final = 8


def lines_of(rows: Sequence[Event], source_of: SourceOf) -> list[Step]:
    """The events that have a place in the source, in their order."""
    lines = []
    newest = -1
    for row in rows:
        if row.kind == TOUCHES or (row.kind == GOES_ON and row.tid == newest):
            continue
        could_go_on = newest >= 0 and bool(row.ready >> newest & 1)
        is_preemption = row.tid != newest and could_go_on
        newest = row.tid
        place, text = source_of(row.site) if row.site else ("", "")
        if row.kind == STARTS:
            place, text = "", "(begins, or goes on)"
        elif row.kind == WAKES:
            text = f"(woken) {text}"
        elif row.kind == GOES_ON:
            text = f"(goes on behind) {text}"
        lines.append(Step(row.tid, row.step, is_preemption, place, text))
    return lines


def n_preemptions(lines: Sequence[Step]) -> int:
    """How often a thread was switched out that could have gone on."""
    return sum(line.is_preemption for line in lines)


def interleaving_of(lines: Sequence[Step], n_before: int) -> Interleaving:
    """The lines as a part of a report. n_before: preemptions before the schedule was shrunk"""
    shown = tuple(lines[-MAX_LINES:])
    return Interleaving(shown, n_preemptions(lines), n_before, len(lines) - len(shown))


def columns(lines: Sequence[Step], width: int = 100) -> str:
    """The lines as text, one column for each thread; of very many lines the last ones."""
    if not lines:
        return ""
    tids = sorted({line.tid for line in lines})
    column = max((width - _NUMBER_WIDTH) // len(tids), _LEAST_WIDTH)
    head = " " * _NUMBER_WIDTH + "".join(f"T{tid}".ljust(column) for tid in tids)
    shown = lines[-MAX_LINES:]
    left_out = [f"{'...':>{_NUMBER_WIDTH}}{len(lines) - len(shown)} events before"]
    return "\n".join([
        head.rstrip(),
        *(left_out if len(shown) < len(lines) else []),
        *(_row(line, tids, column) for line in shown),
    ])  # fmt: skip


def _row(line: Step, tids: Sequence[int], column: int) -> str:
    words = f"{line.place} {line.text}".strip()
    room = column - 1 if line.tid != tids[-1] else max(column, 2 * _LEAST_WIDTH)
    cut = words if len(words) <= room else f"{words[: room - 1]}…"
    mark = ">" if line.is_preemption else " "
    indent = " " * (column * tids.index(line.tid))
    return f"{mark} {line.point:>{_NUMBER_WIDTH - 4}}  {indent}{cut}".rstrip()
