"""What a release needs: one version in all places, and a changelog that has it."""

from __future__ import annotations

import re

import irsan
from tests.meta.house import ROOT

_SECTION = re.compile(r"^## \[([^\]]+)\](?: - \d{4}-\d{2}-\d{2})?$", re.MULTILINE)
_GROUPS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_is_the_same_in_all_places() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{irsan.__version__}"\n' in project


def test_the_changelog_has_unreleased_and_this_version_on_top() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert not re.search(r"^(<{7}|={7}|>{7})", text, re.MULTILINE)  # of a merge
    sections = _SECTION.findall(text)
    assert sections[0] == "Unreleased"
    assert sections[1] == irsan.__version__.partition(".dev")[0] or ".dev" in irsan.__version__
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= _GROUPS
