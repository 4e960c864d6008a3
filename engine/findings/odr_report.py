"""Definitions that break the one-definition rule, found when the program was built, as findings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from irsan.reports.model.report import Finding, GlobalDefinition, OdrPair

OFF, SIZES_ONLY = 0, 1  # levels of detect_odr_violation; from 2 on every pair counts


def odr_findings(
    conflicts: str, level: int, symbols: Mapping[str, int], *, fatal: bool
) -> Iterator[Finding]:
    """The findings of a program.

    conflicts  JSON text of `instrument.odr.Conflict`s
    level      detect_odr_violation; fatal: whether the first one stops the program
    symbols    addresses by name: both definitions have become the one that was kept
    """
    for kept, other in json.loads(conflicts) if level > OFF else ():
        first, second = (_definition(each, symbols) for each in (kept, other))
        if level > SIZES_ONLY or first.size_bytes != second.size_bytes:
            yield Finding(
                tool="AddressSanitizer",
                kind="odr-violation",
                details=OdrPair(first, second),
                address=first.address,
                fatal=fatal,
            )


def _definition(words: list[Any], symbols: Mapping[str, int]) -> GlobalDefinition:
    name, _strength, size_bytes, module, file, line = words
    address = symbols.get(name, 0)
    return GlobalDefinition(name, address, size_bytes, file or module, line, module=module)
