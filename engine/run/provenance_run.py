"""What `--sanitize provenance` needs before the program starts: its ranges, and the word for it."""

from __future__ import annotations

from irsan.runtime import arena
from irsan.runtime.records.memory import provenance_records as pr


def start_provenance(sanitizers: frozenset[str]) -> None:
    """Reserve slots and objects if asked to, and have the heap announce its blocks."""
    if "provenance" not in sanitizers:
        return
    arena.reserve(arena.Range("pointer slots and objects", pr.SLOTS, pr.RESERVED_BYTES))
    arena.view_words(pr.IS_ON, 1)[0] = 1
