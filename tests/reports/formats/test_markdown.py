"""Markdown: short, and nothing of a program's own is markup."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from irsan.reports.formats.markdown import MAX_CHARS, code, fenced
from irsan.reports.renderers import renderer
from tests.reports import samples


@pytest.mark.parametrize(
    "text", ["<b>x</b>", "a`b``c", "*x* _y_ ~~z~~", "[x](http://e)", "a|b", "@me #1", r"\*", "&lt;"]
)
def test_code_stays_the_text_that_it_is(text: str) -> None:
    page = MarkdownIt("commonmark").enable("table").render(f"| a |\n|---|\n| {code(text)} |\n")
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<td><code>{shown}</code></td>" in page


def test_a_fence_is_longer_than_any_in_it() -> None:
    assert fenced("a\n````\nb") == ["`````text", "a", "````", "b", "`````"]
    assert fenced("a")[0] == "```text"


def test_a_report_is_a_table_and_details() -> None:
    report = replace(samples.report(samples.RACES["race-heap"]), root="/src")
    text = renderer("markdown")(report)
    assert text.startswith("### irsan: 1 finding in <code>a.c</code>\n")
    page = MarkdownIt("commonmark").enable("table").render(text)
    assert "<li><code>previous read by thread T1 (worker)</code>: <code>a.c:7:5</code></li>" in page
    assert "WARNING: ThreadSanitizer: data race" in page
    assert page.count("<details>") == page.count("</details>") == 1
    assert "<code>irsan replay r7 a.c one two words</code>" in page


def test_a_clean_run_says_so() -> None:
    text = renderer("markdown")(samples.report())
    assert text.strip() == "### irsan: no findings in <code>a.c</code>"


def test_it_fits_a_comment_and_counts_what_does_not() -> None:
    text = renderer("markdown")(samples.report(*[samples.RACES["race-global"]] * 300))
    assert len(text) <= MAX_CHARS
    assert "| | and 200 more | |" in text
    n_unfolded = text.count("<details>")
    assert 0 < n_unfolded < 100
    assert f"{300 - n_unfolded} reports are left out here." in text
