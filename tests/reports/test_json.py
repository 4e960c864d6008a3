"""JSON: there and back without loss, always valid by the schema, and clear about what is wrong."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from irsan.reports.formats.json_report import ReportFormatError, json_to_report, report_to_json
from irsan.reports.formats.json_schema import SCHEMA_PATH, schema_text
from irsan.reports.model.report import Report
from tests.reports import samples
from tests.reports.strategies import values

DOCS = Path(__file__).parents[2] / "docs" / "report-schema.md"


@lru_cache(maxsize=1)
def validator() -> Any:
    schema = json.loads(SCHEMA_PATH.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@given(values(Report))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_report_survives_and_is_valid(report: Report) -> None:
    text = report_to_json(report)
    assert json_to_report(text) == report
    validator().validate(json.loads(text))


@pytest.mark.parametrize("name", samples.EVERYTHING)
def test_every_kind_survives_and_is_valid(name: str) -> None:
    report = samples.report(samples.EVERYTHING[name])
    text = report_to_json(report)
    assert json_to_report(text) == report
    validator().validate(json.loads(text))


def test_the_contract() -> None:
    """The members that CI scripts rely on, spelt out."""
    (finding,) = json.loads(report_to_json(samples.report(samples.MEMORY["heap-use-after-free"])))[
        "findings"
    ]
    assert finding["tool"] == "AddressSanitizer"
    assert finding["kind"] == "heap-use-after-free"
    assert finding["verdict"] == "bug"
    access = {"operation": "read", "size": 4, "address": "0x602000000014", "thread": "T0"}
    assert access.items() <= finding["access"].items()
    assert [s["role"] for s in finding["stacks"]] == ["access", "allocation", "free"]
    top = {"function": "f", "file": "/src/a.c", "line": 7, "column": 5}
    assert top.items() <= finding["stacks"][0]["frames"][0].items()
    assert finding["locations"][0]["type"] == "heap-region"


def test_run_members() -> None:
    run = json.loads(report_to_json(samples.report()))
    assert {k: run[k] for k in ("schema", "program", "arguments", "engine", "seed")} == {
        "schema": "irsan-report/1",
        "program": "a.c",
        "arguments": ["one", "two words"],
        "engine": "jit",
        "seed": 7,
    }
    assert (run["schedule"], run["exit_status"], run["findings"]) == ("r7", 66, [])
    assert run["timing"] == {
        "frontend_s": 0.25, "instrument_s": 0.125, "codegen_s": 0.5, "run_s": 1.0, "cached": False
    }  # fmt: skip
    assert run["options"] == {"sanitize": ["address", "leak"], "optimization": "-O1"}


def test_schema_file_is_current() -> None:
    assert SCHEMA_PATH.read_text() == schema_text(), (
        "run python -m irsan.reports.formats.json_schema"
    )


def test_schema_refuses_unknown_members() -> None:
    run = json.loads(report_to_json(samples.report()))
    run["extra"] = 1
    assert not validator().is_valid(run)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "irsan-report/9"}, "expected a report with schema"),
        ({"seed": "x"}, "report.seed: expected a int"),
        ({"extra": 1}, "report: expected no such members"),
        ({"engine": "gpu"}, "report.engine: expected one of"),
        ({"findings": [{"id": "0"}]}, r"report.findings\[0\]: expected members"),
        ({"arguments": "a"}, "report.arguments: expected an array"),
        ({"arguments": "a" * 10**6}, r"report.arguments: expected an array, found 'a{199}\.\.\.$"),
        ({"timing": {"run_s": float("nan")}}, "report.timing.run_s: expected a finite number"),
        ({"timing": {"run_s": float("inf")}}, "report.timing.run_s: expected a finite number"),
    ],
)
def test_wrong_reports_are_refused(change: dict[str, Any], message: str) -> None:
    run = json.loads(report_to_json(samples.report())) | change
    with pytest.raises(ReportFormatError, match=message):
        json_to_report(json.dumps(run))


def test_text_that_is_not_json() -> None:
    with pytest.raises(ReportFormatError, match="not JSON"):
        json_to_report("==1==ERROR")


def test_every_member_is_documented() -> None:
    text = DOCS.read_text()
    schema = json.loads(SCHEMA_PATH.read_text())
    for name, definition in schema["$defs"].items():
        for member in definition.get("properties", {}):
            assert f"`{member}`" in text, f"{name}.{member} is not in {DOCS.name}"


def test_documented_sample_is_real() -> None:
    sample = DOCS.read_text().split("```json\n")[1].split("```")[0]
    report = json_to_report(sample)
    assert report_to_json(report) == sample
    validator().validate(json.loads(sample))
