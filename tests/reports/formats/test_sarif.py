"""SARIF: what code hosts read of it, and their limits kept by saying what was cut."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import Any

import pytest

from irsan.reports.formats import sarif_limits
from irsan.reports.formats.sarif import rule_name
from irsan.reports.model.report import Cut, Finding, Fingerprint, Report
from irsan.reports.renderers import renderer
from tests.reports import samples


def run_of(report: Report) -> dict[str, Any]:
    log = json.loads(renderer("sarif")(report))
    (run,) = log["runs"]
    return run  # type: ignore[no-any-return]


def of(*findings: Finding) -> Report:
    return replace(samples.report(*findings), root="/src")


def notes(run: dict[str, Any]) -> list[str]:
    found = run["invocations"][0]["toolExecutionNotifications"]
    return [each["message"]["text"] for each in found]


def test_a_race_has_a_flow_for_each_thread_in_one_order() -> None:
    (result,) = run_of(of(samples.RACES["race-heap"]))["results"]
    (flow,) = result["codeFlows"]
    told = {
        thread["id"]: [(step["executionOrder"], step["location"]["message"]["text"]) for step in
                       thread["locations"]]
        for thread in flow["threadFlows"]
    }  # fmt: skip
    assert told == {
        "T0": [
            (1, "Thread T1 (worker) created here by main thread."),
            (2, "Allocated by main thread."),
            (4, "Write by main thread."),
        ],
        "T1": [(3, "Previous read by thread T1 (worker).")],
    }


def test_places_are_relative_to_the_root() -> None:
    run = run_of(of(samples.MEMORY["heap-use-after-free"]))
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///src/"
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a.c", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 7, "startColumn": 5}
    related = [each["message"]["text"] for each in result["relatedLocations"]]
    assert related == ["Freed by main thread.", "Allocated by main thread."]


def test_rules_have_help_weaknesses_and_a_score() -> None:
    run = run_of(of(samples.MEMORY["heap-use-after-free"], samples.RACES["race-heap"]))
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert list(rules) == ["heap-use-after-free", "data-race"]
    properties = rules["data-race"]["properties"]
    assert {"security", "external/cwe/cwe-362"} <= set(properties["tags"])
    assert 0 < float(properties["security-severity"]) <= 10
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1]


def test_fingerprints_have_the_name_that_github_reads() -> None:
    finding = samples.RACES["race-heap"]
    (result,) = run_of(of(finding))["results"]
    names = result["partialFingerprints"]
    assert names["irsan/v2"] == finding.id
    assert names["primaryLocationLineHash"] == f"{finding.id}:1"


def test_a_baseline_is_told() -> None:
    (result,) = run_of(of(replace(samples.RACES["race-heap"], baseline="updated")))["results"]
    assert result["baselineState"] == "updated"


def test_a_finding_without_a_place_is_shown_at_the_program() -> None:
    (result,) = run_of(of(samples.MEMORY["SEGV-jump"]))["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.c"


def test_limits_and_cuts_are_notifications_and_no_results() -> None:
    report = replace(of(samples.OTHERS["limit"]), cut=(Cut("source lines", 7, "too many"),))
    run = run_of(report)
    assert run["results"] == []
    assert notes(run)[0] == "7 source lines are left out: too many."
    assert notes(run)[1].startswith("Irsan cannot check this: ")


def test_what_a_single_result_has_too_much_of_is_cut_and_told() -> None:
    deep = samples.access(*[samples.own("f", 7)] * 150)
    many = [replace(samples.ALLOCATION, subject=n) for n in range(1200)]
    run = run_of(of(replace(samples.MEMORY["double-free"], stacks=(deep, *many))))
    (result,) = run["results"]
    assert len(result["stacks"][0]["frames"]) == sarif_limits.MAX_STACK_FRAMES
    assert len(result["locations"]) + len(result["relatedLocations"]) == sarif_limits.MAX_LOCATIONS
    (flow,) = result["codeFlows"]
    n_steps = sum(len(thread["locations"]) for thread in flow["threadFlows"])
    assert n_steps == sarif_limits.MAX_FLOW_LOCATIONS
    assert notes(run) == [
        "1 results have stacks of which the outer frames are left out.",
        "1 results have more than 1000 places, which are left out.",
    ]


@pytest.mark.parametrize(
    ("rule", "name"),
    [("heap-use-after-free", "HeapUseAfterFree"), ("gwp-asan/double-free", "GwpAsanDoubleFree"),
     ("deadlock", "DeadlockFinding")],
)  # fmt: skip
def test_names_of_rules_are_other_words_than_ids(rule: str, name: str) -> None:
    assert rule_name(rule) == name


def test_thirty_thousand_findings_stay_within_the_limits() -> None:
    names = (Fingerprint("irsan/v2", "0123456789abcdef"),)  # as of a run that is over
    bug, leak = (
        replace(finding, fingerprints=names)
        for finding in (samples.OTHERS["undefined"], samples.LEAKS[1])
    )
    text = renderer("sarif")(of(*[leak] * 25_000, *[bug] * 5_000))
    assert len(zlib.compress(text.encode())) < sarif_limits.MAX_COMPRESSED_BYTES
    (run,) = json.loads(text)["runs"]
    assert len(run["results"]) == sarif_limits.MAX_RESULTS
    assert notes(run) == ["5000 of 30000 results are left out: services take 25000."]
    n_bugs = sum(result["ruleId"] == "signed-integer-overflow" for result in run["results"])
    assert n_bugs == 5_000, "the most severe stay"


def test_a_file_that_is_too_big_loses_details_then_results(monkeypatch: pytest.MonkeyPatch) -> None:
    report = of(*samples.MEMORY.values())
    whole = run_of(report)
    size = len(zlib.compress(renderer("sarif")(report).encode(), 6))
    monkeypatch.setattr(sarif_limits, "MAX_COMPRESSED_BYTES", size - 1)
    run = run_of(report)
    assert len(run["results"]) == len(whole["results"])
    assert "stacks" in whole["results"][0] and "stacks" not in run["results"][0]
    assert notes(run)[0].startswith("Stacks of all results are left out")
    monkeypatch.setattr(sarif_limits, "MAX_COMPRESSED_BYTES", 4000)
    run = run_of(report)
    n_told = [int(text.split()[0]) for text in notes(run) if "more results" in text]
    assert len(run["results"]) + sum(n_told) == len(whole["results"])
    assert n_told
