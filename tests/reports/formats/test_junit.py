"""JUnit: each finding is a failed test, with a name that outlives edits elsewhere."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from irsan.reports.model.report import MergedFile, Report, Sighting
from irsan.reports.renderers import renderer
from tests.reports import samples


def root_of(report: Report) -> ElementTree.Element:
    return ElementTree.fromstring(renderer("junit")(report))


def test_each_finding_is_a_failed_test() -> None:
    race = samples.RACES["race-heap"]
    findings = (race, samples.OTHERS["limit"], samples.RACES["race-heuristic"])
    (suite,) = root_of(replace(samples.report(*findings), root="/src"))
    assert {k: suite.attrib[k] for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "2", "failures": "1", "errors": "0", "skipped": "1",
    }  # fmt: skip
    assert suite.attrib["name"] == "a.c one two words"
    case = suite.find("testcase")
    assert case is not None
    assert case.attrib["name"] == f"data-race main a.c [{race.id}]"
    failure = case.find("failure")
    assert failure is not None and failure.text is not None
    assert failure.attrib["type"] == "data-race"
    assert "WARNING: ThreadSanitizer: data race" in failure.text
    assert "irsan: limit: " in str(suite.findtext("system-err"))
    found = {p.attrib["name"]: p.attrib["value"] for p in suite.iter("property")}
    assert (found["seed"], found["replay"], found["sanitize"]) == ("7", "r7", "address,leak")


def test_what_the_baseline_has_is_skipped() -> None:
    race = samples.RACES["race-heap"]
    known, new = replace(race, baseline="unchanged"), replace(race, baseline="new")
    (suite,) = root_of(samples.report(known, new))
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("1", "1")


def test_a_clean_run_is_one_test_that_has_passed() -> None:
    (suite,) = root_of(samples.report())
    (case,) = suite.findall("testcase")
    assert (case.attrib["name"], list(case)) == ("a.c", [])


def test_files_of_a_merged_report_are_suites() -> None:
    race = replace(
        samples.RACES["race-heap"], seen=(Sighting("a", file="1.json"), Sighting(file="3.json"))
    )
    files = (
        MergedFile("1.json", "a", 1), MergedFile("2.json", "b"),
        MergedFile("3.json", "c", 1), MergedFile("4.json", problem="not JSON"),
    )  # fmt: skip
    suites = root_of(replace(samples.report(race), merged=files))
    told = {s.attrib["name"]: (s.attrib["failures"], s.attrib["errors"]) for s in suites}
    assert told == {
        "1.json": ("1", "0"), "2.json": ("0", "0"), "3.json": ("1", "0"), "4.json": ("0", "1"),
    }  # fmt: skip
