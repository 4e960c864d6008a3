"""GitLab: what its documentation and its schema of SAST reports ask for."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from irsan.reports.model.report import Cut, Finding, Report, Timing
from irsan.reports.renderers import renderer
from tests.reports import samples
from tests.reports.of_catalogue import findings_of_catalogue

SEVERITIES = {"Info", "Unknown", "Low", "Medium", "High", "Critical"}


def of(*findings: Finding) -> Report:
    return replace(samples.report(*findings), root="/src")


def quality(*findings: Finding) -> list[dict[str, Any]]:
    return json.loads(renderer("gitlab")(of(*findings)))  # type: ignore[no-any-return]


def sast(report: Report) -> dict[str, Any]:
    return json.loads(renderer("gitlab-sast")(report))  # type: ignore[no-any-return]


def test_an_issue_of_code_quality() -> None:
    race = samples.RACES["race-heap"]
    (issue,) = quality(race)
    assert issue["check_name"] == "data-race"
    assert issue["fingerprint"] == race.id
    assert issue["severity"] == "major"
    assert issue["location"] == {"path": "a.c", "lines": {"begin": 9, "end": 9}}
    assert issue["description"].startswith("data race: (1) write of 4 bytes in main")
    assert [each["lines"]["begin"] for each in issue["other_locations"]] == [7, 3, 5]


def test_equal_fingerprints_are_numbered_and_limits_left_out() -> None:
    race = samples.RACES["race-heap"]
    names = [issue["fingerprint"] for issue in quality(race, race, samples.OTHERS["limit"])]
    assert names == [race.id, f"{race.id}-2"]


def test_every_kind_has_what_the_schema_requires() -> None:
    found = sast(of(*findings_of_catalogue().values()))["vulnerabilities"]
    assert len({each["id"] for each in found}) == len(found)
    for each in found:
        assert each["severity"] in SEVERITIES
        assert 0 < len(each["name"]) <= 255 and len(each["solution"]) <= 7000
        assert each["identifiers"][0]["type"] == "irsan_rule"
        assert all(re.match("https?://", i.get("url", "https://")) for i in each["identifiers"])
        assert each["location"]["file"] and each["location"]["start_line"] >= 1
        flow = each["details"]["steps"]["items"][0]
        assert flow[-1]["node_type"] == "sink"


def test_the_scan() -> None:
    report = of(samples.OTHERS["limit"], replace(samples.RACES["race-heuristic"]))
    timing = Timing(run_s=2.5, started="2026-01-02T03:04:05.5+01:00")
    value = sast(replace(report, timing=timing, cut=(Cut("source lines", 3),)))
    scan = value["scan"]
    assert (scan["start_time"], scan["end_time"]) == ("2026-01-02T02:04:05", "2026-01-02T02:04:08")
    assert [each["level"] for each in scan["messages"]] == ["warn", "warn"]
    (found,) = value["vulnerabilities"]
    assert found["flags"][0]["type"] == "flagged-as-likely-false-positive"
    assert found["severity"] == "Low"


def test_a_cwe_has_its_page() -> None:
    (found,) = sast(of(samples.RACES["race-heap"]))["vulnerabilities"]
    assert {
        "type": "cwe", "name": "CWE-362", "value": "362",
        "url": "https://cwe.mitre.org/data/definitions/362.html",
    } in found["identifiers"]  # fmt: skip
