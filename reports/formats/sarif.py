"""SARIF 2.1.0: code scanning of GitHub and GitLab, viewers in editors, sarif-tools.

    run
      tool.driver.rules      the kinds that were found: help, CWE tags, severity
      results                a finding: its place, other places, a code flow, its stacks
      invocations            the command, how it ended, and what was cut or not supported
      automationDetails.id   separates runs of other programs

A code flow has a thread flow for each thread; `executionOrder` counts over all of them.
Objects are plain: the published schema checks them in tests, which a library of classes would not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from irsan.reports.derived.places import thread_words
from irsan.reports.derived.steps import steps_of
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.sarif_limits import (
    MAX_FLOW_LOCATIONS,
    MAX_LOCATIONS,
    MAX_NOTIFICATIONS,
    MAX_RESULTS,
    MAX_STACK_FRAMES,
    MAX_TAGS,
    fitted,
)
from irsan.reports.formats.sarif_locations import (
    ROOT_BASE,
    Json,
    location_of,
    message,
    stack_of,
    thread_flows,
)
from irsan.reports.formats.service_facts import cut_in_words, main_place, times_of, version_of
from irsan.reports.formats.uris import path_uri
from irsan.reports.model.report import Report
from irsan.reports.model.rules import Rule

SCHEMA_URI: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
GITHUB_FINGERPRINT: Final = "primaryLocationLineHash"
_PROBLEMS: Final[Mapping[str, str]] = {
    "error": "error", "warning": "warning", "note": "recommendation",
}  # fmt: skip


def report_to_sarif(report: Report) -> str:
    """One log with one run, inside of the limits of the big services."""
    view = view_of(report)
    found = [each for each in view.findings if each.finding.verdict != "limit"]
    kept = _most_severe(found)
    rules = {each.rule.id: each.rule for each in kept}
    numbers = {name: number for number, name in enumerate(rules)}
    notes = _notifications(report, view.findings)
    if len(kept) < len(found):
        n_left = len(found) - len(kept)
        told = f"{n_left} of {len(found)} results are left out: services take {MAX_RESULTS}"
        notes.insert(0, _notification(told))
    notes += [_notification(text) for text in _cut_inside(kept)]
    run = {
        "tool": {"driver": _driver(report, rules.values())},
        "automationDetails": {"id": f"irsan/{_category(report)}/"},
        "originalUriBaseIds": {ROOT_BASE: _root(report)},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, view.command, notes)],
        "results": [_result(each, numbers[each.rule.id], report) for each in kept],
    }
    log = {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}
    return fitted(log, lambda text: notes.insert(0, _notification(text)))


def _most_severe(found: Sequence[FindingView]) -> Sequence[FindingView]:
    """The worst first where some must go; else as they were found."""
    if len(found) <= MAX_RESULTS:
        return found
    return sorted(found, key=lambda each: -each.rule.score)[:MAX_RESULTS]


def _cut_inside(kept: Sequence[FindingView]) -> Iterator[str]:
    """What single results have more of than services keep."""
    n_frames = sum(
        any(len(stack.frames) > MAX_STACK_FRAMES for stack in each.finding.stacks) for each in kept
    )
    if n_frames:
        yield f"{n_frames} results have stacks of which the outer frames are left out"
    n_places = sum(len(each.finding.stacks) >= MAX_LOCATIONS for each in kept)
    if n_places:
        yield f"{n_places} results have more than {MAX_LOCATIONS} places, which are left out"


def _driver(report: Report, rules: Iterable[Rule]) -> Json:
    version = version_of(report)
    return {
        "name": "irsan",
        "fullName": f"irsan {version}",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: Rule) -> Json:
    return {
        "id": rule.id,
        "name": rule_name(rule.id),
        "shortDescription": message(_sentence(rule.name)),
        "fullDescription": message(_sentence(rule.meaning)),
        "help": message(rule.help),
        "defaultConfiguration": {"level": rule.level},
        "properties": {
            "precision": "very-high",
            "problem.severity": _PROBLEMS[rule.level],
            "tags": ["correctness", *rule.tags][:MAX_TAGS],
            **({"security-severity": f"{rule.score:.1f}"} if rule.score else {}),
        },
    }


def rule_name(rule_id: str) -> str:
    """HeapUseAfterFree of heap-use-after-free; another word than the id, which readers ask for."""
    words = rule_id.replace("/", "-").split("-")
    name = "".join(word.capitalize() for word in words)
    return name if len(words) > 1 else f"{name}Finding"


def _sentence(text: str) -> str:
    capital = text[:1].upper() + text[1:]
    return capital if capital.endswith(".") else f"{capital}."


def _result(each: FindingView, rule_number: int, report: Report) -> Json:
    finding = each.finding
    steps = steps_of(finding, report.root)
    related = [place for place in each.related if place.place.path][: MAX_LOCATIONS - 1]
    result: Json = {
        "ruleId": each.rule.id,
        "ruleIndex": rule_number,
        "level": each.level,
        "message": message(_sentence(each.message)),
        "locations": [location_of(main_place(each))],
        "relatedLocations": [
            {"id": number, **location_of(place.place, _sentence(place.words))}
            for number, place in enumerate(related, 1)
        ],
        "partialFingerprints": _fingerprints(each),
        "occurrenceCount": max(each.n_seen, 1),
        **({"baselineState": finding.baseline} if finding.baseline else {}),
        "stacks": [
            stack_of(step.stack, _sentence(step.words), report.root, MAX_STACK_FRAMES)
            for step in reversed(steps)
        ],
        "properties": {
            "tool": finding.tool, "thread": finding.thread, "replay": each.replay,
            **({"hints": list(finding.hints)} if finding.hints else {}),
        },
    }  # fmt: skip
    if steps:
        names = {step.thread: thread_words(finding, step.thread) for step in steps}
        steps = steps[-MAX_FLOW_LOCATIONS:]
        places = [location_of(step.place, _sentence(step.words)) for step in steps]
        result["codeFlows"] = [{"threadFlows": thread_flows(steps, places, names)}]
    return result


def _fingerprints(each: FindingView) -> Json:
    """All names of a finding; where its line has none for GitHub, irsan's exact one."""
    return {GITHUB_FINGERPRINT: f"{each.id}:1", **each.fingerprints}


def _category(report: Report) -> str:
    """Of one program with one set of checks: a later run takes the place of an earlier one."""
    name = report.program.rpartition("/")[2]
    return f"{name}/{'+'.join(report.options.sanitize)}"


def _root(report: Report) -> Json:
    told = message("The folder that paths are relative to: the checkout.")
    return {**({"uri": f"{path_uri(report.root)}/"} if report.root else {}), "description": told}


def _invocation(report: Report, command: Sequence[str], notes: list[Json]) -> Json:
    start, end = times_of(report)
    is_known = bool(report.timing.started)
    return {
        "executionSuccessful": True,
        "exitCode": report.exit_status,
        "commandLine": " ".join(command),
        "arguments": list(command[1:]),
        **({"startTimeUtc": _utc(start), "endTimeUtc": _utc(end)} if is_known else {}),
        "toolExecutionNotifications": notes,
        "properties": {
            "engine": report.engine, "seed": report.seed, "replay": report.schedule,
            "sanitize": list(report.options.sanitize), "optimization": report.options.optimization,
            "compiler": report.build.compiler, "llvm": report.build.llvm,
        },
    }  # fmt: skip


def _utc(time: datetime) -> str:
    return time.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _notifications(report: Report, views: Sequence[FindingView]) -> list[Json]:
    """What irsan could not do, and what the report had left out already."""
    limits = dict.fromkeys(
        f"irsan cannot check this: {each.message}" for each in views
        if each.finding.verdict == "limit"
    )  # fmt: skip
    return [_notification(text) for text in [*cut_in_words(report), *limits][:MAX_NOTIFICATIONS]]


def _notification(text: str) -> Json:
    return {"level": "warning", "message": message(_sentence(text))}
