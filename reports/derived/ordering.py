"""Why the two accesses of a race are not ordered, and what would have ordered them, in sentences.

A race means that no path of happens-before leads from the earlier access to the later one. A path
leaves the earlier access's thread by a release behind the access, and enters the later one's by an
acquire before its access. The timeline shows which releases there were; the mutexes held at both
accesses show which lock would have done it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

from irsan.reports.model.report import Access, Finding
from irsan.reports.model.timeline import Timeline, TimelineEvent

_RELEASES = frozenset({"release", "unlock", "create thread", "end", "set handler"})
_OF_HANDLERS = {
    "set handler": "handler of {} set", "begin handler": "handler of {} begins",
    "end handler": "handler of {} ends",
}  # fmt: skip


def why_unordered(finding: Finding) -> tuple[str, ...]:
    """Sentences about the two accesses of a race; none for other findings."""
    if finding.access is None or finding.previous_access is None:
        return ()
    sentences = _by_timeline(finding, finding.access, finding.previous_access)
    return (*sentences, *_by_locks(finding.access, finding.previous_access))


def event_words(event: TimelineEvent) -> str:
    """What an event did: `lock M0 (its_name)`, `release of 0x7000`, `send SIGUSR1 to T1`."""
    if event.action == "send signal":
        return f"send {signal_name(event.signal)} to {event.other}"
    if event.action in _OF_HANDLERS:
        return _OF_HANDLERS[event.action].format(signal_name(event.signal))
    if event.other:
        return f"{event.action.split()[0]} {event.other}"
    if event.action == "end":
        return "end of thread"
    what = event.mutex or event.object_name or f"{event.address:#x}"
    if event.mutex and event.object_name:
        what = f"{event.mutex} ({event.object_name})"
    if event.action in ("acquire", "release"):
        return f"{event.action} of {what}"
    return f"{event.action} {what}"


def signal_name(number: int) -> str:
    """`SIGUSR1`, or `signal 40` of one without a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _by_timeline(finding: Finding, access: Access, previous: Access) -> Iterator[str]:
    timeline = finding.timeline
    if timeline is None or timeline.previous is None:
        return
    earlier, later = _who(finding, previous.thread), _who(finding, access.thread)
    released = next(
        (
            event for event in timeline.events
            if event.thread == previous.thread and event.order >= timeline.previous
            and event.action in _RELEASES
        ),
        None,
    )  # fmt: skip
    if released is None:
        yield (
            f"Behind its {previous.operation}, {earlier} released nothing, so no thread could "
            "learn of it."
        )
    else:
        yield (
            f"Behind its {previous.operation}, the first release of {earlier} is "
            f"“{event_words(released)}”{_at(released)}. {later[:1].upper()}{later[1:]} acquired "
            f"nothing that comes from there before its {access.operation}."
        )
    learned = _newest_learned(timeline, previous.thread, access.thread)
    if learned is not None:
        yield (
            f"The newest step of {earlier} that {later} learned of directly is "
            f"“{event_words(learned)}”{_at(learned)}, which came before the {previous.operation}."
        )


def _newest_learned(timeline: Timeline, source: str, target: str) -> TimelineEvent | None:
    """The newest event of `source` that an event of `target` has an edge from."""
    by_order = {event.order: event for event in timeline.events}
    found = [
        by_order[edge.before] for edge in timeline.edges
        if edge.before in by_order and edge.after in by_order
        and by_order[edge.before].thread == source and by_order[edge.after].thread == target
    ]  # fmt: skip
    return max(found, key=lambda event: event.order, default=None)


def _by_locks(access: Access, previous: Access) -> Iterator[str]:
    now = {each.name for each in access.mutexes}
    before = {each.name for each in previous.mutexes}
    if now & before:
        return
    if now and before:
        yield (
            f"{_listed(before)} was held at the earlier access and {_listed(now)} at the later "
            "one: a mutex orders two accesses only if it is held at both."
        )
    elif now or before:
        which, other = ("later", "earlier") if now else ("earlier", "later")
        held = _listed(now or before)
        yield (
            f"{held} was held at the {which} access only: held at the {other} one as well, it "
            "would have ordered them."
        )
    else:
        yield (
            "No mutex was held at either access: one mutex held at both, or a release behind the "
            "first and an acquire of it before the second, would order them."
        )


def _listed(names: set[str]) -> str:
    return " and ".join(sorted(names))


def _who(finding: Finding, thread: str) -> str:
    if thread == "T0":
        return "the main thread"
    facts = finding.thread_facts(thread)
    return f"thread {thread} ({facts.name})" if facts and facts.name else f"thread {thread}"


def _at(event: TimelineEvent) -> str:
    frame = event.frame
    return f" in {frame.file.rpartition('/')[2]}:{frame.line}" if frame and frame.line else ""
