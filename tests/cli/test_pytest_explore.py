"""Programs as tests of pytest: a schedule that shows something lets the test fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.cli.test_pytest_plugin import _plugin_words
from tests.explore.programs import LOST_UPDATE
from tests.support.irsan_runs import bundled_compiler

FINE = "int main(void) { return 0; }"


def run_tests(folder: Path, *words: str) -> dict[str, str]:
    """Class of each test case to the message of its failure, "" for one that has passed."""
    result = folder / "result.xml"
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *_plugin_words(), "-p", "no:cacheprovider",
         "-p", "no:hypothesispytest", "-o", "addopts=", f"--junitxml={result}", *words],
        cwd=folder, capture_output=True, check=False, text=True,
        env={**os.environ, "IRSAN_CC": bundled_compiler()},
    )  # fmt: skip
    assert result.exists(), answer.stdout + answer.stderr
    cases = ElementTree.parse(result).getroot().iter("testcase")
    return {
        case.get("classname", ""): "".join(each.text or "" for each in case.iter("failure"))
        for case in cases
    }


def write(folder: Path) -> None:
    (folder / "test_fine.c").write_text(FINE)
    (folder / "update_test.c").write_text(LOST_UPDATE)
    (folder / "other.c").write_text(FINE)


def test_sources_are_tests_when_that_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path)
    found = run_tests(tmp_path, "--irsan-explore", "40", ".")
    assert sorted(found) == ["test_fine.c", "update_test.c"]
    assert found["test_fine.c"] == ""
    assert "assertion failed: balance == 2" in found["update_test.c"]
    assert "replay: irsan replay" in found["update_test.c"]


def test_a_source_that_is_named_is_a_test(tmp_path: Path) -> None:
    write(tmp_path)
    assert run_tests(tmp_path, "--irsan-explore", "3", "other.c") == {"other.c": ""}


def test_without_the_option_nothing_is(tmp_path: Path) -> None:
    write(tmp_path)
    assert run_tests(tmp_path, ".") == {}
