"""The timeline of a finding as a picture: a column for each thread, time goes down.

Geometry only, in pixels; the template draws it. Rows are the events, and the two accesses where
they stand among them. An edge runs from the event that was learned from to the one that learned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from irsan.reports.derived.ordering import event_words
from irsan.reports.derived.places import awaited_words
from irsan.reports.derived.root import relative_path
from irsan.reports.model.details import BlockedThreads, LockCycle
from irsan.reports.model.report import Access, Finding, Stack
from irsan.reports.model.timeline import Timeline, TimelineEvent

COLUMN: Final = 250
ROW: Final = 30
BOX: Final = 22
LEFT: Final = 12
TOP: Final = 40
_BOX_WIDTH: Final = 214
_TEXT_CHARS: Final = 30


@dataclass(frozen=True, slots=True)
class Box:
    """One row: its text, the whole of it, and where its box stands.

    style: `event`, `access` or `previous`;  thread: whose column;  place: `a.c:12`.
    """

    text: str
    whole: str
    place: str
    thread: str
    style: str
    x: int
    y: int
    learned_from: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A path from one box to another, and its words for those who do not see it."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything to draw; `gap` is the path between the two accesses that nothing orders."""

    width: int
    height: int
    columns: tuple[tuple[int, str], ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    gap: str
    notes: tuple[str, ...]
    box_width: int = _BOX_WIDTH
    box_height: int = BOX


@dataclass(frozen=True, slots=True)
class _Row:
    thread: str
    style: str
    text: str
    place: str
    order: int = -1


def picture_of(finding: Finding, root: str) -> Picture | None:
    """The picture of a finding's timeline, None when it has none."""
    timeline = finding.timeline
    if timeline is None or not timeline.events:
        return None
    rows = list(_rows(finding, timeline, root))
    threads = sorted({row.thread for row in rows}, key=_thread_number)
    x_of = {name: LEFT + at * COLUMN for at, name in enumerate(threads)}
    y_of = {row.order: TOP + at * ROW for at, row in enumerate(rows) if row.order >= 0}
    by_order = {event.order: event for event in timeline.events}
    sources = {edge.after: by_order[edge.before] for edge in timeline.edges
               if edge.before in by_order and edge.after in by_order}  # fmt: skip
    boxes = tuple(
        Box(
            _cut(row.text), row.text, row.place, row.thread, row.style, x_of[row.thread],
            TOP + at * ROW, _learned(sources.get(row.order)),
        )
        for at, row in enumerate(rows)
    )  # fmt: skip
    arrows = tuple(
        _arrow(by_order[edge.before], by_order[edge.after], x_of, y_of)
        for edge in timeline.edges if edge.before in y_of and edge.after in y_of
    )  # fmt: skip
    names = {each.thread: each.name for each in finding.threads}
    columns = tuple((x_of[name], _title(name, names.get(name, ""))) for name in threads)
    return Picture(
        width=LEFT * 2 + COLUMN * len(threads), height=TOP + ROW * len(rows) + 8,
        columns=columns, boxes=boxes, arrows=arrows, gap=_gap(boxes), notes=tuple(_notes(timeline)),
    )  # fmt: skip


def _rows(finding: Finding, timeline: Timeline, root: str) -> Iterator[_Row]:
    previous = _access_row(finding, finding.previous_access, "previous", root)
    for event in timeline.events:
        is_behind = timeline.previous is not None and event.order >= timeline.previous
        if previous is not None and is_behind:
            yield previous
            previous = None
        yield _Row(event.thread, "event", event_words(event), _place(event, root), event.order)
    if previous is not None:
        yield previous
    last = _access_row(finding, finding.access, "access", root)
    yield from [last] if last is not None else _lock_rows(finding, root)


def _lock_rows(finding: Finding, root: str) -> Iterator[_Row]:
    """Of a deadlock where each thread waits; of a lock order the lock that closes the cycle.

    That one is about to be taken by who has taken the newest lock, and holds it.
    """
    facts = finding.details
    waits = facts.waits if isinstance(facts, BlockedThreads) else ()
    for number, wait in enumerate(waits):
        text = f"waits for {awaited_words(finding, wait)}"
        stack = finding.stack("access", thread=wait.thread, subject=number)
        yield _Row(wait.thread, "access", text, _own_place(stack, root))
    if isinstance(facts, LockCycle) and finding.timeline is not None:
        locks = [e for e in finding.timeline.events if e.action in ("lock", "read lock")]
        if not locks or locks[-1].mutex not in facts.mutexes:
            return
        edge = facts.mutexes.index(locks[-1].mutex)
        stack = finding.stack("access", subject=edge)
        if stack is not None and stack.thread == locks[-1].thread:
            text = f"lock {facts.mutexes[(edge + 1) % len(facts.mutexes)]}: closes the cycle"
            yield _Row(stack.thread, "access", text, _own_place(stack, root))


def _access_row(finding: Finding, access: Access | None, role: str, root: str) -> _Row | None:
    if access is None or access.thread == "T?":
        return None
    stack = finding.stack("previous" if role == "previous" else "access")
    frame = stack.frames[stack.user_frame] if stack and stack.user_frame >= 0 else None
    what = frame.expression if frame and frame.expression else f"{access.size} bytes"
    number = "(1) " if role == "access" else "(2) "
    text = f"{number if finding.previous_access else ''}{access.operation} of {what}"
    return _Row(access.thread, role, text, _own_place(stack, root))


def _own_place(stack: Stack | None, root: str) -> str:
    frame = stack.frames[stack.user_frame] if stack and stack.user_frame >= 0 else None
    return f"{relative_path(frame.file, root).text}:{frame.line}" if frame else ""


def _place(event: TimelineEvent, root: str) -> str:
    frame = event.frame
    return f"{relative_path(frame.file, root).text}:{frame.line}" if frame and frame.line else ""


def _arrow(
    before: TimelineEvent, after: TimelineEvent, x_of: dict[str, int], y_of: dict[int, int]
) -> Arrow:
    is_rightward = x_of[after.thread] > x_of[before.thread]
    start = x_of[before.thread] + (_BOX_WIDTH if is_rightward else 0)
    end = x_of[after.thread] + (0 if is_rightward else _BOX_WIDTH)
    y0, y1 = y_of[before.order] + BOX // 2, y_of[after.order] + BOX // 2
    bend = 18 if is_rightward else -18
    path = f"M{start} {y0} C{start + bend} {y0} {end - bend} {y1} {end} {y1}"
    learner, source = (f"{one.thread} {event_words(one)}" for one in (after, before))
    return Arrow(path, f"{learner} learned from {source}")


def _gap(boxes: tuple[Box, ...]) -> str:
    """From the earlier access to the later one, if they are in two threads."""
    first = next((box for box in boxes if box.style == "previous"), None)
    last = next((box for box in boxes if box.style == "access"), None)
    if first is None or last is None or first.x == last.x:
        return ""
    is_rightward = last.x > first.x
    start = first.x + (_BOX_WIDTH if is_rightward else 0)
    end = last.x + (0 if is_rightward else _BOX_WIDTH)
    return f"M{start} {first.y + BOX // 2} L{end} {last.y + BOX // 2}"


def _learned(source: TimelineEvent | None) -> str:
    return f"{source.thread}: {event_words(source)}" if source is not None else ""


def _notes(timeline: Timeline) -> Iterator[str]:
    if timeline.n_omitted:
        yield f"{timeline.n_omitted} steps of these threads are left out."
    if timeline.is_cut:
        yield "What the run did first is forgotten: only the newest steps are kept."


def _title(thread: str, name: str) -> str:
    known = "main thread" if thread == "T0" else f"thread {thread}"
    return f"{known} ({name})" if name else known


def _thread_number(thread: str) -> tuple[int, str]:
    return (int(thread[1:]), thread) if thread[1:].isdecimal() else (1 << 30, thread)


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT_CHARS else f"{text[: _TEXT_CHARS - 1]}…"
