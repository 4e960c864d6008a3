"""Calls of library functions that keep data for all threads are writes of that data.

    localtime(&t)   in two threads that nothing orders: each may return what the other asked for

Source: ThreadSanitizer's interceptors of localtime, gmtime, ctime and asctime, which write what is
returned.
Deviation: all functions of library_states.STATES, of which ThreadSanitizer knows these four.
May miss: that the program reads a result after another thread's call which a lock orders with this
thread's call, but not with the read.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.clocks.race_words import WRITE
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.race.library_states import PLACE_BYTES, PLACES


@kernel(outlined=True)
def library_state_used(ctx: Context, number: u64) -> None:
    """A function uses the state with a number, unless something else is told first."""
    if ctx.sanitize_thread != 0 and ctx.action == actions.NONE:
        race_access_slow(ctx, PLACES + number * PLACE_BYTES, 8, WRITE)
