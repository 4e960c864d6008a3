"""Failures that are injected into a run: what is set before it begins.

Each kind has its generator and its rate from the seed: of many schedules some fail early and often,
some late and once (runtime/kernels/injected.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from irsan.engine.injected_words import failing_allocation
from irsan.runtime.layout.inject_words import CLOCK, INJECTED_KINDS
from irsan.runtime.seeding import seed_to_rng_words

_SALT: Final = 0x1A7E_C7ED
#: of how many calls one fails on average: one of these, by the seed
RATES: Final = {
    "malloc": (4, 16, 64, 256),
    "io": (2, 4, 8),
    "eintr": (2, 4, 8, 16),
    "wakeups": (2, 4, 8),
    "cas": (2, 4, 8, 16),
    "signals": (1, 2, 4),
}


def begin_injection(ctx: Any, seed: int, words: Sequence[str]) -> None:
    """Set which failures are injected, their rates and draws, before the guest runs."""
    record = ctx["inject"]
    kinds = [word.partition("=")[0] for word in words if word != CLOCK]
    record["kinds"] = sum(1 << INJECTED_KINDS.index(kind) for kind in kinds)
    record["failing_allocation"] = failing_allocation(words)
    for kind, name in enumerate(INJECTED_KINDS):
        if name not in kinds:
            continue
        record["rng"][kind], rate = draws_of(seed, kind)
        record["one_in"][kind] = RATES[name][rate % len(RATES[name])]


def draws_of(seed: int, kind: int) -> tuple[int, int]:
    """The first state of a kind's generator, and the number that chooses its rate."""
    return seed_to_rng_words((seed + 1) * _SALT + kind)[:2]
