"""In which order accesses of a loop can each make many turns at once, as if turn by turn.

    for (i = 0; i < n; i++) sum += b[i] + b[i + 1];     b[i + 1], then b[i]

The access that comes to a byte first must be the first, since its race is the one that is reported,
and the one that leaves it last the last, since that is what later accesses race with.  Of accesses
of several sizes, or that move by more than they are apart, some have no such order: b[i], b[i+1]
and b[i+1], b[i+2] in pairs, two elements a turn.
"""

from __future__ import annotations

from collections.abc import Sequence


def order_of_turns(spans: Sequence[tuple[int, int]], stride: int) -> tuple[int, ...] | None:
    """The places of the accesses in that order, or None.

    Args:
        spans: the bytes of each in one turn, from the first to the one behind the last, in the
            order of the program.
        stride: bytes from a turn to the next; at most the size of each access.
    """
    if not stride:
        return tuple(range(len(spans)))
    orders = _orders(spans if stride > 0 else _mirrored(spans), abs(stride))
    order = orders.pop()
    return None if orders or _turns_round(spans, order) else order


def _mirrored(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Addresses in which a loop downwards is one upwards."""
    return [(1 - end, 1 - begin) for begin, end in spans]


def _orders(spans: Sequence[tuple[int, int]], step: int) -> set[tuple[int, ...]]:
    """The orders in which the accesses come to a byte, and in which they leave it."""
    found: set[tuple[int, ...]] = set()
    for byte in range(step):  # others are as these, some turns later
        firsts = [(-((end - 1 - byte) // step), place) for place, (_, end) in enumerate(spans)]
        lasts = [((byte - begin) // step, place) for place, (begin, _) in enumerate(spans)]
        found.update(tuple(place for _, place in sorted(turns)) for turns in (firsts, lasts))
    return found


def _turns_round(spans: Sequence[tuple[int, int]], order: tuple[int, ...]) -> bool:
    """Whether two change places that share bytes in one turn, which may be the first or last."""
    return any(
        later < sooner and spans[later][0] < spans[sooner][1] and spans[sooner][0] < spans[later][1]
        for i, sooner in enumerate(order)
        for later in order[i + 1 :]
    )
