"""Naive twins of the StackDepot and the shadow call stack: a dict and a list."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class NaiveDepot:
    """Stacks as tuples of sites, outermost first; ids in order of arrival."""

    ids: dict[tuple[int, ...], int] = field(default_factory=dict)

    def put(self, stack: tuple[int, ...]) -> int:
        """Id of a stack; equal stacks, equal ids."""
        return self.ids.setdefault(stack, len(self.ids))


@dataclass
class NaiveCallStack:
    """Calls in progress as a plain list of call sites, and the current site."""

    calls: list[int] = field(default_factory=list)
    site: int = 0

    def enter(self) -> None:
        """The call at `site` begins."""
        self.calls.append(self.site)

    def exit(self) -> None:
        """The newest call returns to its caller."""
        if self.calls:
            self.site = self.calls.pop()

    def restore(self, depth: int) -> None:
        """All calls above `depth` are abandoned."""
        while len(self.calls) > depth:
            self.exit()

    def sites(self) -> list[int]:
        """The backtrace, innermost first, without the marker 0."""
        return ([self.site] if self.site else []) + self.calls[::-1]
