"""A finding for every kind of the catalogue: a sample where there is one, else a plain one."""

from __future__ import annotations

from functools import lru_cache

from irsan.reports.model.details import UndefinedCheck
from irsan.reports.model.kinds import KINDS, Kind, find_kind
from irsan.reports.model.report import Access, Finding
from tests.reports import samples
from tests.reports.explained import explained

_NAMES = {"*-param-overlap": "memcpy", "race on *": "Document"}


@lru_cache(maxsize=1)
def findings_of_catalogue() -> dict[str, Finding]:
    """By tool and kind, in the order of the catalogue; a limit of irsan comes last."""
    shown: dict[tuple[str, str], Finding] = {}
    for finding in samples.EVERYTHING.values():
        kind = find_kind(finding.tool, finding.kind)
        if kind is not None:
            shown.setdefault((kind.tool, kind.text), explained(finding))
    found = {f"{k.tool} {k.text}": shown.get((k.tool, k.text)) or _plain(k) for k in KINDS}
    return {**found, "limit": samples.OTHERS["limit"]}


def _plain(kind: Kind) -> Finding:
    """What a small program would show: one stack, and the details that its text needs."""
    text = kind.text.replace("*", _NAMES.get(kind.text, "name"))
    details = UndefinedCheck(kind.meaning, text) if kind.tool.startswith("Undefined") else None
    access = Access("write", 4, samples.HEAP) if kind.tool == "AddressSanitizer" else None
    return Finding(
        kind.tool, text, access=access, details=details, fatal=False,
        stacks=(samples.access(samples.own("f", 7), samples.own("main", 9)),),
    )  # fmt: skip
