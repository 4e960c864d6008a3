"""What the source calls the globals and functions of a program, read when a report asks.

A big program has tens of thousands, and most runs have no report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

SourceName: TypeAlias = tuple[str, str, int]  # name, file, line; parts that are not known are empty


class SourceNames:
    """Names by linkage name, that of a function with `()` behind it."""

    def __init__(self, *first: Callable[[], Mapping[str, SourceName]]) -> None:
        self._first = first

    @cached_property
    def known(self) -> dict[str, SourceName]:
        """All there are; of two with one linkage name the later."""
        return {symbol: name for read in self._first for symbol, name in read().items()}

    def add(self, more: Mapping[str, SourceName]) -> None:
        """Know what the program has opened."""
        self.known.update(more)
