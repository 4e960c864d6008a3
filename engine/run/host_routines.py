"""Python routines behind `Export(host=...)`, by routine number."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irsan.errors import InternalError
from irsan.interceptors.registry import HOST_FAMILIES

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine, Outcome

Routine = Callable[["Machine", Sequence[int]], "int | Outcome"]


def host_routines(routines: Sequence[Mapping[str, Any]]) -> dict[int, Routine]:
    """Routine number -> function, for every export that a host family serves."""
    functions: dict[str, Routine] = {}
    for family in HOST_FAMILIES:
        functions.update(importlib.import_module(f"irsan.interceptors.{family}").ROUTINES)
    found = {}
    for row in routines:
        if not row["host"]:
            continue
        if row["host"] not in functions:
            raise InternalError(f"no host routine serves {row['name']}")
        found[int(row["number"])] = functions[row["host"]]
    return found
