"""SARIF's locations, stacks and thread flows, from places and steps of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from irsan.reports.derived.places import Place, place_of_frame
from irsan.reports.derived.steps import Step
from irsan.reports.formats.uris import path_uri
from irsan.reports.model.report import Stack

ROOT_BASE: Final = "SRCROOT"
_EXECUTION_KINDS: Final[Mapping[str, str]] = {
    "thread-creation": "call", "allocation": "acquire", "free": "release",
    "mutex-creation": "acquire",
}  # fmt: skip

Json = dict[str, Any]


def message(text: str) -> Json:
    """A plain message. `[text](target)` would be a link in it, which a name must not make."""
    return {"text": text.replace("](", "] (")}


def location_of(place: Place | None, words: str = "") -> Json:
    """A place with what happened there; of an unknown file the function alone."""
    told = {"message": message(words)} if words else {}
    if place is None:
        return told
    named = {"logicalLocations": [_function(place)]} if place.function else {}
    if not place.path:
        return {**named, **told}
    base = {} if place.is_outside else {"uriBaseId": ROOT_BASE}
    physical = {
        "artifactLocation": {"uri": path_uri(place.path), **base},
        "region": _region(place),
    }
    return {"physicalLocation": physical, **named, **told}


def stack_of(stack: Stack, words: str, root: str, max_frames: int) -> Json:
    """A call stack with what happened at its top."""
    places = ((frame.module, place_of_frame(frame, root)) for frame in stack.frames[:max_frames])
    frames = [
        {"location": location, **({"module": module} if module else {})}
        for module, place in places if (location := location_of(place))
    ]  # fmt: skip
    return {"message": message(words), "frames": frames}


def thread_flows(
    steps: Sequence[Step], locations: Sequence[Json], names: Mapping[str, str]
) -> list[Json]:
    """A flow for each thread: its steps, numbered over all threads as they were run."""
    flows: dict[str, list[Json]] = {}
    for order, (step, location) in enumerate(zip(steps, locations, strict=True), 1):
        importance = "essential" if step.role in ("access", "previous") else "important"
        place: Json = {"location": location, "executionOrder": order, "importance": importance}
        if step.role in _EXECUTION_KINDS:
            place["kinds"] = [_EXECUTION_KINDS[step.role]]
        flows.setdefault(step.thread, []).append(place)
    return [
        {"id": thread, "message": message(names.get(thread, thread)), "locations": places}
        for thread, places in flows.items()
    ]


def _region(place: Place) -> Json:
    """A line, or a part of it; columns that are not known are left out."""
    region: Json = {"startLine": max(place.line, 1)}
    if place.line > 0 and place.column > 0:
        region["startColumn"] = place.column
        if place.end_column > place.column:
            region["endColumn"] = place.end_column
    return region


def _function(place: Place) -> Json:
    """A function by its name in the source, and in the object file where that differs."""
    decorated = {"decoratedName": place.symbol} if place.symbol != place.function else {}
    return {"fullyQualifiedName": place.function, **decorated, "kind": "function"}
