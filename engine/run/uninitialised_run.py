"""What `--sanitize memory` needs before the program starts: its ranges, its words, its routines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irsan.runtime import arena
from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.uninit_routines import CHECKED


def start_uninitialised(
    sanitizers: frozenset[str], flags: Flags, routines: Sequence[dict[str, Any]]
) -> None:
    """Reserve shadow and origins if asked to, and pass the kernels what flags ask for."""
    if "memory" not in sanitizers:
        return
    arena.reserve(arena.Range("memory shadow", ul.RESERVED_LO, ul.RESERVED_BYTES))
    view = flags.tool("msan")
    zeroes = view.get_bool("poison_heap_with_zeroes")
    words = {
        ul.IS_ON: 1,
        ul.POISONS_MALLOC: view.get_bool("poison_in_malloc") and not zeroes,
        ul.POISONS_FREE: view.get_bool("poison_in_free") and not zeroes,
        ul.POISONS_DESTROYED: view.get_bool("poison_in_dtor"),
        ul.POISONS_STACK: not view.get_bool("poison_stack_with_zeroes"),
        ul.REPORTS: view.get_bool("report_umrs"),
        ul.MAX_STEPS: max(view.get_int("origin_history_size"), 1),
    }
    for addr, word in words.items():
        arena.view_words(addr, 1)[0] = int(word)
    table = arena.view_bytes(ul.CHECKED_ROUTINES, len(routines) + 1)
    for row in routines:
        table[row["number"]] = row["name"] in CHECKED

