"""Errors that reach a user: one sentence each, with the documented exit status.

Findings about the guest program are never exceptions: they are values of
`irsan.reports.model.report`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_N_NAMED: Final = 10  # what fits a screen


class IrsanError(Exception):
    """Base of everything irsan says no with; `exit_status` is what the command returns."""

    exit_status = 70


class UsageError(IrsanError):
    """Bad input from the user: a file, a flag, a program that does not compile."""

    exit_status = 2


class UnsupportedError(IrsanError):
    """The guest program needs something irsan does not support; the message names it."""

    exit_status = 69


class OutputError(IrsanError):
    """What irsan was asked to write cannot be written; the message names the place."""

    exit_status = 74


class MissingSymbolsError(UnsupportedError):
    """The program uses names that neither it nor a library defines.

    wanted_by: by name, the place that needs it, as a reader would say it.
    """

    def __init__(self, wanted_by: Mapping[str, str]) -> None:
        self.wanted_by = dict(wanted_by)
        rows = [f"{name} (needed by {place})" for name, place in self.wanted_by.items()]
        more = f" and {len(rows) - _N_NAMED} more" if len(rows) > _N_NAMED else ""
        named = "; ".join(rows[:_N_NAMED])
        super().__init__(
            f"undefined symbols: {named}{more}; add the sources or the bitcode that define them"
        )

    def __reduce__(self) -> tuple[type[MissingSymbolsError], tuple[dict[str, str]]]:
        return MissingSymbolsError, (self.wanted_by,)  # an exception is pickled with its message


class InternalError(IrsanError):
    """irsan contradicts itself; the message says what to attach to a bug report."""

    exit_status = 70
