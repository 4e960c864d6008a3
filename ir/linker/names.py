"""Names of local symbols: of those that others have, the later one gets `.N`.

Symbols that other modules may mean keep their names always.
"""

from __future__ import annotations

from collections.abc import Iterable

from irsan.ir.values import GlobalValue


def rename_locals(kept: Iterable[GlobalValue], local: frozenset[GlobalValue]) -> None:
    """Makes the names of all `kept` values differ; only those in `local` may change."""
    values = list(kept)
    taken = {value.name for value in values if value not in local}
    used = {value.name for value in values}
    next_suffix: dict[str, int] = {}
    for value in values:
        if value not in local or not value.name:
            continue
        if value.name in taken:
            value.name = _free_name(value.name, used, next_suffix)
            used.add(value.name)
        taken.add(value.name)


def _free_name(name: str, used: set[str], next_suffix: dict[str, int]) -> str:
    suffix = next_suffix.get(name, 0)
    while f"{name}.{suffix}" in used:
        suffix += 1
    next_suffix[name] = suffix + 1
    return f"{name}.{suffix}"
