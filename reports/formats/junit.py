"""JUnit XML, as Jenkins' schema has it: a run is a suite, each finding a failed test.

    testsuite    the program with its arguments; properties: seed, replay token, checks ...
      testcase   a finding: the failure has its sentence, and the whole report as its text
      testcase   where nothing was found, the run itself, which has passed

A test of its own for each finding, and not a failure beside others in one, since most readers show
the first failure only. Its name has the fingerprint, so that a service separates new from known.
Of a merged report each file is a suite, and one that could not be read an error.

A finding that rests on a heuristic, or that the baseline has, is skipped; a limit of irsan, and
what was cut, go to system-err: none of these fails the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.service_facts import cut_in_words, is_known, main_place
from irsan.reports.formats.xml_text import Element, document, element
from irsan.reports.model.report import MergedFile, Report, Tool
from irsan.reports.text.report import default_styles, format_finding
from irsan.reports.text.style import TextStyle

Styles = Mapping[Tool, TextStyle]
_CLASS: Final = "irsan"
_MAX_TIME_S: Final = 999_999.0


def report_to_junit(report: Report) -> str:
    """The whole document."""
    views = view_of(report).findings
    styles = default_styles(report)
    suites = [_suite_of_file(file, views, styles) for file in report.merged]
    suites = suites or [_suite_of_run(report, views, styles)]
    return document(element("testsuites", *suites, name=_CLASS))


def _suite_of_run(report: Report, views: Sequence[FindingView], styles: Styles) -> Element:
    cases = _cases(views, styles)
    run_s = f"{min(report.timing.run_s, _MAX_TIME_S):.3f}"
    limits = [f"irsan: limit: {v.message}" for v in views if v.finding.verdict == "limit"]
    told = "\n".join([*limits, *cut_in_words(report)])
    name = " ".join((report.program, *report.arguments))
    cases = cases or [_passed(report.program, run_s)]
    return _suite(name, [_properties(report), *cases], told, run_s)


def _suite_of_file(file: MergedFile, views: Sequence[FindingView], styles: Styles) -> Element:
    """The report of one process: its findings, also those that others have reported as well."""
    seen = [v for v in views if any(each.file == file.file for each in v.finding.seen)]
    cases = _cases(seen, styles)
    if file.problem:
        broken = element("error", message=file.problem, type="unreadable-report")
        cases.append(element("testcase", broken, name=file.file, classname=_CLASS))
    return _suite(file.file, cases or [_passed(file.program, "0.000")], "", "0.000")


def _suite(name: str, content: Sequence[Element], told: str, time: str) -> Element:
    return element(
        "testsuite",
        *content,
        *([element("system-err", told)] if told else []),
        name=name,
        tests=_count(content, "."),
        failures=_count(content, "failure"),
        errors=_count(content, "error"),
        skipped=_count(content, "skipped"),
        time=time,
    )


def _count(content: Sequence[Element], verdict: str) -> str:
    return str(sum(e.tag == "testcase" and e.find(verdict) is not None for e in content))


def _passed(program: str, time: str) -> Element:
    name = program.rpartition("/")[2] or "run"
    return element("testcase", name=name, classname=_CLASS, time=time)


def _cases(views: Sequence[FindingView], styles: Styles) -> list[Element]:
    told = (view for view in views if view.finding.verdict != "limit")
    return [_case(view, styles[view.finding.tool]) for view in told]


def _case(view: FindingView, style: TextStyle) -> Element:
    passes = view.finding.verdict == "heuristic" or is_known(view)
    verdict = "skipped" if passes else "failure"
    text = format_finding(view.finding, style)
    failure = element(verdict, text, message=view.message, type=view.rule.id)
    place = main_place(view)
    where = f"{place.function} {place.path}".strip()  # no line, which edits elsewhere change
    name = f"{view.rule.id} {where} [{view.id}]"
    return element("testcase", failure, name=name, classname=_CLASS)


def _properties(report: Report) -> Element:
    facts = {
        "engine": report.engine,
        "sanitize": ",".join(report.options.sanitize),
        "optimization": report.options.optimization,
        "seed": str(report.seed),
        "replay": report.schedule,
        "exit_status": str(report.exit_status),
    }
    return element("properties", *(element("property", name=n, value=v) for n, v in facts.items()))
