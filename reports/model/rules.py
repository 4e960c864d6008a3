"""Rules: the catalogue's kinds as code hosts, viewers and gates name them.

`rule_of(finding)` is what a renderer asks; `RULES` are all there are. The id is stable: it never
changes once it was released.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from irsan.reports.model.kinds import KINDS, Kind, find_kind
from irsan.reports.model.report import Finding, Tool
from irsan.reports.model.rule_facts import Level, rule_facts

DOCUMENTATION_PAGE: Final = "docs/findings.md"
LEVELS: Final[tuple[Level, ...]] = ("note", "warning", "error")

# Kinds whose words make no good id, or one that another tool has.
_IDS: Final[Mapping[tuple[str, str], str]] = {
    ("ThreadSanitizer", "heap-use-after-free"): "tsan/heap-use-after-free",
    ("ThreadSanitizer", "heap-use-after-free (virtual call vs free)"):
        "tsan/heap-use-after-free-virtual-call",
    ("ThreadSanitizer", "race on *"): "race-on-object",
    ("ThreadSanitizer", "join of *"): "invalid-join",
    ("AddressSanitizer", "bad-__sanitizer_annotate_*"): "bad-container-annotation",
    ("AddressSanitizer", "bad-__sanitizer_get_allocated_size"): "bad-get-allocated-size",
    ("GWP-ASan", "Invalid (Wild) Free"): "gwp-asan/invalid-free",
}  # fmt: skip


class Rule(NamedTuple):
    """One rule.

    id        `heap-use-after-free`, `gwp-asan/use-after-free`: lower case, dashes
    name      the kind as its tool words it
    meaning   what it is, no capital and no full stop: "access to a heap block that was freed"
    fix       what to do about it, whole sentences
    cwe       weakness numbers, the nearest first
    level     `error`, `warning` or `note`
    score     security severity, 0.0 to 10.0
    anchor    of its section in docs/findings.md
    """

    id: str
    tool: str
    name: str
    meaning: str
    fix: str
    cwe: tuple[int, ...]
    level: Level
    score: float

    @property
    def anchor(self) -> str:
        """Anchor in docs/findings.md."""
        return self.id.replace("/", "-")

    @property
    def help(self) -> str:
        """Meaning, advice and where to read on, as plain text."""
        meaning = f"{self.meaning[:1].upper()}{self.meaning[1:]}."
        return f"{meaning} {self.fix} See {DOCUMENTATION_PAGE}#{self.anchor}."

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags as code hosts read them: `security`, `external/cwe/cwe-416`."""
        numbers = tuple(f"external/cwe/cwe-{number}" for number in self.cwe)
        return ("security", *numbers) if self.score else numbers


def rule_id(tool: str, kind: str) -> str:
    """The id of a kind of the catalogue, or a plain one for any other words."""
    given = _IDS.get((tool, kind))
    if given:
        return given
    words = re.sub(r"\(.*?\)|\*", " ", kind).lower()
    slug = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:80].rstrip("-") or "unknown"
    return f"gwp-asan/{slug}" if tool == "GWP-ASan" else slug


def rule_of_kind(kind: Kind) -> Rule:
    """The rule of a row of the catalogue."""
    return _rule(kind.tool, kind.text, kind.meaning)


def rule_of(finding: Finding) -> Rule:
    """The rule of a finding; a limit of irsan's own has the rule `limit`."""
    return _rule_of(finding.tool, finding.kind, finding.verdict == "limit")


def level_of(finding: Finding) -> Level:
    """Severity of a finding: that of its rule, less for a heuristic, least for a limit."""
    if finding.verdict == "limit":
        return "note"
    level = rule_of(finding).level
    return "warning" if finding.verdict == "heuristic" and level == "error" else level


@lru_cache(maxsize=1024)
def _rule_of(tool: Tool, kind: str, is_limit: bool) -> Rule:
    if is_limit:
        fix = "The report says what irsan cannot do here, and what to do instead."
        return Rule("limit", tool, "limit", "something that irsan cannot check", fix, (), "note", 0)
    found = find_kind(tool, kind)
    if found is not None:
        return rule_of_kind(found)
    return _rule(tool, kind, "a finding of another version of irsan")


def _rule(tool: str, kind: str, meaning: str) -> Rule:
    facts = rule_facts(tool, kind)
    return Rule(
        rule_id(tool, kind), tool, kind, meaning, facts.fix, facts.cwe, facts.level, facts.score
    )


RULES: Final = tuple(rule_of_kind(kind) for kind in KINDS)
