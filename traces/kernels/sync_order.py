"""What all orders below happens-before share: locks, fork and join, on either kind of clock.

    acquire m   C_t := C_t join L_m
    release m   L_m := C_t; C_t[t]++
    fork u      C_u := C_u join C_t; C_t[t]++
    join u      C_t := C_t join C_u

**Source**: Djit+ and FastTrack (PLDI 2009), rules of synchronisation; time goes on at release and
fork only, as RAPID has it (the original also ticks the joined thread, which changes no verdict).
**Soundness**: exact for happens-before.
"""

from __future__ import annotations

from irsan.runtime.kernels.scalars import i64
from irsan.traces.kernels.clock_rows import Clocks, is_tree
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import ACQUIRE, FORK, JOIN, RELEASE
from irsan.traces.kernels.tree_clock import tree_copy_check_monotone, tree_join
from irsan.traces.kernels.vector_clock import vector_copy, vector_join


@kernel(inlined=True)
def join_clock(target: Clocks, a: i64, source: Clocks, b: i64) -> None:
    """Clock a := clock a join clock b."""
    if is_tree(target):
        tree_join(target, a, source, b)
    else:
        vector_join(target, a, source, b)


@kernel(inlined=True)
def copy_clock(target: Clocks, a: i64, source: Clocks, b: i64) -> None:
    """Clock a := clock b."""
    if is_tree(target):
        tree_copy_check_monotone(target, a, source, b)
    else:
        vector_copy(target, a, source, b)


@kernel(inlined=True)
def synchronise(threads: Clocks, locks: Clocks, operation: i64, t: i64, x: i64) -> None:
    """Clock work of a lock or thread operation; others have none here."""
    if operation == ACQUIRE:
        join_clock(threads, t, locks, x)
    elif operation == RELEASE:
        copy_clock(locks, x, threads, t)
        threads.clk[t, t] += 1
    elif operation == FORK:
        join_clock(threads, x, threads, t)
        threads.clk[t, t] += 1
    elif operation == JOIN:
        join_clock(threads, t, threads, x)
