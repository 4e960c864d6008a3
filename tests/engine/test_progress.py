"""Progress: every few seconds where no terminal is, and nothing for what is short."""

from __future__ import annotations

import io
import time

from irsan.engine.progress import Progress

TICK_S = 0.05


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def waited_for(out: io.StringIO, text: str) -> bool:
    end = time.monotonic() + 20
    while text not in out.getvalue() and time.monotonic() < end:
        time.sleep(TICK_S / 5)
    return text in out.getvalue()


def test_long_phases_are_told_in_plain_lines() -> None:
    out = io.StringIO()
    progress = Progress(out, {}, every_s=TICK_S)
    progress("building it (once): 1 of 9")
    assert waited_for(out, "irsan: building it (once): 1 of 9, 0 s\n")
    progress("building it (once): 2 of 9")
    assert waited_for(out, "irsan: building it (once): 2 of 9, ")
    progress("")
    assert out.getvalue().endswith("irsan: done in 0 s\n")


def test_what_ends_at_once_is_not_told() -> None:
    out = io.StringIO()
    progress = Progress(out, {}, every_s=TICK_S)
    progress("building it (once)")
    progress("instrumenting a.c")
    time.sleep(2 * TICK_S)
    progress("")
    assert out.getvalue() == ""


def test_a_terminal_has_one_line() -> None:
    out = Terminal()
    progress = Progress(out, {})
    progress("instrumenting a.c")
    progress("")
    assert out.getvalue() == "\r\x1b[Kirsan: instrumenting a.c\r\x1b[K"


def test_ci_gets_plain_lines_on_a_terminal_too() -> None:
    out = Terminal()
    progress = Progress(out, {"CI": "true"}, every_s=TICK_S)
    progress("building it (once)")
    assert waited_for(out, "irsan: building it (once), 0 s\n")
    progress("")
