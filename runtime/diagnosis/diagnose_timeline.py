"""The timeline of a finding: which of the newest steps with threads, locks, signals matter to it.

Kept are the steps of the threads that took part, from a few before the earlier access on; of a long
stretch the middle is left out, and so said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from irsan.reports.model.report import Finding, Frame, Stack
from irsan.reports.model.timeline import Timeline, TimelineEdge, TimelineEvent
from irsan.runtime.layout import memory_map
from irsan.runtime.views.sync_history import RELEASES, SyncStep, is_kept, newest_steps

_CLOCK_BITS: Final = 32 - memory_map.SID_BITS
N_BEFORE: Final = 8  # steps shown before the earlier access
N_BEHIND: Final = 16  # ... behind it, where a stretch is long
N_NEWEST: Final = 24  # ... before the later access
_LEARNS: Final = frozenset({"acquire", "lock", "read lock", "begin handler"})
_OF_THREADS: Final = frozenset({"create thread", "join thread", "send signal"})
_WITHOUT_OBJECT: Final = frozenset({"end", "set handler", "begin handler", "end handler"})

SiteToFrames = Callable[[int], tuple[Frame, ...]]
AddressToName = Callable[[int], str]


def with_timeline(
    ctx: Any,
    finding: Finding,
    site_to_frames: SiteToFrames,
    previous_epoch: int = 0,
    address_to_name: AddressToName = lambda _address: "",
) -> Finding:
    """The finding and its timeline, if the run keeps one and several threads have taken part.

    previous_epoch: of the earlier access, 0 when there is none.
    address_to_name: of a global at an address.
    """
    if finding.timeline is not None or not is_kept(ctx):
        return finding
    threads = {each.thread for each in finding.stacks if each.frames} | {finding.thread}
    if not previous_epoch and len(threads) < 2:
        return finding
    threads |= {each.thread for each in finding.threads}
    threads |= {each.created_by for each in finding.threads}
    tids = {int(name[1:]) for name in threads if name[1:].isdigit()}
    steps = newest_steps(ctx)
    names = {each.address: each.name for each in finding.mutexes}
    made = make_timeline(steps, tids, names, site_to_frames, previous_epoch)
    named = (replace(each, object_name=address_to_name(each.address)) for each in made.events)
    made = replace(made, events=tuple(named))
    stack = finding.stack("previous")
    return replace(finding, timeline=within_handler(made, stack) if stack else made)


def within_handler(timeline: Timeline, stack: Stack) -> Timeline:
    """The timeline with the earlier access inside of the handler that it was made in.

    Epochs do not separate it from what follows: a handler that ends releases nothing. The access
    was in the newest handler before that has interrupted a place of its stack.
    """
    own = [event for event in timeline.events if event.thread == stack.thread]
    places = {(frame.file, frame.line, frame.column) for frame in stack.frames[1:]}
    end = None
    for event in reversed(own):
        if timeline.previous is None or event.order >= timeline.previous:
            continue
        if event.action in RELEASES:
            break
        if event.action == "end handler":
            end = event.order
        elif event.action == "begin handler":
            if end is not None and event.frame and _place(event.frame) in places:
                return replace(timeline, previous=end)
            end = None
    return timeline


def _place(frame: Frame) -> tuple[str, int, int]:
    return frame.file, frame.line, frame.column


def make_timeline(
    steps: Sequence[SyncStep],
    tids: set[int],
    mutex_names: dict[int, str],
    site_to_frames: SiteToFrames,
    previous_epoch: int = 0,
) -> Timeline:
    """The timeline of some threads out of all steps that are known."""
    previous = _order_of(steps, previous_epoch) if previous_epoch else None
    own = [step for step in steps if step.tid in tids]
    kept = _window(own, previous)
    shown = {step.order for step in kept}
    edges = [edge for edge in edges_of(steps) if {edge.before, edge.after} <= shown]
    events = tuple(_event(step, mutex_names, site_to_frames) for step in kept)
    is_cut = bool(steps) and steps[0].order > 0
    return Timeline(events, tuple(edges), previous, len(own) - len(kept), is_cut)


def _order_of(steps: Sequence[SyncStep], epoch: int) -> int | None:
    """Where an access of an epoch stands: at the first release of its thread that is not older.

    None when its thread has released nothing since: it stands behind all steps.
    """
    later = (
        step.order for step in steps
        if step.action in RELEASES and step.epoch >= epoch
        and step.epoch >> _CLOCK_BITS == epoch >> _CLOCK_BITS
    )  # fmt: skip
    return next(later, steps[-1].order + 1 if steps else None)


def _window(own: Sequence[SyncStep], previous: int | None) -> list[SyncStep]:
    orders = [step.order for step in own]
    at = len(own) if previous is None else bisect_left(orders, previous)
    first, last = max(at - N_BEFORE, 0), max(len(own) - N_NEWEST, 0)
    if at + N_BEHIND >= last:
        return list(own[min(first, last) :])
    return [*own[first : at + N_BEHIND], *own[last:]]


def edges_of(steps: Sequence[SyncStep]) -> Iterator[TimelineEdge]:
    """Which step of another thread each step has learned from, as far as the ring goes back."""
    released: dict[int, SyncStep] = {}
    created: dict[int, SyncStep] = {}
    ended: dict[int, SyncStep] = {}
    for step in steps:
        source = created.pop(step.tid, None)
        if source is not None:
            yield TimelineEdge(source.order, step.order)
        if step.action in _LEARNS:
            source = released.get(step.address)
        elif step.action == "join thread":
            source = ended.get(step.address)
        else:
            source = None
        if source is not None and source.tid != step.tid:
            yield TimelineEdge(source.order, step.order)
        if step.action == "create thread":
            created[step.address] = step
        elif step.action == "end":
            ended[step.tid] = step
        elif step.action in RELEASES:
            released[step.address] = step


def _event(
    step: SyncStep, mutex_names: dict[int, str], site_to_frames: SiteToFrames
) -> TimelineEvent:
    is_of_thread = step.action in _OF_THREADS
    address = 0 if is_of_thread or step.action in _WITHOUT_OBJECT else step.address
    return TimelineEvent(
        order=step.order,
        thread=f"T{step.tid}",
        action=step.action,
        address=address,
        mutex=mutex_names.get(address, ""),
        other=f"T{step.address}" if is_of_thread else "",
        frame=_own_frame(site_to_frames(step.site)) if step.site else None,
        signal=step.signal,
    )


def _own_frame(frames: Sequence[Frame]) -> Frame | None:
    """The innermost one of the program; of a step that a library makes by itself, the library's."""
    known = [each for each in frames if not each.interceptor and each.file]
    own = (each for each in known if not each.library)
    return next(own, known[-1] if known else None)
