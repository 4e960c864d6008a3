"""What RFF asks its schedules for: reads-from pairs, mutated from those that showed new ones.

    pair       sites of a write and of the event that finds what it has left; 0: nobody had written
    wishes     pairs that a schedule is to have, or not: words of schedulers/rff.py
    corpus     wishes of schedules that have shown a pair for the first time; at first: none at all

A schedule's wishes are those of one of the corpus with one change: a pair more, one less, one for
another, one turned into its opposite.  Pairs that were seen seldom, or never, are taken most often;
pairs of sites that touch one object are possible.

Source: Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency testing", ASPLOS
2024, section 3.
Deviations: what a schedule has shown counts from the next round on (portfolio.py), so that the same
number has the same wishes with any number of hosts; every parent is as likely as another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from irsan.engine.guest.explored_schedule import Event
from irsan.runtime.layout.explore_words import READS, WRITES
from irsan.runtime.records.explore_records import MAX_PAIRS

Pair = tuple[int, int]
Wish = tuple[int, int, int]  # 1 or 0: wanted or not; the sites of a pair
Wishes = tuple[Wish, ...]

MAX_READ_EVENTS: Final = 1 << 14  # of a schedule, that are looked at
_MAX_CORPUS: Final = 256
_MAX_READS: Final = 1024  # different pairs that a schedule tells


def reads_of(events: Iterable[Event]) -> tuple[Pair, ...]:
    """The reads-from pairs of a schedule, each once, in the order of their first ones."""
    newest: dict[int, int] = {}
    found: dict[Pair, None] = {}
    for event in events:
        if event.touched and event.kind in (READS, WRITES):
            found.setdefault((newest.get(event.touched, 0), event.site))
            if event.kind == WRITES:
                newest[event.touched] = event.site
    return tuple(found)[:_MAX_READS]


@dataclass(slots=True)
class Fuzzing:
    """What is known of a program's reads-from pairs."""

    seen: Counter[Pair] = field(default_factory=Counter)
    corpus: list[Wishes] = field(default_factory=lambda: [()])

    def learn(self, words: Sequence[int], reads: Sequence[Pair]) -> None:
        """Take the pairs that a schedule with these wishes, as words, has shown."""
        shows_new = any(pair not in self.seen for pair in reads)
        self.seen.update(reads)
        wishes = _wishes(words)
        if shows_new and wishes not in self.corpus and len(self.corpus) < _MAX_CORPUS:
            self.corpus.append(wishes)

    def words(self, seed: int) -> tuple[int, ...]:
        """The wishes of the schedule with a seed, as words."""
        draw = Random(seed)
        wishes = list(draw.choice(self.corpus))
        pairs = self._possible()
        if pairs:
            _mutate(wishes, pairs, draw)
        return tuple(word for wish in wishes for word in wish)

    def _possible(self) -> dict[Pair, float]:
        """Pairs that could be, with what they weigh: the seldomer seen, the more."""
        groups = _groups(self.seen)
        return {
            (write, read): 1.0 / (1 + self.seen[write, read])
            for writes, reads in groups for write in sorted({0, *writes}) for read in sorted(reads)
        }


def _mutate(wishes: list[Wish], pairs: dict[Pair, float], draw: Random) -> None:
    """Change one of the wishes, or add one."""
    [pair] = draw.choices(list(pairs), list(pairs.values()))
    way = draw.choice(("add", "add", "drop", "swap", "turn")) if wishes else "add"
    at = draw.randrange(len(wishes)) if wishes else 0
    if way == "add" and len(wishes) < MAX_PAIRS:
        wishes.append((int(draw.random() < 0.75), *pair))
    elif way == "drop":
        del wishes[at]
    elif way == "turn":
        wanted, write, read = wishes[at]
        wishes[at] = (1 - wanted, write, read)
    elif wishes:
        wishes[at] = (wishes[at][0], *pair)


def _groups(seen: Iterable[Pair]) -> list[tuple[set[int], set[int]]]:
    """Sites that write and sites that read the same objects, as far as pairs tell."""
    groups: list[tuple[set[int], set[int]]] = []
    for write, read in seen:
        touching = [one for one in groups if one[0] & {write} or one[1] & {write, read}]
        writes = {write} - {0}
        joined = (writes.union(*(one[0] for one in touching)),
                  {read}.union(*(one[1] for one in touching)))  # fmt: skip
        groups = [one for one in groups if one not in touching]
        groups.append(joined)
    return groups


def _wishes(words: Sequence[int]) -> Wishes:
    return tuple(zip(words[::3], words[1::3], words[2::3], strict=True))
