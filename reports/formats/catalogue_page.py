"""docs/findings.md: the catalogue for readers, with the anchors that rules' help links to.

python -m irsan.reports.formats.catalogue_page > docs/findings.md
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from irsan.reports.model.kinds import KINDS, Kind
from irsan.reports.model.rules import rule_of_kind

_INTRODUCTION: Final = """\
# Findings

What this is: every kind of finding, by the word that its SUMMARY line has, what to do about it, and
what turns it off (or on, where it is off by default): a flag, and the type of a line in a
suppression file.
When to read it: when a report has a word that you do not know.

Written by `python -m irsan.reports.formats.catalogue_page`; do not edit. `*` stands for a name. The
rule is what `--fail-on` takes and what other formats name it by; its level is `error`, `warning` or
`note`, the score behind it a security severity from 0 to 10. Types `interceptor_name`,
`interceptor_via_fun` and `interceptor_via_lib` hide what library functions find."""
_HEAD: Final = (
    "| Rule | Kind | Meaning | Level | CWE | What to do | Flag | Suppression |\n"
    "|---|---|---|---|---|---|---|---|"
)


def catalogue_page() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    for tool in dict.fromkeys(kind.tool for kind in KINDS):
        yield f"\n## {tool}\n\n{_HEAD}"
        yield from (_row(kind) for kind in KINDS if kind.tool == tool)


def _row(kind: Kind) -> str:
    rule = rule_of_kind(kind)
    cells = (
        f'<a id="{rule.anchor}"></a>`{rule.id}`',
        kind.text.replace("*", "\\*"),
        kind.meaning,
        f"{rule.level} {rule.score:g}",
        ", ".join(map(str, rule.cwe)),
        rule.fix,
        f"`{kind.flag}`" if kind.flag else "",
        f"`{kind.suppressed_by}`" if kind.suppressed_by else "",
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(catalogue_page(), end="")
