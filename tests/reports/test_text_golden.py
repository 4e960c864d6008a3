"""Text of every kind against checked-in goldens. IRSAN_BLESS=1 rewrites them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.reports.model.report import SuppressionUse
from irsan.reports.text.leak import format_leaks
from irsan.reports.text.report import format_finding, format_run
from irsan.reports.text.style import TextStyle
from tests.reports import samples

GOLDEN = Path(__file__).parent / "golden"
STYLE = TextStyle(pid=4242, command=("a.c", "one"), schedule="r7")


def check(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("IRSAN_BLESS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()


@pytest.mark.parametrize("name", [*samples.MEMORY, *samples.RACES, *samples.OTHERS])
def test_kind(name: str) -> None:
    check(name, format_finding(samples.EVERYTHING[name], STYLE))


def test_leaks() -> None:
    used = (SuppressionUse("LeakSanitizer", "leak", "g", 2, 30),)
    style = TextStyle(pid=4242, report_objects=True, max_leaks=2)
    check("leaks-plain", format_leaks(samples.LEAKS, STYLE))
    check("leaks-options", format_leaks(samples.LEAKS, style, used))


def test_options_of_memory_reports() -> None:
    style = TextStyle(
        pid=1,
        print_legend=False,
        print_summary=False,
        dedup_token_length=2,
        strip_path_prefix="/src/",
        symbolize_vs_style=True,
    )
    check("options-memory", format_finding(samples.MEMORY["heap-use-after-free"], style))
    raw = TextStyle(pid=1, symbolize=False, print_legend=False)
    check("options-raw", format_finding(samples.MEMORY["heap-buffer-overflow"], raw))


def test_compat_race() -> None:
    style = TextStyle(pid=4242, report_style="compat")
    check("compat-race", format_finding(samples.RACES["race-heap"], style))


def test_colour() -> None:
    style = TextStyle(pid=4242, color=True)
    check("colour-memory", format_finding(samples.MEMORY["heap-use-after-free"], style))


def test_undefined_options() -> None:
    style = TextStyle(print_stacktrace=True, report_error_type=True)
    check("undefined-stack", format_finding(samples.OTHERS["undefined"], style))


def test_run() -> None:
    findings = (*samples.LEAKS, samples.RACES["race-heap"], samples.MEMORY["double-free"])
    check("run", format_run(samples.report(*findings)))
