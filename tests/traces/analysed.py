"""Runs an analysis over events, in small blocks so that tables grow between and inside them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.catalogue import make_analysis
from irsan.traces.std_format import StdTrace
from irsan.traces.well_formed import WellFormedCheck
from tests.support.traces import Events, to_std


def fed(text: str, name: str, clock: str = "vector", block_bytes: int = 64) -> Analysis:
    """The analysis after a whole trace in STD text."""
    analysis = make_analysis(name, clock)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.std"
        path.write_text(text)
        check = WellFormedCheck(path.name)
        with StdTrace(path, path.open("rb"), block_bytes) as trace:
            for chunk in trace.chunks():
                analysis.feed(check.flatten(chunk, trace.names), trace.names)
    return analysis


def racy(events: Events, name: str, clock: str = "vector") -> list[int]:
    """Numbers of racy events."""
    return fed(to_std(events), name, clock).racy_events


def racy_text(text: str, name: str, clock: str = "vector") -> list[int]:
    """Numbers of racy events of a trace written with blanks around its lines, without locations."""
    lines = [line.strip() for line in text.strip().splitlines()]
    whole = "".join(f"{line}|{i}\n" for i, line in enumerate(lines, 1))
    return fed(whole, name, clock).racy_events
