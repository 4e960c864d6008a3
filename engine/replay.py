"""The replay token: all that decides a run's schedule, in one short word.

    1-7-O1-alt-3f2a9c01                version - seed - optimisation level - sanitizers - program
    1-7-O1-alt-c1700000000-3f2a9c01    the same; the clock started at that second since 1970
    1-7-O1-alt-sround_robin-3f2a9c01   the same under another scheduler than the random one
    1-7-O1-alt-spct.3.2s-3f2a9c01      a scheduler with its words, in base 36
    1-7-O1-alt-im7ie-3f2a9c01          with failures that are injected: injected_words.py

Sanitizers are the first letters of their names, sorted.  The last field is the start of the
program's hash, so that a replay of a changed program is said to be one.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from irsan.engine.injected_words import TOKEN, from_token, to_token
from irsan.engine.options import DEFAULT_SCHEDULER, DEFAULT_START_S, SANITIZERS, RunOptions
from irsan.engine.start_of_clock import LAST_START_S
from irsan.errors import UsageError
from irsan.runtime.layout.options import SCHEDULERS

_LETTERS = {name[0]: name for name in SANITIZERS}
_TOKEN = re.compile(
    r"1-(\d{1,20})-O([0-3])-([a-z]+)-(?:c(\d{1,10})-)?(?:s([a-z_]+(?:\.[0-9a-z]{1,13})*)-)?"
    rf"(?:i({TOKEN})-)?([0-9a-f]{{8}})\Z", re.ASCII
)
HASH_DIGITS = 8
_SEED_LIMIT = _WORD_LIMIT = 1 << 64
_DIGITS = string.digits + string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class ReplayToken:
    """What a token says."""

    seed: int
    opt_level: int
    sanitize: frozenset[str]
    program_hash: str
    clock_s: int = DEFAULT_START_S
    scheduler: str = DEFAULT_SCHEDULER
    scheduler_words: tuple[int, ...] = ()
    inject: tuple[str, ...] = ()

    def __str__(self) -> str:
        letters = "".join(sorted(name[0] for name in self.sanitize))
        clock = "" if self.clock_s == DEFAULT_START_S else f"c{self.clock_s}-"
        words = ".".join([self.scheduler, *map(_in_base_36, self.scheduler_words)])
        way = "" if words == DEFAULT_SCHEDULER else f"s{words}-"
        failures = to_token(self.inject)
        way += f"i{failures}-" if failures else ""
        return f"1-{self.seed}-O{self.opt_level}-{letters}-{clock}{way}{self.program_hash}"


def replay_token(options: RunOptions, program_hash: str) -> ReplayToken:
    """The token of a run of the program with this hash."""
    return ReplayToken(
        options.seed, options.opt_level, options.sanitize, program_hash[:HASH_DIGITS],
        options.clock_s, options.scheduler, options.scheduler_words, options.inject,
    )  # fmt: skip


def parse_replay_token(text: str) -> ReplayToken:
    """Read a token; UsageError when it is not one."""
    match = _TOKEN.match(text)
    scheduler, *words = ((match and match.group(5)) or DEFAULT_SCHEDULER).split(".")
    if (
        match is None
        or any(letter not in _LETTERS for letter in match.group(3))
        or int(match.group(1)) >= _SEED_LIMIT
        or scheduler not in SCHEDULERS
        or any(int(word, 36) >= _WORD_LIMIT for word in words)
    ):
        raise UsageError(
            f"{text!r} is not a replay token; copy the one in the report's `replay:` line"
        )
    names = frozenset(_LETTERS[letter] for letter in match.group(3))
    clock_s = int(match.group(4) or DEFAULT_START_S)
    return ReplayToken(
        int(match.group(1)), int(match.group(2)), names, match.group(7),
        min(clock_s, LAST_START_S), scheduler, tuple(int(word, 36) for word in words),
        from_token(match.group(6) or ""),
    )  # fmt: skip


def _in_base_36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
