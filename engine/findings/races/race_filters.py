"""Which findings of the race detector the flags of TSAN_OPTIONS leave out."""

from __future__ import annotations

import re

from irsan.reports.model.kinds import find_kind
from irsan.reports.model.report import Access, Finding
from irsan.runtime.flags.flags import FlagView

_REPORT_FLAG = re.compile(r"report_\w+")
_FREED = "heap-use-after-free"


class RaceFilter:
    """Which races of one run are reported; remembers the addresses of those that were."""

    def __init__(self, flags: FlagView) -> None:
        self._flags = flags
        self._told: list[tuple[int, int]] = []

    def hides(self, finding: Finding) -> bool:
        """Whether a flag leaves a finding out; if not, its address counts as reported from now
        on.
        """
        flags = self._flags
        if not all(map(flags.get_bool, _flags_of(finding.kind))):
            return True
        if finding.access is None:
            return False
        if not flags.get_bool("report_atomic_races") and _is_atomic_race(finding):
            return True
        if flags.get_bool("suppress_equal_addresses"):
            return self._is_told_at(finding.access)
        return False

    def _is_told_at(self, access: Access) -> bool:
        lo, hi = access.address, access.address + access.size
        if any(lo < end and start < hi for start, end in self._told):
            return True
        self._told.append((lo, hi))
        return False


def _is_atomic_race(finding: Finding) -> bool:
    """Whether an atomic access races; a race with free is more than that."""
    sides = (finding.access, finding.previous_access)
    is_atomic = any(side is not None and side.operation.startswith("atomic") for side in sides)
    return is_atomic and not finding.kind.startswith(_FREED)


def _flags_of(kind: str) -> frozenset[str]:
    """Flags that must all be on for a finding of this kind to be reported."""
    known = find_kind("ThreadSanitizer", kind)
    return frozenset(("report_bugs", *_REPORT_FLAG.findall(known.flag if known else "")))
