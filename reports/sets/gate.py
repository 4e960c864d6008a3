"""Which findings fail a pipeline: --fail-on, --baseline and verdicts decide.

    --fail-on data-race,error   rules by id, or levels: error; warning and above; note and above
    any, none                   whatever the level; nothing at all

Without --fail-on every finding fails that is the program's fault, whatever its level. A finding
that the baseline has, or that a verdict lets pass, never fails.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from irsan.errors import UsageError
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.model.report import BaselineState, Finding, Report
from irsan.reports.model.rules import LEVELS, RULES, level_of, rule_of
from irsan.reports.sets.compare import Comparison, compare

ANY: Final = "any"
NONE: Final = "none"
_IDS: Final = frozenset(rule.id for rule in RULES) | {"limit"}


@dataclass(frozen=True, slots=True)
class FailOn:
    """What --fail-on names; with no words, every finding that is the program's fault."""

    words: tuple[str, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> FailOn:
        """From a list with commas. Raises UsageError for a word that is no rule and no level."""
        words = tuple(word.strip() for word in text.split(",") if word.strip())
        for word in words:
            _require_word(word)
        return cls(words)

    def matches(self, finding: Finding) -> bool:
        """Whether a finding fails the run."""
        if not self.words:
            return finding.verdict == "bug"
        return any(self._word_matches(word, finding) for word in self.words)

    @staticmethod
    def _word_matches(word: str, finding: Finding) -> bool:
        if word in LEVELS:
            return LEVELS.index(level_of(finding)) >= LEVELS.index(word)
        return word == ANY or word == rule_of(finding).id


def _require_word(word: str) -> None:
    known = {*_IDS, *LEVELS, ANY, NONE}
    if word in known:
        return
    near = difflib.get_close_matches(word, sorted(known), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UsageError(
        f"--fail-on: unknown {word!r}{hint} (a rule of docs/findings.md, {', '.join(LEVELS)}, "
        f"{ANY} or {NONE})"
    )


def compared_with(report: Report, baseline: Report) -> tuple[Report, Comparison]:
    """The report with each finding's state against a baseline, and the comparison itself."""
    views = view_of(report).findings
    found = compare(view_of(baseline).findings, views, same_file=True)
    states: dict[int, BaselineState] = {view.number: "new" for view in found.new}
    for pair in found.kept:
        states[pair.new.number] = "updated" if pair.is_moved else "unchanged"
    findings = tuple(
        replace(finding, baseline=states[number])
        for number, finding in enumerate(report.findings)
    )  # fmt: skip
    return replace(report, findings=findings), found


def failing(findings: Iterable[Finding], fail_on: FailOn) -> tuple[Finding, ...]:
    """The findings that fail the run: not in the baseline, and named by --fail-on."""
    return tuple(f for f in findings if f.baseline in ("", "new") and fail_on.matches(f))


def failing_views(views: Sequence[FindingView], fail_on: FailOn) -> tuple[FindingView, ...]:
    """Views of the findings that --fail-on names."""
    return tuple(view for view in views if fail_on.matches(view.finding))
