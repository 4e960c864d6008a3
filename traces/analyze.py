"""Runs analyses over a trace, all of them in one pass over the file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from irsan.errors import UnsupportedError, UsageError
from irsan.traces.analyses.analysis import Analysis
from irsan.traces.catalogue import make_analysis
from irsan.traces.events import Chunk, Names
from irsan.traces.trace_file import open_trace
from irsan.traces.well_formed import WellFormedCheck

MAX_EVENTS = 2**31 - 2  # clocks are int32, and some orders tick at every access
MAX_THREADS = 2**20  # an epoch keeps the thread in 20 bits


@dataclass(slots=True)
class Result:
    """What one analysis found.

    racy_events: 1-based numbers of the second access of each race, rising.
    racy_locations: their locations as text, each once, in the order of the first race there;
    `first_events` has that race's event. seconds: of the analysis alone.
    """

    name: str
    racy_events: list[int] = field(default_factory=list)
    racy_locations: list[str] = field(default_factory=list)
    first_events: list[int] = field(default_factory=list)
    events: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class _Run:
    """An analysis at work, and the locations it has reported already."""

    analysis: Analysis
    result: Result
    seen: set[int] = field(default_factory=set)

    def feed(self, chunk: Chunk, names: Names) -> None:
        start = time.perf_counter()
        racy = self.analysis.feed(chunk, names)
        self.result.seconds += time.perf_counter() - start
        self.result.events += len(chunk)
        for index, location in zip(racy, chunk.locations[racy].tolist(), strict=True):
            if location not in self.seen:
                self.seen.add(location)
                self.result.racy_locations.append(names.locations.name(location))
                self.result.first_events.append(chunk.first_event + index)


def analyze_trace(
    path: Path,
    analyses: Sequence[str],
    clock: str = "vector",
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Result]:
    """Run analyses by name over a trace file.

    Raises UsageError for a file that is not a trace, is damaged or describes no execution;
    UnsupportedError for one that is too long, has too many threads or needs too much memory.
    """
    runs = [_Run(make_analysis(name, clock), Result(name)) for name in analyses]
    check = WellFormedCheck(str(path))
    try:
        with open_trace(path) as trace:
            for chunk in trace.chunks():
                _require_size(path, chunk, trace.names)
                flat = check.flatten(chunk, trace.names)
                for run in runs:
                    run.feed(flat, trace.names)
                on_progress(trace.position())
    except MemoryError as error:
        raise UnsupportedError(f"{path}: not enough memory for {', '.join(analyses)}") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    for run in runs:
        run.result.racy_events = run.analysis.racy_events
    return [run.result for run in runs]


def _require_size(path: Path, chunk: Chunk, names: Names) -> None:
    if chunk.first_event + len(chunk) > MAX_EVENTS:
        raise UnsupportedError(f"{path}: more than {MAX_EVENTS} events")
    if len(names.threads) > MAX_THREADS:
        raise UnsupportedError(f"{path}: more than {MAX_THREADS} threads")
