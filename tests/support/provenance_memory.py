"""The ranges of `--sanitize provenance`, reserved once in a test process and emptied at will."""

from __future__ import annotations

from irsan.engine.run.provenance_run import start_provenance
from irsan.runtime import arena
from irsan.runtime.records.memory import provenance_records as pr

_RESERVED: list[bool] = []


def empty_provenance_memory() -> None:
    """Nothing is known of any pointer or object, and the kernels follow them."""
    if not _RESERVED:
        start_provenance(frozenset({"provenance"}))
        _RESERVED.append(True)
    arena.discard(pr.SLOTS, pr.RESERVED_BYTES)
    arena.view_words(pr.IS_ON, 1)[0] = 1
