"""What mypy knows of the records of schedules that are explored."""

from __future__ import annotations

from irsan.runtime.kernels.record import Record
from irsan.runtime.kernels.scalars import Vector, u64
from irsan.runtime.records import explore_records


class Explore(Record, layout=explore_records.EXPLORE_DTYPE):
    """A schedule that is explored."""

    is_on: u64
    rng: u64
    steps: u64
    limit: u64
    is_tracing: u64
    has_tries: u64
    behind: u64
    n_idle: u64
    chosen: u64
    order_hash: u64
    n_events: u64
    n_switches: u64
    depth: u64
    length: u64
    n_rest: u64
    next_pair: u64
    intended: u64
    made: u64
    lowest: u64
    is_spinning: u64
    last_slot: u64
    last_site: u64
    in_row: u64
    at_place: u64
    n_sites: u64
    n_changes: u64
    sites: Vector[u64]
    addresses: Vector[u64]
    objects: Vector[u64]
    writers: Vector[u64]
    changes: Vector[u64]


class Point(Record, layout=explore_records.POINT_DTYPE):
    """What a thread does next."""

    object: u64
    kind: u64
    site: u64
    score: u64
    left: u64
    needs: u64
    asks_again: u64
