"""Files of CI services against schemas that check-jsonschema brings; the recipe of GoogleTest."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.reports.consumers.environments import consumers_folder, output_of, python_environment

CI = Path(__file__).parents[3] / "examples" / "ci"
TESTS = """
#include <gtest/gtest.h>
#include <cstdlib>
#include <thread>
static int counter;
TEST(Suite, Clean) { EXPECT_EQ(1 + 1, 2); }
TEST(Suite, Race) { std::thread other([] { counter++; }); counter++; other.join(); }
TEST(Suite, Freed) { volatile char *p = (char *)malloc(8); free((void *)p); p[0] = 1; }
TEST(Suite, CleanToo) { EXPECT_EQ(counter, counter); }
"""


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("vendor.github-actions", "github-action/action.yml"),
        ("vendor.github-workflows", "github-action/workflow.yml"),
        ("vendor.gitlab-ci", "gitlab/gitlab-ci.yml"),
        ("vendor.buildkite", "buildkite/pipeline.yml"),
    ],
)
def test_schema(schema: str, name: str) -> None:
    program = python_environment("check-jsonschema==0.39.0").with_name("check-jsonschema")
    output_of(program, "--builtin-schema", schema, CI / name)


@pytest.mark.skipif(not Path("/usr/include/gtest/gtest.h").exists(), reason="no GoogleTest")
@pytest.mark.skipif(shutil.which("irsan-c++") is None, reason="irsan-c++ is not on PATH")
def test_googletest_fails_the_test_that_ran(tmp_path: Path) -> None:
    consumers_folder()  # it takes half a minute
    (tmp_path / "tests.cpp").write_text(TESTS)
    subprocess.run(
        ["irsan-c++", "-std=c++17", "tests.cpp", str(CI / "gtest_findings.cpp"),
         "-lgtest", "-lgtest_main", "-pthread", "-o", "tests"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    environment = {**os.environ, "ASAN_OPTIONS": "halt_on_error=0"}
    words = ["./tests", "--gtest_output=xml:result.xml"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 66
    cases = ElementTree.parse(tmp_path / "result.xml").iter("testcase")
    failed = {case.attrib["name"]: case.find("failure") is not None for case in cases}
    assert failed == {"Clean": False, "Race": True, "Freed": True, "CleanToo": False}
