"""How schedules of an exploration ended, in words of one line."""

from __future__ import annotations

from typing import Final

from irsan.reports.model.exploration import FirstSeen, OutcomeFacts

MAX_OUTCOMES: Final = 20  # that a form for people shows
_ENDING_CHARS: Final = 60
_OUTPUT_CHARS: Final = 32


def words_of(first: FirstSeen) -> str:
    """A schedule in words."""
    return f"schedule {first.number} ({first.strategy})"


def outcome_words(outcome: OutcomeFacts) -> str:
    """How schedules ended and what they printed."""
    lines = outcome.output.splitlines()
    shown = _cut(next((line for line in lines if line.strip()), ""), _OUTPUT_CHARS)
    ending = _cut(" ".join(outcome.ending.split()), _ENDING_CHARS)
    return f"{ending}, prints {shown!r}" if shown else ending


def _cut(text: str, n_chars: int) -> str:
    return text if len(text) <= n_chars else f"{text[: n_chars - 3]}..."
