"""How far an exploration is: a table that changes on a terminal, a line every few seconds else."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TextIO

from irsan.explore.exploration import Exploration
from irsan.explore.schedules import NO_END

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

_EVERY_S: Final = 5.0
_ON_TERMINAL_S: Final = 0.2
_RECENT: Final = 25  # looks that the rate is taken over: five seconds on a terminal


class ExplorationProgress:
    """Shows figures of an exploration while it goes on.

    Nothing is shown of one that ends before the first figures are due.
    """

    def __init__(
        self,
        stream: TextIO,
        environment: Mapping[str, str],
        n_schedules: int,
        name: str = "",
        *,
        is_alone: bool = True,
    ) -> None:
        """name: what stands in front of the figures;  is_alone: no other one shows its own."""
        self._stream, self._name = stream, name
        self._of_all = f" of {n_schedules:,}" if n_schedules < NO_END else ""
        self._changes = (
            is_alone and stream.isatty() and not environment.get("CI")
            and environment.get("TERM") != "dumb"
        )  # fmt: skip
        self._every_s = _ON_TERMINAL_S if self._changes else _EVERY_S
        self._looks: deque[tuple[float, int]] = deque(maxlen=_RECENT)  # time, schedules so far
        self._live: Live | None = None

    def __call__(self, result: Exploration) -> None:
        """Show the figures, if the last ones are old enough."""
        now_s = time.monotonic()
        if not self._looks:
            self._looks.append((now_s, result.n_schedules))
        if not result.n_schedules or now_s - self._looks[-1][0] < self._every_s:
            return
        self._looks.append((now_s, result.n_schedules))
        if self._changes:
            self._draw(result)
        else:
            self._stream.write(f"irsan: {self._name}{self._words(result)}\n")
            self._stream.flush()

    def end(self) -> None:
        """Clear what changes."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw(self, result: Exploration) -> None:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._stream, force_terminal=True)
            # No thread of its own draws: processes are forked meanwhile.
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(self._table(result), refresh=True)

    def _table(self, result: Exploration) -> Table:
        """Figures of all, and a row for each strategy."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        made = Table(
            title=Text(f"irsan: {self._name}{self._words(result)}"), title_justify="left",
            title_style="", box=SIMPLE_HEAD, pad_edge=False,
        )  # fmt: skip
        made.add_column("strategy")
        for head in ("schedules", "interleavings", "findings first"):
            made.add_column(head, justify="right")
        for name, tally in sorted(result.tallies.items()):
            figures = (tally.n_schedules, len(tally.interleavings), tally.n_findings)
            made.add_row(name, *(f"{figure:,}" for figure in figures))
        return made

    def _words(self, result: Exploration) -> str:
        (began_s, before), (now_s, now) = self._looks[0], self._looks[-1]
        rate = (now - before) / max(now_s - began_s, 1e-9)
        return (
            f"{result.n_schedules:,}{self._of_all} schedules, {rate:.0f} per second, "
            f"{len(result.interleavings):,} interleavings, {len(result.found):,} findings, "
            f"{len(result.outcomes):,} outcomes"
        )
