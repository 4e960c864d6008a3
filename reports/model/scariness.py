"""How bad a memory error is, as one number with its reasons: the SCARINESS line.

    27 (4-byte-read-heap-buffer-overflow)      4 bytes: 6, read: 1, the kind: 10 and 10 for distance

Each reason adds its points; the names are joined by dashes.

Source: LLVM's asan_scariness_score.h and asan_errors.h for reasons and points.
"""

from __future__ import annotations

from typing import Final

from irsan.reports.model.report import (
    Finding,
    GlobalVariable,
    HeapRegion,
    SignalFacts,
)

_FAR_BYTES: Final = 4096
_GRANULE_BYTES: Final = 8
_POISON: Final = 0x80
_PAGE_BYTES: Final = 4096  # an address below: a null pointer with an offset
# kind: points, and what a read of dead memory adds
_ACCESS_KINDS: Final = {
    "heap-buffer-overflow": (10, 0),
    "heap-use-after-free": (20, 18),
    "stack-buffer-underflow": (25, 0),
    "stack-buffer-overflow": (25, 0),
    "initialization-order-fiasco": (1, 0),
    "stack-use-after-return": (30, 18),
    "use-after-poison": (20, 0),
    "container-overflow": (10, 0),
    "stack-use-after-scope": (10, 0),
    "global-buffer-overflow": (10, 0),
    "intra-object-overflow": (10, 0),
    "dynamic-stack-buffer-overflow": (25, 0),
}
_BOUNDED_KINDS: Final = (
    "heap-buffer-overflow",
    "stack-buffer-underflow",
    "stack-buffer-overflow",
    "global-buffer-overflow",
    "dynamic-stack-buffer-overflow",
)
_POINTS: Final = {"double-free": 42, "bad-free": 40}
_OTHER_POINTS: Final = 10
_SIGNAL_REASONS: Final = {"WRITE": (30, "wild-addr-write"), "READ": (20, "wild-addr-read")}

Reason = tuple[int, str]


def scariness(finding: Finding) -> str:
    """The score and its reasons, as they stand behind "SCARINESS: "."""
    reasons = _reasons(finding)
    return f"{sum(points for points, _ in reasons)} ({'-'.join(name for _, name in reasons)})"


def _reasons(finding: Finding) -> list[Reason]:
    if isinstance(finding.details, SignalFacts):
        return _signal_reasons(finding.details)
    known = _ACCESS_KINDS.get(finding.kind)
    if finding.access is not None and known is not None:
        return _access_reasons(finding, known)
    return [(_POINTS.get(finding.kind, _OTHER_POINTS), finding.kind)]


def _access_reasons(finding: Finding, known: tuple[int, int]) -> list[Reason]:
    access = finding.access
    assert access is not None
    points, bonus = known
    is_write = "write" in access.operation
    reasons = [*_size_reasons(access.size or 0), (20, "write") if is_write else (1, "read")]
    reasons.append((points + (0 if is_write else bonus), finding.kind))
    if _is_far(finding):
        reasons.append((10, "far-from-bounds"))
    return reasons


def _size_reasons(n_bytes: int) -> list[Reason]:
    if not n_bytes:
        return []
    if n_bytes < 10:
        return [(n_bytes + n_bytes // 2, f"{n_bytes}-byte")]
    return [(15, "multi-byte")]


def _is_far(finding: Finding) -> bool:
    """Whether poison lies on both sides of the bad byte; in live memory the distance decides."""
    if finding.kind not in _BOUNDED_KINDS:
        return False
    around = _shadow_around(finding)
    if around is not None and around[1] >= _POISON:
        return around[0] >= _POISON and around[2] >= _POISON
    return any(
        place.relation != "inside" and place.distance_bytes > _FAR_BYTES
        for place in finding.locations
        if isinstance(place, HeapRegion | GlobalVariable)
    )


def _shadow_around(finding: Finding) -> tuple[int, int, int] | None:
    """The shadow byte that gives the kind, with its neighbours."""
    if finding.shadow is None or finding.access is None or not finding.shadow.rows:
        return None
    raw = b"".join(row.shadow for row in finding.shadow.rows)
    at = (finding.shadow.culprit - finding.shadow.rows[0].address) // _GRANULE_BYTES
    if not 0 < at < len(raw) - 3:
        return None
    if not raw[at] and (finding.access.size or 0) > _GRANULE_BYTES:
        at += 1
    if 0 < raw[at] < _POISON:  # the last bytes of an object: what lies behind it decides
        at += 1
    return raw[at - 1], raw[at], raw[at + 1]


def _signal_reasons(facts: SignalFacts) -> list[Reason]:
    if facts.signal == "stack-overflow":
        return [(10, "stack-overflow")]
    if facts.signal != "SEGV":
        return [(10, "signal")]
    if facts.wild_jump:
        return [(60, "wild-jump")]
    if facts.address is not None and facts.address < _PAGE_BYTES:
        return [(10, "null-deref")]
    return [_SIGNAL_REASONS.get(facts.cause, (25, "wild-addr"))]
