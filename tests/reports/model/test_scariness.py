"""Scores of findings: points and reasons by kind, size, direction and distance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irsan.reports.model.report import (
    Access,
    Finding,
    HeapRegion,
    ShadowDump,
    ShadowRow,
    SignalFacts,
    SizeMismatch,
)
from irsan.reports.model.scariness import scariness


def access(kind: str, operation: str, size: int, distance: int = 0) -> Finding:
    place = HeapRegion(100, "after", distance, 10, 20)
    return Finding(
        tool="AddressSanitizer",
        kind=kind,
        thread="T0",
        access=Access(operation, size, 100, "T0"),  # type: ignore[arg-type]
        locations=(place,),
    )


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (access("heap-buffer-overflow", "read", 1), "12 (1-byte-read-heap-buffer-overflow)"),
        (access("heap-use-after-free", "read", 4), "45 (4-byte-read-heap-use-after-free)"),
        (access("use-after-poison", "read", 4), "27 (4-byte-read-use-after-poison)"),
        (access("stack-use-after-scope", "read", 4), "17 (4-byte-read-stack-use-after-scope)"),
        (access("stack-use-after-return", "read", 1), "50 (1-byte-read-stack-use-after-return)"),
        (access("container-overflow", "read", 1, 9999), "12 (1-byte-read-container-overflow)"),
        (access("heap-use-after-free", "write", 4), "46 (4-byte-write-heap-use-after-free)"),
        (
            access("heap-buffer-overflow", "write", 100),
            "45 (multi-byte-write-heap-buffer-overflow)",
        ),
        (
            access("heap-buffer-overflow", "read", 1, 99_984),
            "22 (1-byte-read-heap-buffer-overflow-far-from-bounds)",
        ),
        (Finding("AddressSanitizer", "double-free", "T0"), "42 (double-free)"),
        (Finding("AddressSanitizer", "bad-free", "T0"), "40 (bad-free)"),
        (Finding("AddressSanitizer", "negative-size-param", "T0"), "10 (negative-size-param)"),
        (
            Finding(
                "AddressSanitizer", "new-delete-type-mismatch", "T0", details=SizeMismatch(8, 4)
            ),
            "10 (new-delete-type-mismatch)",
        ),
    ],
)
def test_points_and_reasons(finding: Finding, text: str) -> None:
    assert scariness(finding) == text


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (SignalFacts("SEGV", 8, "READ"), "10 (null-deref)"),
        (SignalFacts("SEGV", 4095, "READ"), "10 (null-deref)"),
        (SignalFacts("SEGV", 4096, "READ"), "20 (wild-addr-read)"),
        (SignalFacts("SEGV", 1 << 40, "WRITE"), "30 (wild-addr-write)"),
        (SignalFacts("SEGV", None, "UNKNOWN"), "25 (wild-addr)"),
        (SignalFacts("SEGV", 1 << 40, "READ", wild_jump=True), "60 (wild-jump)"),
        (SignalFacts("stack-overflow", 1 << 30, "READ"), "10 (stack-overflow)"),
        (SignalFacts("FPE"), "10 (signal)"),
    ],
)
def test_signals(facts: SignalFacts, text: str) -> None:
    finding = Finding("AddressSanitizer", facts.signal, "T0", details=facts)
    assert scariness(finding) == text


@pytest.mark.parametrize(
    ("marks", "size", "is_far"),
    [
        ("00 fa fa", 1, False),
        ("fa fa fa", 1, True),
        ("fa fa 00", 1, False),
        ("00 04 fa fa", 4, False),  # the bytes behind a partial granule: what follows it tells
        ("fa 04 fa fa", 1, False),
        ("00 00 fa fa", 16, False),
    ],
)
def test_poison_on_both_sides_is_far_from_the_bounds(marks: str, size: int, is_far: bool) -> None:
    shadow = b"\0\0" + bytes.fromhex(marks) + b"\0\0\0\0"
    dump = ShadowDump(0x1000 + 3 * 8, (ShadowRow(0x1000, shadow),))
    found = replace(access("heap-buffer-overflow", "read", size), shadow=dump)
    assert scariness(found).endswith("far-from-bounds)") == is_far
    freed = replace(access("heap-use-after-free", "read", size), shadow=dump)
    assert "far" not in scariness(freed)
