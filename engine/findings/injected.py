"""A finding behind an injected failure: which call failed, and where.

What is kept of it: runtime/kernels/injected.py.
"""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Any, Final

from irsan.engine.findings.site_frames import SiteFrames
from irsan.reports.model.injected import InjectedFailure, InjectedKind, InjectionFacts
from irsan.reports.model.names import demangled
from irsan.reports.model.report import Finding, Stack
from irsan.runtime.layout.inject_words import INJECTED_KINDS

_BY_SIZE_ALONE: Final = ("malloc", "valloc", "pvalloc", "operator new", "operator new[]")
_ENOMEM: Final = ("posix_memalign",)
_NOTHROW: Final = "nothrow"


def behind_injected(ctx: Any, frames: SiteFrames, finding: Finding) -> Finding:
    """The finding with the newest failure that was injected; as it is when there was none."""
    record = ctx["inject"]
    if not int(record["newest"]) or finding.injected is not None:
        return finding
    failure = newest_failure(record, frames)
    stack = Stack("injected", f"T{int(record['tid'])}", frames.of_stack(int(record["stack"])))
    return replace(finding, injected=failure, stacks=(*finding.stacks, stack))


def injection_of(ctx: Any, words: tuple[str, ...]) -> InjectionFacts:
    """What was injected into a run that was asked for these words."""
    record = ctx["inject"]
    counts = (int(record[name]) for name in ("n_calls", "n_injected", "n_allocations"))
    return InjectionFacts(words, *counts)


def newest_failure(record: Any, frames: SiteFrames) -> InjectedFailure:
    """What ctx.inject says of the newest failure."""
    kind: InjectedKind = INJECTED_KINDS[int(record["newest"]) - 1]
    symbol = frames.routine_name(int(record["routine"]))
    asked, given = int(record["asked"]), int(record["given"])
    call, outcome = _sentence(kind, symbol, asked, given, int(record["signal_tid"]))
    return InjectedFailure(
        kind, call, outcome,
        calls_since=int(record["n_calls"]) - int(record["at_call"]),
        number=int(record["n_injected"]),
        allocation=given if kind == "malloc" else 0,
    )  # fmt: skip


def _sentence(
    kind: InjectedKind, symbol: str, asked: int, given: int, tid: int
) -> tuple[str, str]:
    """The call, and what became of it."""
    name = demangled(symbol).partition("(")[0] or "a call"
    if kind == "malloc":
        call = f"{name}({asked})" if name in _BY_SIZE_ALONE else f"{name} of {asked} bytes"
        return call, _refused(name, symbol)
    if kind == "io":
        return f"{name} of {asked} bytes", f"moved {given} at most"
    if kind == "eintr":
        return name, "failed with EINTR"
    if kind == "wakeups":
        return name, "ended without a signal"
    if kind == "cas":
        return "a weak compare-exchange", "failed although the value was as expected"
    return f"{signal_words(asked)} to T{tid}", f"came {given} turns late"


def _refused(name: str, symbol: str) -> str:
    if name.startswith("operator new") and _NOTHROW not in symbol:
        return "threw std::bad_alloc"
    return "returned ENOMEM" if name in _ENOMEM else "returned NULL"


def signal_words(bit: int) -> str:
    """A signal by its bit: SIGUSR1."""
    number = bit.bit_length()
    known = {each.value: each.name for each in signal.Signals}
    return known.get(number, f"signal {number}")
