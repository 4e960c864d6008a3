"""The HTML page: what it tells, that it needs nothing else, and that a browser shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.reports.derived.places import Place
from irsan.reports.derived.sources import Sources
from irsan.reports.html.page import html_page, source_lines
from irsan.reports.model.report import Report, SourceExcerpt
from tests.reports import samples

BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-quic",
)  # fmt: skip


def page_of(*findings: str) -> str:
    return html_page(samples.report(*(samples.EVERYTHING[name] for name in findings)))


def test_a_race_is_told_with_both_accesses_and_the_reason() -> None:
    finding = samples.RACES["race-global"]
    assert finding.access is not None
    alone = replace(finding, access=replace(finding.access, mutexes=()))
    page = html_page(samples.report(alone))
    assert "Why nothing orders the two accesses" in page
    assert "The two accesses, and what led to them" in page
    assert re.search(r'<pre class="replay"[^>]*>irsan replay ', page)


def test_source_is_shown_with_the_column_marked() -> None:
    excerpt = SourceExcerpt("/src/a.c", 8, ("int f(int *p) {", "\treturn p[4];", "}"))
    place = Place("a.c", 9, 9, 13, file="/src/a.c")
    before, marked, after = source_lines(place, Sources.of_report([excerpt]))
    assert (before.number, after.number) == (8, 10)
    assert (marked.before, marked.marked, marked.behind) == ("\treturn ", "p[4]", ";")
    assert marked.is_place and not before.is_place


def test_the_page_asks_for_nothing_else() -> None:
    page = page_of(*samples.EVERYTHING)
    assert not re.search(r"""(src|href|action)=["'](?!#)""", page)
    assert "http" not in re.sub(r"http-equiv", "", page)


def test_a_clean_run_says_so() -> None:
    page = html_page(replace(samples.report(), findings=()))
    assert "Nothing was found" in page and 'role="search"' not in page


def test_findings_with_one_cause_stand_together() -> None:
    finding = samples.RACES["race-global"]
    page = html_page(samples.report(finding, finding))
    assert "2 findings with one cause" in page


def loaded(report: Report, folder: Path) -> str:
    """The page as the browser has it after its script has run."""
    path = folder / "page.html"
    path.write_text(html_page(report), encoding="utf-8")
    command = [str(BROWSER), *SWITCHES, f"--user-data-dir={folder / 'user'}", "--dump-dom"]
    answer = subprocess.run(
        [*command, path.as_uri()], capture_output=True, text=True, timeout=120, check=False
    )
    return answer.stdout


@pytest.mark.skipif(BROWSER is None, reason="no chromium on this machine")
def test_a_browser_runs_the_script_under_the_policy(tmp_path: Path) -> None:
    report = samples.report(*[samples.RACES["race-global"]] * 1000)
    dom = loaded(report, tmp_path)
    assert dom.count('class="finding"') == 1000
    assert dom.count('<script type="text/html">') == 1000  # none is built before it is opened
    form = re.search(r"<form[^>]*>", dom)
    assert form is not None and "hidden" not in form[0]  # the script has shown it
