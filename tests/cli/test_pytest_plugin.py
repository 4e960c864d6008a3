"""The plugin for pytest: a finding in a program lets the test fail that ran it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

from irsan.reports.formats.json_report import report_to_json
from tests.reports import samples

SUITE = '''
import os, re, subprocess, sys
import pytest

def program(name):
    """As a program of irsan-cc does, it writes its report where IRSAN_OPTIONS says."""
    path = re.search(r"report_path='([^']*)'", os.environ["IRSAN_OPTIONS"])[1]
    source = os.path.join(os.path.dirname(__file__), name)
    code = "import shutil, sys, os; shutil.copy(sys.argv[1], sys.argv[2] % os.getpid())"
    path = path.replace("%p", "%d")
    subprocess.run([sys.executable, "-c", code, source, path], check=True)

def test_clean(): program("clean.json")
def test_race(): program("race.json")
def test_nothing(): pass
@pytest.fixture
def server():
    yield
    program("race.json")
def test_found_in_teardown(server): pass
def test_damaged(): program("damaged.json")
'''


def _plugin_words() -> list[str]:
    """An installed irsan is found by its entry point; a checkout on the path has none."""
    names = {each.name for each in entry_points(group="pytest11")}
    return [] if "irsan" in names else ["-p", "irsan.pytest_plugin"]


def run_suite(folder: Path, *words: str) -> ElementTree.Element:
    (folder / "test_suite.py").write_text(SUITE)
    race = samples.report(samples.RACES["race-heap"])
    (folder / "race.json").write_text(report_to_json(race))
    (folder / "clean.json").write_text(report_to_json(samples.report()))
    (folder / "damaged.json").write_text('{"schema": "irsan-rep')
    result = folder / "result.xml"
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *_plugin_words(),
         "-p", "no:cacheprovider", "-p", "no:hypothesispytest",
         "-o", "addopts=", f"--junitxml={result}", *words, str(folder / "test_suite.py")],
        cwd=folder, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert result.exists(), answer.stdout + answer.stderr
    return ElementTree.parse(result).getroot()


def outcomes(root: ElementTree.Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for case in root.iter("testcase"):
        verdicts = [each.tag for each in case if each.tag in ("failure", "error")]
        found[case.attrib["name"]] = found.get(case.attrib["name"], "") + "".join(verdicts)
    return found


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tuple[ElementTree.Element, Path]:
    folder = tmp_path_factory.mktemp("suite")
    return run_suite(folder, "--irsan-reports", str(folder / "kept")), folder


def test_only_tests_with_findings_fail(result: tuple[ElementTree.Element, Path]) -> None:
    assert outcomes(result[0]) == {
        "test_clean": "",
        "test_race": "failure",
        "test_nothing": "",
        "test_found_in_teardown": "error",
        "test_damaged": "failure",
    }


def test_the_failure_is_the_report(result: tuple[ElementTree.Element, Path]) -> None:
    (failure,) = result[0].findall(".//testcase[@name='test_race']/failure")
    assert failure.text is not None
    assert "WARNING: ThreadSanitizer: data race" in failure.text
    assert "replay: irsan replay r7" in failure.text


def test_reports_are_kept_by_the_name_of_the_test(
    result: tuple[ElementTree.Element, Path],
) -> None:
    names = {path.name.rpartition("-")[0] for path in (result[1] / "kept").iterdir()}
    assert "test_suite.py-test_race" in names


def test_inactive_unless_asked_for(tmp_path: Path) -> None:
    root = run_suite(tmp_path)
    assert outcomes(root)["test_race"] == "failure"  # no IRSAN_OPTIONS: KeyError
    (failure,) = root.findall(".//testcase[@name='test_race']/failure")
    assert "IRSAN_OPTIONS" in failure.attrib["message"]
