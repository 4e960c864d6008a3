"""Two sets of findings: which are new, which were there, which have moved, which are gone.

Findings are paired one to one by the strongest fingerprint that both have: the exact one, then that
of the text, then that of the cause. Paired by the exact one at the same place a finding is
unchanged; at another place, or paired by a weaker one, it has moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from irsan.reports.derived.view import FindingView
from irsan.reports.model.fingerprints import CAUSE, EXACT, TEXT

_NAMES: Final = (EXACT, TEXT, CAUSE)


@dataclass(frozen=True, slots=True)
class Pair:
    """A finding before and after; `name` is the fingerprint that they share."""

    old: FindingView
    new: FindingView
    name: str

    @property
    def is_moved(self) -> bool:
        """Whether it is reported at another place, or with other text, than before."""
        return self.name != EXACT or _place(self.old) != _place(self.new)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of the findings of an old report in a new one, each in the report's order."""

    new: tuple[FindingView, ...]
    kept: tuple[Pair, ...]
    fixed: tuple[FindingView, ...]

    @property
    def moved(self) -> tuple[Pair, ...]:
        """Those kept that are reported at another place."""
        return tuple(pair for pair in self.kept if pair.is_moved)

    @property
    def unchanged(self) -> tuple[Pair, ...]:
        """Those kept at their place."""
        return tuple(pair for pair in self.kept if not pair.is_moved)


def compare(
    old: Sequence[FindingView], new: Sequence[FindingView], *, same_file: bool = False
) -> Comparison:
    """Pair the findings of two reports.

    same_file: pair by less than the exact fingerprint only within one file, as the old report may
    be of more programs than the new one.
    """
    olds, news = dict(enumerate(old)), dict(enumerate(new))
    pairs: dict[int, Pair] = {}
    for name in _NAMES:
        waiting: dict[tuple[str, str], list[int]] = {}
        for number, view in olds.items():
            waiting.setdefault(_key(view, name, same_file), []).append(number)
        for number, view in list(news.items()):
            found = waiting.get(_key(view, name, same_file))
            if found and view.fingerprints.get(name):
                pairs[number] = Pair(olds.pop(found.pop(0)), news.pop(number), name)
    kept = tuple(pairs[number] for number in sorted(pairs))
    return Comparison(tuple(news.values()), kept, tuple(olds.values()))


def _key(view: FindingView, name: str, same_file: bool) -> tuple[str, str]:
    place = view.place
    is_bound = same_file and name != EXACT and place is not None
    return view.fingerprints.get(name, ""), place.path if is_bound and place else ""


def _place(view: FindingView) -> tuple[str, int]:
    place = view.place
    return (place.path, place.line) if place else ("", 0)
