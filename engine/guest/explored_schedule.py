"""A schedule that is explored: what it is given, and what it leaves behind.

    before it runs   strategy, words and seed go into the Context; again in each fork of a guest
                     that was started but has not run yet
    behind it        its switches, its events, the threads' shares of these
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from irsan.errors import UsageError
from irsan.runtime.layout.explore_words import (
    EVENT_BYTES,
    EVENTS,
    GOES_ON,
    MAX_EVENTS,
    MAX_REST,
    MAX_SWITCHES,
    REST_WORDS,
    SWITCHES,
    TOUCHES,
)
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.memory_map import CONTEXT_ADDR
from irsan.runtime.layout.options import FIRST_EXPLORING, SCHEDULER, SCHEDULERS
from irsan.runtime.records.context import CONTEXT_DTYPE
from irsan.runtime.records.explore_records import EXPLORE_DTYPE, MAX_SITES
from irsan.runtime.records.threads.thread_records import creation_of
from irsan.runtime.seeding import seed_to_rng_words

STRATEGIES: Final = SCHEDULERS[FIRST_EXPLORING:]
DEFAULT_DEPTH: Final = 3
DEFAULT_LENGTH: Final = 1000
MAX_STEPS: Final = 1 << 20  # points after which a schedule makes no progress
_TRYING: Final = frozenset(
    f"pthread_{name}" for name in (
        "mutex_trylock", "mutex_timedlock", "mutex_clocklock", "spin_trylock",
        "rwlock_tryrdlock", "rwlock_trywrlock", "rwlock_timedrdlock", "rwlock_timedwrlock",
        "rwlock_clockrdlock", "rwlock_clockwrlock",
    )
) | {"mtx_trylock", "mtx_timedlock"}  # fmt: skip
_SCRIPT: Final = "script"
_FIXED: Final = 3  # depth, length, number of sites
_CHANGED: Final = (
    (CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, "explore"), EXPLORE_DTYPE.itemsize),
    (CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, "turns.attention"), 8),
)


@dataclass(frozen=True, slots=True)
class ScheduleWords:
    """What a strategy is given beside the seed (runtime/layout/explore_words.py)."""

    depth: int = DEFAULT_DEPTH
    length: int = DEFAULT_LENGTH
    sites: tuple[int, ...] = ()
    rest: tuple[int, ...] = ()

    def as_words(self) -> tuple[int, ...]:
        """As they stand in RunOptions and in a replay token."""
        return (self.depth, self.length, len(self.sites), *self.sites, *self.rest)

    @classmethod
    def from_words(cls, words: Sequence[int]) -> ScheduleWords:
        """Read words; none at all means the defaults. Raises UsageError for impossible ones."""
        if not words:
            return cls()
        depth, length, n_sites = (*words, 0, 0)[:_FIXED]
        sites = tuple(words[_FIXED : _FIXED + n_sites])
        rest = tuple(words[_FIXED + n_sites :])
        if len(sites) < n_sites or n_sites > MAX_SITES or len(rest) > MAX_REST:
            raise UsageError("the replay token's words are no schedule: copy the whole token")
        return cls(depth, length, sites, rest)


def may_try_locks(called: Collection[str]) -> bool:
    """Whether a program that calls these functions may try to lock, and see that it cannot."""
    return not _TRYING.isdisjoint(called)


def begin_schedule(
    machine: Any, seed: int, scheduler: str, words: Sequence[int], *,
    has_tries: bool = False, is_traced: bool = False,
) -> None:
    """Set the program's draws, the scheduler and its words, before the guest runs.

    has_tries: the program may try to lock (`may_try_locks`);  is_traced: its events are left
    """
    ctx = machine.ctx
    for index, word in enumerate(seed_to_rng_words(seed)):
        ctx["schedule"]["rng"][index] = word
    ctx["options"][SCHEDULER] = SCHEDULERS.index(scheduler)
    if scheduler not in STRATEGIES:
        return
    given, explore = ScheduleWords.from_words(words), ctx["explore"]
    explore["limit"], explore["has_tries"] = MAX_STEPS, has_tries
    explore["is_tracing"] = is_traced
    explore["rng"], draw = seed_to_rng_words(~seed)[:2]
    explore["behind"] = 0 if scheduler == _SCRIPT and not given.depth else draw | 1
    explore["depth"], explore["length"] = given.depth, given.length
    explore["n_sites"], explore["n_rest"] = len(given.sites), len(given.rest)
    for index, site in enumerate(given.sites):
        explore["sites"][index] = site
    raw = b"".join(word.to_bytes(8, "little") for word in given.rest)
    ctypes.memmove(REST_WORDS, raw, len(raw))
    machine.runtime.kernel("begin_exploring")


class Unchosen:
    """What a choice changes that the next one does not, as it is while nothing is chosen."""

    def __init__(self) -> None:
        self._before = [(addr, ctypes.string_at(addr, n)) for addr, n in _CHANGED]

    def restore(self) -> None:
        """Nothing is chosen."""
        for addr, raw in self._before:
            ctypes.memmove(addr, raw, len(raw))


def switches_of(ctx: Any) -> tuple[int, ...]:
    """The switches of a schedule that has run, step and slot in turns: a script's rest."""
    n_words = 2 * min(int(ctx["explore"]["n_switches"]), MAX_SWITCHES)
    return tuple((ctypes.c_uint32 * n_words).from_address(SWITCHES))


@dataclass(frozen=True, slots=True)
class Event:
    """A row of EVENTS: what a thread did.

    tid: its number in reports;  kind: READS, WRITES, ... of runtime/layout/explore_words.py
    touched: an address, 0 for none;  ready: bits, by tid, of the threads that could go on
    step: points so far;  slot: the thread's place, by which a script names it
    """

    tid: int
    kind: int
    site: int
    touched: int
    ready: int = 0
    step: int = 0
    slot: int = 0


def events_of(ctx: Any, limit: int = MAX_EVENTS) -> list[Event]:
    """The events of a schedule that was traced, in their order; of a very long one its first."""
    n_rows = min(int(ctx["explore"]["n_events"]), limit)
    return events_in(ctypes.string_at(EVENTS, n_rows * EVENT_BYTES))


def events_in(rows: bytes) -> list[Event]:
    """Rows of EVENTS."""
    words = memoryview(rows).cast("Q")
    return [
        Event(
            word & 0xFFFF, word >> 16 & 0xFFFF, word >> 32, touched, ready,
            step & 0xFFFF_FFFF, step >> 32,
        )
        for word, touched, ready, step in zip(*(words[n::4] for n in range(4)), strict=True)
    ]  # fmt: skip


def shares_of(events: Iterable[Event], sites: Sequence[int] = ()) -> tuple[int, ...]:
    """By thread number, its events and those of all threads that it makes: rest of urw and surw.

    sites: only events there count; () for all.
    """
    counts = Counter(
        event.tid for event in events
        if event.kind not in (TOUCHES, GOES_ON) and (not sites or event.site in sites)
    )  # fmt: skip
    shares = [counts[tid] for tid in range(max(counts, default=-1) + 1)]
    for tid in range(len(shares) - 1, 0, -1):  # a thread is made before those that it makes
        creation = creation_of(tid)
        if creation is not None:
            shares[creation[0]] += shares[tid]
    return tuple(shares)
