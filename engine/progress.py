"""What irsan is doing while a user waits: a line that changes on a terminal, else plain lines.

    progress("instrumenting a.c")                        shown on a terminal only
    progress("building the runtime (once ...)")          also elsewhere: after a second, then every
                                                         five, with the seconds so far
    progress("")                                         nothing any more

A phase is printed everywhere when its text says that it happens once; all others are short.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from typing import Final, TextIO

FIRST_AFTER_S: Final = 1.0
EVERY_S: Final = 5.0
_ONCE: Final = "(once"


class Progress:
    """Shows one phase at a time. It has a thread only while a long phase runs."""

    def __init__(
        self, stream: TextIO, environment: Mapping[str, str], every_s: float = EVERY_S
    ) -> None:
        self._stream, self._every_s = stream, every_s
        self._rewrites = stream.isatty() and not environment.get("CI")
        self._text = ""
        self._started = 0.0
        self._is_told = False
        self._end = threading.Event()
        self._teller: threading.Thread | None = None

    def __call__(self, text: str) -> None:
        """A new phase, another figure of the same one, or "" for none."""
        is_same = bool(text) and text.partition(_ONCE)[0] == self._text.partition(_ONCE)[0]
        is_nothing_new = not text and not self._text
        self._text = text
        if is_nothing_new:
            return
        if self._rewrites:
            self._stream.write(f"\r\x1b[K{'irsan: ' if text else ''}{text}")
            self._stream.flush()
            return
        if is_same and self._teller is not None:
            return
        self._stop()
        if _ONCE in text:
            self._start()

    def _start(self) -> None:
        self._started, self._is_told = time.monotonic(), False
        self._end.clear()
        self._teller = threading.Thread(target=self._tell, daemon=True)
        self._teller.start()

    def _stop(self) -> None:
        if self._teller is None:
            return
        self._end.set()
        self._teller.join()
        self._teller = None
        if self._is_told:
            self._say(f"done in {time.monotonic() - self._started:.0f} s")

    def _tell(self) -> None:
        wait_s = min(FIRST_AFTER_S, self._every_s)
        while not self._end.wait(wait_s):
            self._say(f"{self._text}, {time.monotonic() - self._started:.0f} s")
            self._is_told, wait_s = True, self._every_s

    def _say(self, text: str) -> None:
        self._stream.write(f"irsan: {text}\n")
        self._stream.flush()


def standard_progress(environment: Mapping[str, str]) -> Progress:
    """Progress on standard error."""
    return Progress(sys.stderr, environment)
