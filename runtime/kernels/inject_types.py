"""What mypy knows of the record of failures that are injected: see record_types.py."""

from __future__ import annotations

from irsan.runtime.kernels.record import Record
from irsan.runtime.kernels.scalars import Vector, u64
from irsan.runtime.records import inject_records


class Inject(Record, layout=inject_records.INJECT_DTYPE):
    """Failures that are injected."""

    kinds: u64
    failing_allocation: u64
    n_allocations: u64
    n_calls: u64
    n_injected: u64
    newest: u64
    at_call: u64
    routine: u64
    stack: u64
    tid: u64
    asked: u64
    given: u64
    weak_failed: u64
    signal_due: u64
    signal_bit: u64
    signal_thread: u64
    signal_tid: u64
    one_in: Vector[u64]
    rng: Vector[u64]
    interrupted: Vector[u64]
