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

from typing import Any

from irsan.traces.kernels.clock_rows import Clocks, new_clocks
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import ACQUIRE, FORK, JOIN, RELEASE
from irsan.traces.kernels.tree_clock import (
    tree_copy_check_monotone,
    tree_join,
    tree_monotone_copy,
)
from irsan.traces.kernels.vector_clock import vector_copy, vector_join

__all__ = ["Clocks", "new_clocks"]



@kernel("void(b1,clocks,i64,clocks,i64)")
def join_clock(is_tree: Any, target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a := clock a join clock b."""
    if is_tree:
        tree_join(target, a, source, b)
    else:
        vector_join(target, a, source, b)


@kernel("void(b1,clocks,i64,clocks,i64)")
def copy_greater_clock(is_tree: Any, target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a := clock b, which is at least as great."""
    if is_tree:
        tree_monotone_copy(target, a, source, b)
    else:
        vector_copy(target, a, source, b)


@kernel("void(b1,clocks,i64,clocks,i64)")
def copy_any_clock(is_tree: Any, target: Any, a: Any, source: Any, b: Any) -> Any:
    """Clock a := clock b."""
    if is_tree:
        tree_copy_check_monotone(target, a, source, b)
    else:
        vector_copy(target, a, source, b)


@kernel("void(b1,clocks,clocks,i64,i64,i64)")
def synchronise(is_tree: Any, threads: Any, locks: Any, op: Any, t: Any, x: Any) -> Any:
    """Clock work of a lock or thread operation; others have none here."""
    if op == ACQUIRE:
        join_clock(is_tree, threads, t, locks, x)
    elif op == RELEASE:
        copy_greater_clock(is_tree, locks, x, threads, t)
        threads.clk[t, t] += 1
    elif op == FORK:
        join_clock(is_tree, threads, x, threads, t)
        threads.clk[t, t] += 1
    elif op == JOIN:
        join_clock(is_tree, threads, t, threads, x)
