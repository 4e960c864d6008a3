"""What the calendar says when a run begins: a date, the host's own time, or drawn from the seed."""

from __future__ import annotations

import time
from collections.abc import Collection
from datetime import datetime, timezone
from typing import Final

from irsan.engine.options import DEFAULT_START_S
from irsan.errors import UsageError
from irsan.runtime.layout.inject_words import CLOCK
from irsan.runtime.seeding import seed_to_rng_words

LAST_START_S: Final = 7_258_118_400  # 2200-01-01: times of a run fit into 64 bits of nanoseconds
_DRAWN_FROM_S: Final = 86_400  # 1970-01-02: before 1970 in no zone
_DRAWN_TO_S: Final = 4_102_444_800  # 2100-01-01
_SALT: Final = 0x5EED_C10C


def parse_clock_start(text: str, seed: int) -> int:
    """Seconds since 1970 of `2024-02-29`, `2024-02-29T23:59:59`, `now` or `seed`; "" the default.

    A date without a zone is UTC.  Raises UsageError for anything else.
    """
    if not text:
        return DEFAULT_START_S
    if text == "now":
        return int(time.time())
    if text == "seed":
        drawn = seed_to_rng_words(seed ^ _SALT)[0]
        return _DRAWN_FROM_S + drawn % (_DRAWN_TO_S - _DRAWN_FROM_S)
    try:
        start_s = _seconds(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        start_s = -1
    if not 0 <= start_s <= LAST_START_S:
        raise UsageError(
            f"--clock: {text!r} is no start of the clock; write a date from 1970 to 2199, as"
            " 2024-02-29 or 2024-02-29T23:59:59, or now, or seed"
        )
    return start_s


def clock_of(text: str, injected: Collection[str], seed: int) -> int:
    """The same; drawn from the seed when that is among the failures that are injected."""
    return parse_clock_start("seed" if CLOCK in injected else text, seed)


def _seconds(found: datetime) -> int:
    return int((found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp())
