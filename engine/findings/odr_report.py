"""Definitions that break the one-definition rule, found when the program was built, as findings.

Which of them meet is decided at the start: a library may be linked again, with other exports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from irsan.engine.linker.image_names import ImageNames
from irsan.engine.program_image.program import ProgramImage
from irsan.reports.model.report import Finding, GlobalDefinition, OdrPair

if TYPE_CHECKING:
    from irsan.instrument.globals.odr import Conflict, Definition

OFF, SIZES_ONLY = 0, 1  # levels of detect_odr_violation; from 2 on every pair counts


def conflicts_of(image: ProgramImage) -> list[Conflict]:
    """The conflicts in a program and its libraries."""
    if image.odr == "[]":  # nearly always, and what follows has to be imported
        return []
    from irsan.instrument.globals.odr import Definition, find_conflicts

    names = ImageNames(image.plan.names)
    copies = [
        [(number, Definition(*words)) for number, words in same] for same in json.loads(image.odr)
    ]
    return list(
        find_conflicts(
            copies, lambda name, number: names.own_symbol(name, image.plan.group_of(number))
        )
    )


def odr_findings(
    conflicts: Iterable[Conflict], level: int, symbols: Mapping[str, int], *, fatal: bool
) -> Iterator[Finding]:
    """The findings of a program.

    level      detect_odr_violation; fatal: whether the first one stops the program
    symbols    addresses by name: both definitions have become the one that was kept
    """
    for kept, other, symbol in conflicts if level > OFF else ():
        address = symbols.get(symbol, 0)
        first, second = _definition(kept, address), _definition(other, address)
        if level > SIZES_ONLY or first.size_bytes != second.size_bytes:
            yield Finding(
                tool="AddressSanitizer",
                kind="odr-violation",
                details=OdrPair(first, second),
                address=first.address,
                fatal=fatal,
            )


def _definition(one: Definition, address: int) -> GlobalDefinition:
    name, _strength, size_bytes, module, file, line = one
    return GlobalDefinition(name, address, size_bytes, file or module, line, module=module)
