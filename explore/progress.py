"""How far an exploration is: a line that changes on a terminal, a line every few seconds else."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final, TextIO

from irsan.explore.exploration import Exploration
from irsan.explore.schedules import NO_END

_EVERY_S: Final = 5.0
_ON_TERMINAL_S: Final = 0.2


class ExplorationProgress:
    """Shows figures of an exploration while it goes on."""

    def __init__(
        self, stream: TextIO, environment: Mapping[str, str], n_schedules: int, name: str = ""
    ) -> None:
        """name: what stands in front of the figures."""
        self._stream, self._name = stream, name
        self._of_all = f" of {n_schedules:,}" if n_schedules < NO_END else ""
        self._rewrites = stream.isatty() and not environment.get("CI")
        self._every_s = _ON_TERMINAL_S if self._rewrites else _EVERY_S
        self._started_s = self._shown_s = 0.0
        self._has_shown = False

    def __call__(self, result: Exploration) -> None:
        """Show the figures, if the last ones are old enough."""
        now_s = time.monotonic()
        if not self._started_s:
            self._started_s = self._shown_s = now_s
        if not result.n_schedules or now_s - self._shown_s < self._every_s:
            return
        self._shown_s, self._has_shown = now_s, True
        text = f"irsan: {self._name}{self._words(result, now_s)}"
        self._stream.write(f"\r\x1b[K{text}" if self._rewrites else f"{text}\n")
        self._stream.flush()

    def end(self) -> None:
        """Clear the line."""
        if self._rewrites and self._has_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _words(self, result: Exploration, now_s: float) -> str:
        rate = result.n_schedules / max(now_s - self._started_s, 1e-9)
        return (
            f"{result.n_schedules:,}{self._of_all} schedules, {rate:.0f} per second, "
            f"{len(result.interleavings):,} interleavings, {len(result.found):,} findings, "
            f"{len(result.outcomes):,} outcomes"
        )
