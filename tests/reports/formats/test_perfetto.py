"""Perfetto: a process for each finding, a track for each thread, arrows for order and its lack."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from irsan.reports.formats import perfetto
from irsan.reports.model.report import Finding
from irsan.reports.renderers import renderer
from tests.reports import samples
from tests.reports.explained import explained


def trace_of(*findings: Finding) -> dict[str, Any]:
    return json.loads(renderer("perfetto")(samples.report(*findings)))  # type: ignore[no-any-return]


def test_tracks_slices_and_arrows_of_a_race() -> None:
    events = trace_of(samples.RACES["race-heap"])["traceEvents"]
    names = [e["args"]["name"] for e in events if e["ph"] == "M" and "name" in e["args"]]
    assert names == ["1. data race", "T0", "T1 worker"]
    steps = [(e["tid"], e["name"]) for e in events if e["ph"] == "X" and not e["ts"] % 1000]
    assert steps == [
        (1, "thread T1 (worker) created here by main thread"), (1, "allocated by main thread"),
        (2, "previous read by thread T1 (worker)"), (1, "write by main thread"),
    ]  # fmt: skip
    arrows = [(e["ph"], e["name"], e["tid"], e["ts"] // 1000) for e in events if e["ph"] in "sf"]
    assert arrows == [
        ("s", "happens before", 1, 0), ("f", "happens before", 2, 2),
        ("s", "not ordered", 2, 2), ("f", "not ordered", 1, 3),
    ]  # fmt: skip


def test_frames_lie_inside_of_each_other() -> None:
    events = trace_of(samples.MEMORY["heap-use-after-free"])["traceEvents"]
    last = [e for e in events if e["ph"] == "X" and e["ts"] >= 2000]
    assert [e["name"] for e in last] == ["read by main thread", "main", "f"]
    for outer, inner in pairwise(last):
        assert outer["ts"] < inner["ts"]
        assert inner["ts"] + inner["dur"] < outer["ts"] + outer["dur"]
    assert last[-1]["args"] == {"file": "/src/a.c", "line": 7}


def test_many_findings_are_cut_and_counted() -> None:
    n = perfetto.MAX_FINDINGS + 2
    trace = trace_of(*[samples.OTHERS["undefined"]] * n)
    assert trace["otherData"]["cut"] == f"the first {perfetto.MAX_FINDINGS} of {n} findings"
    assert max(e["pid"] for e in trace["traceEvents"]) == perfetto.MAX_FINDINGS


def test_a_timeline_is_a_process_of_its_own() -> None:
    finding = explained(samples.RACES["race-global"])
    assert finding.timeline is not None
    events = trace_of(finding)["traceEvents"]
    own = [each for each in events if each["pid"] == perfetto.MAX_FINDINGS + 1]
    told = [(e["name"], e["ts"]) for e in own if e["ph"] == "X"]
    assert told[2:5] == [
        ("lock M0 (guard)", 2000), ("unlock M0 (guard)", 3000), ("send SIGUSR1 to T1", 4000),
    ]  # fmt: skip
    ends = [(e["ph"], e["ts"] // 1000) for e in own if e["name"] == "happens before"]
    assert ends == [("s", 1), ("f", 2), ("s", 0), ("f", 5)]
    names = {e["args"]["name"] for e in own if e["name"] == "thread_name"}
    assert names == {"T0", "T1"}
