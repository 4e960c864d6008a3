"""Any string in any field renders safely in every format: valid, inert, bounded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from irsan.reports.formats.json_report import report_to_json
from irsan.reports.model.report import Report
from irsan.reports.renderers import renderer, renderer_names
from tests.reports import samples
from tests.reports.explained import explained
from tests.reports.strategies import values

MARK = "EVIL"
PIECES = (
    "\x1b[31m", "\x9b2J", "\x07", "\x00", "\x08", "\u202e", "\u2066", "\u200f", "\u2028", "\ufffe",
    "\ud800", "\udcff", "\r\n", "\n", "\t", "]]>", "<script>", "</code>", "</details>", "<!--",
    "&", "&amp;", "&#0;", '"', "'", "\\", "`", "```", "~~~", "|", "[x](http://e)", "![i](//e)",
    "<http://e>", "http://e", "www.e.com", "@everyone", "#1", "**", "__", "$x$", "# ", "- ",
    "\n\n# ", "::error::", "\n::error file=x::", "::stop-commands::t", "##[error]", "%0A::error::",
    "%", ",", ":", "../../etc/", "/etc/passwd", "file:///", "javascript:", "C:\\", "//host/",
    "_ZN1a1bE", "_Z", "_R", "{", "}", "%n", "%s",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from((*PIECES, MARK, "a", " ")), max_size=6).map("".join) | st.text()
FORMATS = [name for name in renderer_names() if name != "json"]
MAX_CHARS_OF_A_FINDING = 1_500_000
_PAGE_TAGS = {
    "h3", "p", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
    "ul", "li", "strong",
}  # fmt: skip


class _Tags(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= set(attrs)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def check_text(_text: str, _report: Report) -> None:
    """Nothing beside what holds for all."""


def check_json(text: str, _report: Report) -> None:
    json.loads(text, parse_constant=no_constant)


def check_sarif(text: str, _report: Report) -> None:
    log = json.loads(text, parse_constant=no_constant)
    for name, value in members(log):
        if name == "uri":
            assert not re.search(r"(^|/)\.\.(/|$)|^//|^[a-z]+:(?!///[^/]|///$)", value), value
            assert value.isascii() and not set(value) & set(' <>"\\^`{|}'), value
        if name == "text":
            assert "](" not in value
        if name in ("startLine", "startColumn", "endColumn"):
            assert 0 < value < 2**31


def members(value: Any) -> Iterator[tuple[str, Any]]:
    """Name and value of every member, at any depth."""
    for name, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield str(name), each
        if isinstance(each, dict | list):
            yield from members(each)


def check_xml(text: str, _report: Report) -> None:
    ElementTree.fromstring(text)


def check_junit(text: str, report: Report) -> None:
    root = ElementTree.fromstring(text)
    n_bugs = sum(f.verdict == "bug" and f.baseline in ("", "new") for f in report.findings)
    assert report.merged or len(root.findall(".//failure")) == n_bugs


def check_github(text: str, report: Report) -> None:
    assert "##[" not in text
    commands = [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == len(report.findings) + bool(report.cut)
    for command in commands:
        assert re.fullmatch(
            r"::(error|warning|notice) ((file|line|col|endColumn|title)=[^:,]*,?)+::.*", command
        )


def check_markdown(text: str, _report: Report) -> None:
    page = _Tags()
    page.feed(MarkdownIt("commonmark").enable("table").render(text))
    assert page.tags <= _PAGE_TAGS
    assert page.attributes <= {("class", "language-text")}
    outside = re.sub(r"<code>[^<]*</code>", "", "\n".join(_outside_fences(text)))
    assert MARK not in outside
    assert "@" not in outside and "http" not in outside


def _outside_fences(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif found := re.match(r"(`{3,})text$", line):
            fence = found[1]
        else:
            yield line


class _Page(HTMLParser):
    """What a browser would act on: elements, their attributes, and text outside of scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        assert tag not in ("iframe", "object", "img", "link", "base", "embed", "style-x")
        self.attributes += [(name, value or "") for name, value in attrs]


def check_html(text: str, report: Report) -> None:
    page = _Page()
    page.feed(text)
    page.close()
    assert page.scripts == 1
    for name, value in page.attributes:
        assert not name.startswith("on") and name not in ("style", "src")
        assert name != "href" or value == "#findings"
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert text.count('<details class="finding"') == len(report.findings)


CHECKS: dict[str, Callable[[str, Report], None]] = {
    "text": check_text,
    "sarif": check_sarif,
    "junit": check_junit,
    "html": check_html,
    "github": check_github,
    "gitlab": check_json,
    "gitlab-sast": check_json,
    "valgrind-xml": check_xml,
    "markdown": check_markdown,
    "perfetto": check_json,
}


def check(name: str, report: Report) -> str:
    text = renderer(name)(report)
    bad = {c for c in text if not c.isprintable()} - {"\n", "\t"}
    assert not bad, bad
    text.encode("utf-8")
    CHECKS[name](text, report)
    return text


def test_every_format_is_checked() -> None:
    assert set(CHECKS) >= set(FORMATS)


@given(values(Report, HOSTILE))
@settings(
    max_examples=60, deadline=None, suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # a report shrinks for minutes
)  # fmt: skip
def test_any_report_renders_safely(report: Report) -> None:
    for name in CHECKS:
        check(name, report)
    json.loads(report_to_json(report))


def with_text(value: Any, text: str) -> Any:
    """The value with `text` as every string that is not one of a few words."""
    if isinstance(value, tuple):
        return tuple(with_text(each, text) for each in value)
    if not is_dataclass(value):
        return value
    changed: dict[str, Any] = {}
    for field in fields(value):
        before = getattr(value, field.name)
        is_free = isinstance(before, str) and str(field.type).startswith("str")
        changed[field.name] = text if is_free else with_text(before, text)
    return replace(value, **changed)  # type: ignore[type-var]


@lru_cache(maxsize=2)
def hostile_samples(text: str) -> Report:
    findings = map(explained, samples.EVERYTHING.values())
    return with_text(samples.report(*findings), text)  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize(
    "piece", ["\n::error::" + MARK, "</code><script>" + MARK, "`" * 9 + "\n@x"]
)
def test_every_kind_renders_safely(name: str, piece: str) -> None:
    report = hostile_samples(piece)
    for finding in report.findings[:: 1 if name == "github" else len(report.findings)]:
        check(name, replace(report, findings=(finding,)))
    check(name, replace(report, findings=report.findings[:9]))


@pytest.mark.parametrize("name", CHECKS)
def test_names_of_ten_megabytes_are_cut(name: str) -> None:
    (finding,) = samples.report(explained(samples.RACES["race-global"])).findings
    report = with_text(samples.report(finding), "A" * 10_000_000)
    assert len(check(name, report)) < MAX_CHARS_OF_A_FINDING
