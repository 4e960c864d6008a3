"""Rules: one for every kind, by a stable id."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.reports.formats.catalogue_page import catalogue_page
from irsan.reports.model.rules import LEVELS, RULES, Rule, level_of, rule_of
from tests.reports import samples

PAGE = Path(__file__).parents[3] / "docs" / "findings.md"


def test_ids_are_unique_and_of_one_form() -> None:
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids) == len({rule.anchor for rule in RULES})
    assert all(re.fullmatch(r"([a-z-]+/)?[a-z][a-z0-9-]{1,60}", each) for each in ids)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_says_what_to_do(rule: Rule) -> None:
    assert rule.level in LEVELS
    assert 0 <= rule.score <= 10
    assert rule.fix.endswith(".") and "no advice" not in rule.fix
    assert rule.cwe or rule.level == "note"
    assert len(rule.tags) <= 10
    assert f'<a id="{rule.anchor}"></a>' in PAGE.read_text()


def test_findings_have_rules() -> None:
    ids = {name: rule_of(finding).id for name, finding in samples.EVERYTHING.items()}
    assert ids["race-heap"] == "data-race"
    assert ids["guarded"] == "gwp-asan/use-after-free"
    assert ids["limit"] == "limit"
    assert rule_of(replace(samples.RACES["race-heap"], kind="\x1b[31m<b>")).id == "31m-b"


def test_levels() -> None:
    assert level_of(samples.RACES["race-heap"]) == "error"
    assert level_of(samples.RACES["race-heuristic"]) == "warning"
    assert level_of(samples.OTHERS["limit"]) == "note"


def test_the_page_is_what_the_catalogue_says() -> None:
    assert PAGE.read_text() == catalogue_page()
