"""SARIF in the eyes of its schema, Microsoft's multitool, sarif-tools and a class library."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from irsan.reports.renderers import renderer
from tests.reports import samples
from tests.reports.consumers.environments import npm_environment, output_of, python_environment
from tests.reports.of_catalogue import findings_of_catalogue

#: the tool asks for the page of irsan, which has none yet
WITHOUT_PAGE = "SARIF2005"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sarif") / "findings.sarif"
    report = replace(samples.report(*findings_of_catalogue().values()), root="/src")
    path.write_text(renderer("sarif")(report))
    return path


def multitool() -> Path:
    folder = npm_environment("@microsoft/sarif-multitool@5.7.0")
    return folder / "@microsoft" / "sarif-multitool-linux"


def test_the_published_schema(log: Path) -> None:
    schema = json.loads((multitool() / "sarif-2.1.0.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(json.loads(log.read_text()))


def test_the_rules_of_multitool(log: Path) -> None:
    program = multitool() / "Sarif.Multitool"
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    words = [str(program), "validate", str(log), "--rule-kind", "Sarif;Gh"]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False,
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
    )  # fmt: skip
    if "GLIBC" in done.stderr:
        pytest.skip(f"multitool does not run here: {done.stderr.splitlines()[-1]}")
    assert "1 files scanned" in done.stdout, done.stdout + done.stderr
    lines = re.finditer(r"(?:error|warning) (\w+\d+):.*", done.stdout)
    told = {found[1]: found[0] for found in lines}
    assert set(told) <= {WITHOUT_PAGE}, told


def test_sarif_tools_counts_every_finding(log: Path, tmp_path: Path) -> None:
    sarif = python_environment("sarif-tools==3.0.5").with_name("sarif")
    results = json.loads(log.read_text())["runs"][0]["results"]
    levels = [result["level"] for result in results]
    summary = output_of(sarif, "summary", log)
    for level in ("error", "warning", "note"):
        assert f"{level}: {levels.count(level)}\n" in summary
    output_of(sarif, "--check", "error", "summary", log, status=levels.count("error"))
    converted = tmp_path / "quality.json"
    output_of(sarif, "codeclimate", log, "-o", converted)
    assert len(json.loads(converted.read_text())) == len(results)


def test_a_class_library_reads_it(log: Path) -> None:
    python = python_environment("sarif-pydantic==0.6.2")
    program = (
        "import sys, json, sarif_pydantic\n"
        "log = sarif_pydantic.Sarif.model_validate(json.load(open(sys.argv[1])))\n"
        "print(len(log.runs[0].results))"
    )
    results = json.loads(log.read_text())["runs"][0]["results"]
    assert int(output_of(python, "-c", program, log)) == len(results)
