"""Timers, as kernels see them: see timer_records.py."""

from __future__ import annotations

from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.records import record_at, record_in
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads import timer_records


class Timer(Placed, layout=timer_records.TIMER_DTYPE):
    """A row of the table of timers."""

    kind: u64
    due: u64
    period: u64
    clock: u64
    number: u64
    value: u64
    target: u64
    target_tid: u64
    is_pending: u64
    overrun: u64
    told_overrun: u64
    function: u64
    stack_bytes: u64
    creator: u64
    creation_stack: u64
    file: u64
    n_files: u64


timer_at = record_at(Timer)
timer_numbered = record_in(Timer, timer_records.ROWS)
