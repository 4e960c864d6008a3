"""What a terminal, a browser or a parser may be given."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from irsan.reports.derived.outcomes import outcome_words
from irsan.reports.model.exploration import Exploration, FirstSeen, OutcomeFacts
from irsan.reports.model.report import Frame, Report, Timing
from irsan.reports.printable import MAX_TEXT_CHARS, cleaned, printable, printable_lines
from tests.reports import samples


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 文", "plain é 文"),
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("evil\u202etxt.c", r"evil\u202etxt.c"),
        ("half \ud800 and byte \udcff", r"half \ud800 and byte \xff"),
        ("\x00\x7f\x9b\ufffe", r"\x00\x7f\x9b\ufffe"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_long_text_is_cut_and_says_so() -> None:
    assert printable("a" * (MAX_TEXT_CHARS + 5)) == "a" * MAX_TEXT_CHARS + "... (5 more characters)"


def test_lines_keep_their_ends_and_tabs() -> None:
    assert printable_lines("a\n\tb\x1b\n") == "a\n\tb\\x1b\n"


def test_a_report_is_cleaned_everywhere_and_else_the_same() -> None:
    report = samples.report(samples.MEMORY["heap-use-after-free"])
    assert cleaned(report) is report
    frame = Frame("f\x1b", "/src/a\u202e.c", line=-3, column=2**40, pc=-1)
    (finding,) = report.findings
    stack = replace(finding.stacks[0], frames=(frame,), subject=-7)
    hostile = replace(
        report,
        timing=Timing(run_s=math.nan),
        findings=(replace(finding, stacks=(stack,)),),
    )
    clean = cleaned(hostile)
    assert clean.timing.run_s == 0
    assert clean.findings[0].stacks[0].subject == 0
    assert clean.findings[0].stacks[0].frames[0] == Frame(r"f\x1b", r"/src/a\u202e.c")


def test_what_a_program_has_printed_keeps_its_lines() -> None:
    first = FirstSeen("pos\x1b", 3, "1-3")
    outcome = OutcomeFacts("exit\nstatus 0", 0, "d", "balance \x1b40\nmore\n", 1, first)
    made = cleaned(Report("a.c", exploration=Exploration(1, 1, outcomes=(outcome,)))).exploration
    assert made is not None
    (clean,) = made.outcomes
    assert clean.output == "balance \\x1b40\nmore\n"
    assert (clean.ending, clean.first.strategy) == (r"exit\nstatus 0", r"pos\x1b")
    assert outcome_words(clean).endswith(r"prints 'balance \\x1b40'")
