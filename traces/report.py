"""The results of a trace's analyses as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from irsan.traces.analyze import Result
from irsan.traces.site_names import SiteName

Places = Mapping[str, SiteName]
NO_PLACES: Places = {}
SCHEMA = "irsan-trace/1"
SCHEMA_PATH = Path(__file__).parent / "schema" / "irsan-trace-1.json"
_SHOWN_LOCATIONS = 20


def results_to_json(results: Sequence[Result], places: Places = NO_PLACES) -> str:
    """One JSON object, by schema/irsan-trace-1.json, with the places of locations it knows."""
    analyses = {
        result.name: {
            "racy_events": result.racy_events,
            "racy_locations": result.racy_locations,
            "events": result.events,
            "seconds": round(result.seconds, 6),
        }
        for result in results
    }
    named = {where: places[where] for r in results for where in r.racy_locations if where in places}
    whole: dict[str, object] = {"schema": SCHEMA, "analyses": analyses}
    if named:
        whole["places"] = {where: n._asdict() for where, n in named.items()}
    return json.dumps(whole) + "\n"


def results_to_text(results: Sequence[Result], places: Places = NO_PLACES) -> str:
    """A paragraph per analysis: counts, then the racy locations with their first racy event."""
    return "".join(_paragraph(result, places) for result in results)


def _paragraph(result: Result, places: Places) -> str:
    n_events, n_locations = len(result.racy_events), len(result.racy_locations)
    lines = [
        f"{result.name}: {_counted(n_events, 'racy event')} at "
        f"{_counted(n_locations, 'location')} ({_counted(result.events, 'event')}, "
        f"{result.seconds:.2f} s)"
    ]
    first = zip(result.racy_locations, result.first_events, strict=True)
    shown = [f"    location {at}: event {event}{_place(at, places)}" for at, event in first]
    lines += shown[:_SHOWN_LOCATIONS]
    if n_locations > _SHOWN_LOCATIONS:
        lines.append(f"    and {n_locations - _SHOWN_LOCATIONS} more; --report-format json has all")
    return "\n".join(lines) + "\n"


def _place(where: str, places: Places) -> str:
    name = places.get(where)
    return f" in {name.function} {name.place}" if name else ""


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


RENDERERS: dict[str, Callable[[Sequence[Result], Places], str]] = {
    "text": results_to_text,
    "json": results_to_json,
}
