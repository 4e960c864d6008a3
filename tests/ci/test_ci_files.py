"""Files of examples/ci do what docs/ci.md says: the script, the action's steps, CMake's file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from irsan.reports.formats.json_report import report_to_json
from tests.reports import samples

ROOT = Path(__file__).parents[2]
CI = ROOT / "examples" / "ci"
SCRIPT = CI / "irsan-check.sh"
FINDS = """
import os, re, shutil, sys
path = re.search(r"report_path='([^']*)'", os.environ["IRSAN_OPTIONS"])[1]
for number, source in enumerate(sys.argv[2:]):
    shutil.copy(source, path.replace("%p", str(number)))
sys.exit(int(sys.argv[1]))
"""


class Project:
    """A folder with reports to be found, and a command `irsan` that is this checkout's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        commands = folder / "bin"
        commands.mkdir()
        self._command(commands / "irsan", f'exec "{sys.executable}" -m irsan "$@"')
        self.reports = [folder / "race.json", folder / "freed.json"]
        race, freed = samples.RACES["race-heap"], samples.MEMORY["heap-use-after-free"]
        self.reports[0].write_text(report_to_json(samples.report(race)))
        self.reports[1].write_text(report_to_json(samples.report(freed)))
        (folder / "finds.py").write_text(FINDS)
        self.environment = {
            **os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
            "IRSAN_OPTIONS": "",
        }  # fmt: skip

    def _command(self, path: Path, line: str) -> None:
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def finding(self, status: int, *reports: Path) -> list[str]:
        """A command that ends with a status and leaves reports, a process each."""
        return [sys.executable, "finds.py", str(status), *map(str, reports)]

    def check(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.run(["sh", str(SCRIPT), *words], **variables)

    def run(self, words: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env={**self.environment, **variables}, capture_output=True,
            text=True, encoding="utf-8", check=False,
        )  # fmt: skip

    def file(self, name: str) -> str:
        return (self.folder / "irsan-reports" / name).read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_reports_of_all_processes_are_joined_and_written_in_other_forms(project: Project) -> None:
    done = project.check("--", *project.finding(0, *project.reports))
    assert done.returncode == 66, done.stderr
    assert len(json.loads(project.file("all.json"))["findings"]) == 2
    assert '"data-race"' in project.file("findings.sarif")
    assert "<failure " in project.file("findings.xml")
    assert project.file("summary.md").startswith("### irsan: 2 findings")


def test_what_the_baseline_has_fails_nothing(project: Project) -> None:
    project.check("-f", "json:old.json", *project.finding(0, *project.reports[:1]))
    old = project.folder / "irsan-reports" / "old.json"
    words = ("-b", str(old), "-f", "json:x.json")
    again = project.check(*words, *project.finding(0, *project.reports[:1]))
    assert again.returncode == 0, again.stderr
    more = project.check(*words, *project.finding(0, *project.reports))
    assert more.returncode == 66, more.stderr


def test_a_clean_run_and_a_failed_command(project: Project) -> None:
    clean = project.check("-f", "junit:findings.xml", *project.finding(0))
    assert (clean.returncode, "nothing was found" in clean.stderr) == (0, True)
    assert "<failure" not in project.file("findings.xml")
    failed = project.check("-f", "github:a.txt", *project.finding(3, project.reports[0]))
    assert failed.returncode == 3
    assert "::error " in project.file("a.txt")


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "no command"), (["-x"], "unknown option -x"), (["-o"], "-o needs a word"),
     (["-b", "none.json", "true"], "none.json: cannot be read")],
)  # fmt: skip
def test_wrong_words(project: Project, words: list[str], said: str) -> None:
    done = project.check(*words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def yaml_of(path: Path) -> Any:
    yaml = pytest.importorskip("yaml", reason="PyYAML reads the files of CI services")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted(CI.rglob("*.yml")), ids=lambda path: str(path.name))
def test_files_are_yaml(path: Path) -> None:
    assert isinstance(yaml_of(path), dict)


def test_the_step_of_the_action(project: Project) -> None:
    action = yaml_of(CI / "github-action" / "action.yml")
    (step,) = (each for each in action["runs"]["steps"] if each.get("id") == "run")
    assert "${{" not in step["run"], "inputs come as variables"
    out, summary = project.folder / "out.txt", project.folder / "summary.txt"
    command = " ".join(project.finding(0, *project.reports))
    done = project.run(
        ["bash", "-e", "-c", step["run"]], COMMAND=command, SANITIZE="address", BASELINE="",
        FAIL_ON="", CHECK=str(SCRIPT), REPORTS=str(project.folder / "irsan-reports"),
        GITHUB_OUTPUT=str(out), GITHUB_STEP_SUMMARY=str(summary),
    )  # fmt: skip
    assert done.returncode == 66, done.stderr
    assert done.stdout.count("::error ") == 2
    assert summary.read_text(encoding="utf-8").startswith("### irsan: 2 findings")
    outputs = out.read_text(encoding="utf-8")
    assert "sarif=" in outputs and "report=" in outputs
    assert set(step["env"]) == {
        "COMMAND", "SANITIZE", "BASELINE", "FAIL_ON", "CHECK", "REPORTS",
    }  # fmt: skip


def test_shell_of_the_other_services_is_shell() -> None:
    jenkinsfile = (CI / "jenkins" / "Jenkinsfile").read_text(encoding="utf-8")
    jenkins = re.findall(r"sh '''(.*?)'''", jenkinsfile, re.S)
    gitlab = yaml_of(CI / "gitlab" / "gitlab-ci.yml")["irsan"]
    buildkite = yaml_of(CI / "buildkite" / "pipeline.yml")["steps"][0]["command"]
    texts = [*jenkins, *gitlab["before_script"], *gitlab["script"], buildkite.replace("$$", "$")]
    assert len(texts) >= 5
    for text in texts:
        subprocess.run(["sh", "-n"], input=text, text=True, check=True)


def test_files_that_are_named_are_there() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\(\.\./([^)]*)\)", page):
        assert (ROOT / name).exists(), name
    (copied,) = re.findall(r"^COPY (\S+)", (CI / "Containerfile").read_text(encoding="utf-8"), re.M)
    assert (ROOT / copied).exists()


@pytest.mark.skipif(shutil.which("ctest") is None, reason="no ctest")
def test_ctest_fails_what_prints_a_finding(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.10)
project(x NONE)
list(APPEND CMAKE_MODULE_PATH "{CI / 'cmake'}")
enable_testing()
add_test(NAME clean COMMAND ${{CMAKE_COMMAND}} -E echo fine)
add_test(NAME race COMMAND ${{CMAKE_COMMAND}} -E echo "WARNING: ThreadSanitizer: data race (pid=1)")
set_property(TEST race PROPERTY PASS_REGULAR_EXPRESSION data)
include(IrsanTests)
irsan_findings_fail_tests()
""")
    build = tmp_path / "build"
    subprocess.run(["cmake", "-S", tmp_path, "-B", build], check=True, capture_output=True)
    done = subprocess.run(
        ["ctest", "--test-dir", build], capture_output=True, text=True, check=False
    )
    assert re.search(r"clean \.* +Passed", done.stdout), done.stdout
    assert "race (Failed)" in done.stdout
