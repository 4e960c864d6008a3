"""Joining a thread until a moment: pthread_timedjoin_np, pthread_clockjoin_np."""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.interceptors.threads.threads import join_until
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.virtual_clock import CLOCK_REALTIME, deadline_to_wake_ns


@kernel
def i_pthread_timedjoin(ctx: Context, handle: u64, result: u64, deadline: u64) -> i32:
    """pthread_timedjoin_np."""
    return join_until(ctx, handle, result, deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME))


@kernel
def i_pthread_clockjoin(
    ctx: Context, handle: u64, result: u64, clock_id: i32, deadline: u64
) -> i32:
    """pthread_clockjoin_np."""
    return join_until(ctx, handle, result, deadline_to_wake_ns(ctx, deadline, u64(clock_id)))


EXPORTS = (
    Export("i32 pthread_timedjoin_np(u64,ptr,ptr)", kernel="i_pthread_timedjoin"),
    Export("i32 pthread_clockjoin_np(u64,ptr,i32,ptr)", kernel="i_pthread_clockjoin"),
)
