"""Failures that were injected: the one before a finding, and how many into a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InjectedKind = Literal["malloc", "io", "eintr", "wakeups", "cas", "signals"]


@dataclass(frozen=True, slots=True)
class InjectedFailure:
    """The newest failure that irsan had injected when something was found.

    `call` and `outcome` are one sentence: `malloc(64)` `returned NULL`. Its stack has the role
    `injected`. `calls_since`: calls that could have failed since; `number`: how many had failed
    with it; `allocation`: which allocation of the run it was, from 1, 0 for other kinds.
    """

    kind: InjectedKind
    call: str
    outcome: str
    calls_since: int = 0
    number: int = 1
    allocation: int = 0

    @property
    def words(self) -> str:
        """The call and what became of it."""
        return f"{self.call} {self.outcome}"


@dataclass(frozen=True, slots=True)
class InjectionFacts:
    """What was injected into a run: the kinds asked for, and what came of it.

    `n_calls` calls could have failed, `n_failures` did; `n_allocations`, where allocations may
    fail: how many there were, failed ones included.
    """

    kinds: tuple[str, ...]
    n_calls: int = 0
    n_failures: int = 0
    n_allocations: int = 0
