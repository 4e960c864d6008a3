"""A report as ONE HTML page: no network, no other file, light and dark, for paper and keyboards.

    page.html.j2     the structure; every string is escaped by the template engine
    style.css        colours by name, both schemes
    page.js          filters, search, opening for print; the page is whole without it

What the page says is made here: each finding with its story (stacks with source), its threads'
timeline, the memory around, and how to see it again. Findings with one cause stand together.
The content security policy of the page allows its own script and style only, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from irsan.reports.derived.life import LifeStep, life_of
from irsan.reports.derived.ordering import why_unordered
from irsan.reports.derived.outcomes import outcome_words, words_of
from irsan.reports.derived.places import Place, place_of_frame
from irsan.reports.derived.root import relative_path
from irsan.reports.derived.sources import Sources
from irsan.reports.derived.steps import steps_of
from irsan.reports.derived.view import FindingView, ReportView, view_of
from irsan.reports.html.curves import charts_of
from irsan.reports.html.memory_table import MemoryTable, memory_table
from irsan.reports.html.timeline_picture import Picture, picture_of
from irsan.reports.model.exploration import Interleaving
from irsan.reports.model.names import demangled, shortened
from irsan.reports.model.report import Frame, Report

_FOLDER: Final = Path(__file__).parent
_N_AROUND: Final = 3
_MAX_FRAMES: Final = 64
_NAME_CHARS: Final = 120
_N_BIG: Final = 60  # from so many findings on, a finding is built when it is opened
_CAUSE: Final = "irsan-cause/v1"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of source: before the mark, marked, behind; `is_place`: the place itself."""

    number: int
    before: str
    marked: str = ""
    behind: str = ""
    is_place: bool = False


@dataclass(frozen=True, slots=True)
class FrameRow:
    """A frame of a stack: function, place, and whether it is the program's own."""

    number: int
    function: str
    place: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class StepView:
    """One stack of the story, with the source around its place."""

    title: str
    role: str
    place: str
    lines: tuple[Line, ...]
    frames: tuple[FrameRow, ...]
    n_more: int


@dataclass(frozen=True)
class Entry:
    """A finding as the page shows it; the access comes first, then what led to it."""

    view: FindingView
    steps: tuple[StepView, ...]
    why: tuple[str, ...]
    life: tuple[LifeStep, ...]
    picture: Picture | None
    memory: MemoryTable | None

    @property
    def words(self) -> str:
        """What the search looks at, in lower case."""
        place = self.view.place
        parts = [self.view.rule.name, self.view.message, str(place or ""), self.view.id]
        return " ".join([*parts, *(step.place for step in self.steps)]).lower()


@dataclass(frozen=True)
class Group:
    """Findings with one cause."""

    title: str
    entries: tuple[Entry, ...]


def html_page(report: Report) -> str:
    """The whole page."""
    view = view_of(report)
    entries = [_entry(each, view) for each in view.findings]
    style, script = _text("style.css"), _text("page.js")
    return str(
        _template().render(
            view=view, report=report, groups=_groups(entries), style=style, script=script,
            style_hash=_hash(style), script_hash=_hash(script),
            is_big=len(entries) >= _N_BIG, facts=tuple(_facts(view)),
            outcome_words=outcome_words, schedule_words=words_of,
            threads=_threads(report.interleaving),
            charts=charts_of(report.exploration) if report.exploration else (),
            levels=_counts(each.level for each in view.findings),
            kinds=_counts(each.rule.name for each in view.findings),
        )
    )  # fmt: skip


def _threads(way: Interleaving | None) -> tuple[int, ...]:
    """Threads of an interleaving, by number."""
    return tuple(sorted({step.tid for step in way.steps})) if way else ()


def _entry(each: FindingView, view: ReportView) -> Entry:
    finding = each.finding
    return Entry(
        each, tuple(_steps(each, view.sources)), why_unordered(finding),
        life_of(finding, view.report.root), picture_of(finding, view.report.root),
        memory_table(finding),
    )  # fmt: skip


def _steps(each: FindingView, sources: Sources) -> Iterator[StepView]:
    """The last step first: it is what the finding is about."""
    for step in reversed(steps_of(each.finding, each.root)):
        place = step.place
        frames = step.stack.frames
        rows = (_frame_row(n, frame, each.root) for n, frame in enumerate(frames[:_MAX_FRAMES]))
        yield StepView(
            step.title, step.role, str(place) if place else "",
            source_lines(place, sources), tuple(rows), max(len(frames) - _MAX_FRAMES, 0),
        )  # fmt: skip


def source_lines(place: Place | None, sources: Sources) -> tuple[Line, ...]:
    """The lines around a place, what it names marked; none when the source is not to be had."""
    if place is None or not place.line:
        return ()
    around = sources.around(place.file, place.line, _N_AROUND)
    return tuple(
        _marked_line(number, text, place) if number == place.line else Line(number, text)
        for number, text in around
    )


def _marked_line(number: int, text: str, place: Place) -> Line:
    """Columns count bytes from 1."""
    raw = text.encode("utf-8", "replace")
    first = min(max(place.column - 1, 0), len(raw))
    last = min(place.end_column - 1, len(raw)) if place.end_column > place.column else first + 1
    parts = (raw[:first], raw[first:last], raw[last:]) if place.column else (raw, b"", b"")
    before, marked, behind = (part.decode("utf-8", "replace") for part in parts)
    return Line(number, before, marked, behind, is_place=True)


def _frame_row(number: int, frame: Frame, root: str) -> FrameRow:
    place = place_of_frame(frame, root)
    name = shortened(demangled(frame.function), _NAME_CHARS) or "unknown function"
    where = str(place) if frame.file else relative_path(frame.module, root).text
    return FrameRow(number, name, where, not (frame.interceptor or frame.library))


def _groups(entries: Sequence[Entry]) -> tuple[Group, ...]:
    """Findings with one cause together, in order of their first one."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.view.fingerprints.get(_CAUSE, entry.view.id), []).append(entry)
    return tuple(Group(_title(group[0]), tuple(group)) for group in found.values())


def _title(entry: Entry) -> str:
    place = entry.view.place
    where = f" in {shortened(place.function, 60)}" if place and place.function else ""
    return f"{entry.view.rule.name}{where}"


def _counts(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _facts(view: ReportView) -> Iterator[tuple[str, str]]:
    """Facts of the run, by name; unknown ones are left out."""
    report = view.report
    yield "command", " ".join(view.command)
    yield "checks", f"{', '.join(report.options.sanitize)} at {report.options.optimization}"
    yield "engine", f"{report.engine}, seed {report.seed}"
    yield "exit status", str(report.exit_status)
    yield "run", f"{report.timing.run_s:.3f} s"
    build, host = report.build, report.host
    if build and build.irsan:
        yield "irsan", f"{build.irsan}, {build.compiler or 'compiler unknown'}"
    if host and host.kernel:
        yield "machine", f"{host.kernel}, {host.processor}, {host.n_processors} processors"
    for cut in report.cut:
        yield "left out", f"{cut.n} {cut.what}{f': {cut.reason}' if cut.reason else ''}"
    for merged in report.merged:
        if merged.problem:
            yield "not read whole", f"{merged.file}: {merged.problem}"


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template("page.html.j2")
