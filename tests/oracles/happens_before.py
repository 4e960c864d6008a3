"""What a thread has learned, by walking back along every step and edge."""

from __future__ import annotations

from irsan.reports.model.timeline import Timeline


def newest_known(timeline: Timeline, source: str, target: str, before: int) -> int | None:
    """Order of the newest step of `source` that comes before one of `target`'s below `before`."""
    thread_of = {event.order: event.thread for event in timeline.events}
    waiting = [order for order, thread in thread_of.items() if thread == target and order < before]
    known: set[int] = set()
    while waiting:
        order = waiting.pop()
        if order in known:
            continue
        known.add(order)
        waiting += [one for one in thread_of if one < order and thread_of[one] == thread_of[order]]
        waiting += [edge.before for edge in timeline.edges if edge.after == order]
    return max((order for order in known if thread_of[order] == source), default=None)
