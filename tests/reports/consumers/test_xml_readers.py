"""JUnit in the eyes of Jenkins' schema and junitparser; Valgrind's XML in those of a converter."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from irsan.reports.model.report import MergedFile
from irsan.reports.renderers import renderer
from tests.reports import samples
from tests.reports.consumers.at_source import at, sources
from tests.reports.consumers.environments import (
    file_of_source_package,
    output_of,
    python_environment,
)
from tests.reports.of_catalogue import findings_of_catalogue

COUNT = """
import sys
from junitparser import JUnitXml, Failure, Skipped
cases = [case for suite in JUnitXml.fromfile(sys.argv[1]) for case in suite]
print(len(cases), *(sum(isinstance(r, kind) for case in cases for r in case.result)
                    for kind in (Failure, Skipped)))
"""
VALIDATE = """
import sys, xmlschema
for path in sys.argv[2:]:
    xmlschema.XMLSchema(sys.argv[1]).validate(path)
print("valid")
"""


def test_junitparser_counts_every_finding(tmp_path: Path) -> None:
    findings = [*findings_of_catalogue().values(), samples.RACES["race-heuristic"]]
    path = tmp_path / "findings.xml"
    path.write_text(renderer("junit")(samples.report(*findings)))
    counted = output_of(python_environment("junitparser==5.0.3"), "-c", COUNT, path)
    verdicts = [finding.verdict for finding in findings]
    n_told = len(findings) - verdicts.count("limit")
    assert counted.split() == [
        str(n_told), str(verdicts.count("bug")), str(verdicts.count("heuristic")),
    ]  # fmt: skip


def test_jenkins_schema(tmp_path: Path) -> None:
    report = samples.report(*findings_of_catalogue().values())
    merged = replace(report, merged=(MergedFile("a.json", "a"), MergedFile("b", problem="bad")))
    paths = []
    for number, each in enumerate((report, samples.report(), merged)):
        paths.append(tmp_path / f"{number}.xml")
        paths[-1].write_text(renderer("junit")(each))
    # pytest's own tests validate by the schema of Jenkins' xunit plugin.
    schema = file_of_source_package("pytest==9.2.0", "junit-10.xsd")
    python = python_environment("xmlschema==4.3.2")
    assert output_of(python, "-c", VALIDATE, schema, *paths) == "valid\n"


def test_a_reader_of_valgrind(tmp_path: Path) -> None:
    folder = sources(tmp_path)
    names = ("heap-use-after-free", "double-free", "leak-0", "leak-1", "uninitialised")
    findings = [at(samples.EVERYTHING[name], folder) for name in names]
    given, out = tmp_path / "valgrind.xml", tmp_path / "quality.json"
    given.write_text(renderer("valgrind-xml")(samples.report(*findings)))
    program = python_environment("valgrind-codequality==1.3.2").with_name("valgrind-codequality")
    output_of(program, "-i", given, "-o", out, "-b", folder)
    issues = json.loads(out.read_text())
    assert len(issues) == len(findings)
    assert {issue["location"]["path"].rpartition("/")[2] for issue in issues} == {"a.c"}
