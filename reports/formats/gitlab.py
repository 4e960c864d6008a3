"""GitLab: a Code Quality report, and one of static application security testing (SAST).

    gitlab        shown beside the lines of a merge request, in every edition
    gitlab-sast   shown in the security tab and the vulnerability report

GitLab compares fingerprints with those of the target branch: new ones are shown as new.

Source: GitLab's documentation of Code Quality, and its schema of SAST reports, 15.2.1.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from irsan.reports.derived.places import Place
from irsan.reports.derived.steps import steps_of
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.json_layout import laid_out
from irsan.reports.formats.markdown import code, story
from irsan.reports.formats.service_facts import (
    cut_in_words,
    main_place,
    safe_path,
    severity,
    times_of,
    unique,
    version_of,
)
from irsan.reports.model.report import Report

SAST_VERSION: Final = "15.2.1"
MAX_NAME_CHARS: Final = 255
MAX_SOLUTION_CHARS: Final = 7000
MAX_FLOW_STEPS: Final = 100
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_OID, "irsan")
_QUALITY: Final[Mapping[str, str]] = {
    "critical": "blocker", "high": "critical", "medium": "major", "low": "minor",
}  # fmt: skip

Json = dict[str, Any]


def report_to_gitlab(report: Report) -> str:
    """The Code Quality report: an array of issues."""
    views = _findings(report)
    names = unique(view.id for view in views)
    issues = [_issue(view, name) for view, name in zip(views, names, strict=True)]
    return laid_out(issues) + "\n"


def report_to_gitlab_sast(report: Report) -> str:
    """The SAST report."""
    views = _findings(report)
    names = unique(view.id for view in views)
    found = [_vulnerability(v, name, report) for v, name in zip(views, names, strict=True)]
    value = {"version": SAST_VERSION, "scan": _scan(report), "vulnerabilities": found}
    return laid_out(value) + "\n"


def _findings(report: Report) -> list[FindingView]:
    return [view for view in view_of(report).findings if view.finding.verdict != "limit"]


def _scan(report: Report) -> Json:
    scanner = {
        "id": "irsan", "name": "irsan", "version": version_of(report), "vendor": {"name": "irsan"},
    }  # fmt: skip
    start, end = times_of(report)
    return {
        "analyzer": scanner, "scanner": scanner, "type": "sast", "status": "success",
        "start_time": _iso(start), "end_time": _iso(end), "messages": _messages(report),
    }  # fmt: skip


def _issue(view: FindingView, fingerprint: str) -> Json:
    others = [_quality_place(related.place) for related in view.related if related.place.path]
    return {
        "type": "issue",
        "categories": ["Bug Risk"],
        "check_name": view.rule.id,
        "description": view.message,
        "content": {"body": "\n".join(story(view))},
        "fingerprint": fingerprint,
        "severity": _QUALITY[severity(view)],
        "location": _quality_place(main_place(view)),
        "other_locations": others,
    }


def _quality_place(place: Place) -> Json:
    line = max(place.line, 1)
    return {"path": safe_path(place), "lines": {"begin": line, "end": line}}


def _vulnerability(view: FindingView, fingerprint: str, report: Report) -> Json:
    rule, place = view.rule, main_place(view)
    flow = _code_flow(view, report.root)
    line = max(place.line, 1)
    return {
        "id": str(uuid.uuid5(_NAMESPACE, fingerprint)),
        "name": rule.name[:MAX_NAME_CHARS],
        "description": "\n".join([code(view.message), "", *story(view)]),
        "severity": severity(view).capitalize(),
        "solution": view.help[:MAX_SOLUTION_CHARS],
        "identifiers": list(_identifiers(view)),
        "location": {
            "file": safe_path(place), "start_line": line, "end_line": line,
            **({"method": place.function} if place.function else {}),
        },
        "tracking": {"type": "source", "items": [_tracked(view, place)]},
        "flags": _flags(view),
        "details": {"steps": {"name": "What happened", **flow}} if flow else {},
    }  # fmt: skip


def _identifiers(view: FindingView) -> Iterator[Json]:
    """The rule, which is the primary identifier, then weaknesses."""
    slug = view.rule.id
    yield {"type": "irsan_rule", "name": f"irsan {slug}", "value": slug}
    for number in view.rule.cwe:
        yield {
            "type": "cwe", "name": f"CWE-{number}", "value": str(number),
            "url": f"https://cwe.mitre.org/data/definitions/{number}.html",
        }  # fmt: skip


def _tracked(view: FindingView, place: Place) -> Json:
    signatures = [{"algorithm": name, "value": v} for name, v in view.fingerprints.items()]
    line = max(place.line, 1)
    return {
        "file": safe_path(place), "start_line": line, "end_line": line, "signatures": signatures,
    }  # fmt: skip


def _flags(view: FindingView) -> list[Json]:
    if view.finding.verdict != "heuristic":
        return []
    why = "the finding rests on a heuristic"
    return [{"type": "flagged-as-likely-false-positive", "origin": "irsan", "description": why}]


def _code_flow(view: FindingView, root: str) -> Json:
    steps = steps_of(view.finding, root)
    places = [step.place for step in steps if step.place and step.place.path and step.place.line]
    last = len(places) - 1
    nodes = [
        {
            "type": "code-flow-node",
            "node_type": "sink" if at == last else "source" if at == 0 else "propagation",
            "file_location": {
                "type": "file-location", "file_name": safe_path(place),
                "line_start": place.line, "line_end": place.line,
            },
        }
        for at, place in enumerate(places)
    ][-MAX_FLOW_STEPS:]  # fmt: skip
    return {"type": "code-flows", "items": [nodes]} if nodes else {}


def _messages(report: Report) -> list[Json]:
    limits = (v for v in view_of(report).findings if v.finding.verdict == "limit")
    told = [*(f"limit: {view.message}" for view in limits), *cut_in_words(report)]
    return [{"level": "warn", "value": f"irsan: {text}"} for text in told]


def _iso(time: datetime) -> str:
    return time.replace(microsecond=0, tzinfo=None).isoformat()
