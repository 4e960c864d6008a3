"""Functions to run later: atexit, quick_exit, thread-local destructors, pthread keys.

    node  {u64 function, u64 argument, u64 next}, 24 bytes, in exit_records.NODES

Beside each node lies where it was installed (runtime/records/exit_records.py).  What was done
before a function was installed happens before its call, whichever thread calls.

Three kinds of list, each last in first out: one for exit, one for quick_exit (heads in ctx.exits)
and one per thread (head in the thread record's `cleanup`).  pthread key values are a table of
1024 words per thread slot; their destructors run up to four times around, as POSIX has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import ROUTINE_SITE, callstack_enter
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout import memory_map
from irsan.runtime.records import exit_records, limit_records

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
NODES = np.uint64(exit_records.NODES)
PLACES = np.uint64(exit_records.PLACES)
INSTALLED_SITE = np.uint32(ROUTINE_SITE + exit_records.INSTALLED_ROUTINES)
ON_EXIT = np.uint32(exit_records.ON_EXIT)
KEY_TABLES = np.uint64(memory_map.KEY_VALUES)
KEY_DESTRUCTORS = np.uint64(memory_map.KEY_DESTRUCTORS)
N_KEYS = np.uint64(memory_map.N_KEYS)
KEY_TABLE_BYTES = np.uint64(memory_map.N_KEYS * 8)
KEY_NO_DESTRUCTOR = np.uint64(1)  # in use, nothing to call
MAX_NODES = np.uint64(exit_records.MAX_NODES)
N_NODES_REFUSED = limit_records.EXIT_FUNCTIONS
X_EXIT, X_QUICK, X_FREE, X_USED = 0, 1, 2, 3  # words of ctx.exits


@kernel("u64(ctx,u64,u64,u64)")
def new_exit_node(ctx: Any, function: Any, argument: Any, following: Any) -> Any:
    """Address of a filled node; recycled ones first; 0 when all are in use."""
    node = ctx.exits[X_FREE]
    if node != U64_0:
        ctx.exits[X_FREE] = load_u64(node + U64_16)
    elif ctx.exits[X_USED] >= MAX_NODES:
        ctx.refused[N_NODES_REFUSED] += U64_1
        return U64_0
    else:
        node = NODES + ctx.exits[X_USED] * U64_24
        ctx.exits[X_USED] = ctx.exits[X_USED] + U64_1
    store_u64(node, function)
    store_u64(node + U64_8, argument)
    store_u64(node + U64_16, following)
    return node


@kernel("u64(ctx,u64)")
def take_exit_node(ctx: Any, node: Any) -> Any:
    """Recycle a node: its function is returned, its argument goes to ctx.event_args[0]."""
    ctx.event_args[0] = load_u64(node + U64_8)
    store_u64(node + U64_16, ctx.exits[X_FREE])
    ctx.exits[X_FREE] = node
    return load_u64(node)


@kernel("u64(u64)")
def node_to_place(node: Any) -> Any:
    """Address of what is known of who filled a node."""
    return PLACES + (node - NODES) // U64_24 * U64_8


@kernel("void(ctx,u64,u32)")
def note_installer(ctx: Any, node: Any, form: Any) -> None:
    """The running thread has installed a node by the call in progress, of one of the forms."""
    place = node_to_place(node)
    store_u32(place, ctx.site)
    store_u32(place + U64_4, form)
    sync_release(ctx, node)


@kernel("void(ctx,u64)")
def enter_installed(ctx: Any, node: Any) -> None:
    """Before a node's function is called: the calls in progress are who installed it, and how.

    Whether the function wants the exit status too goes to ctx.event_args[1].
    """
    sync_acquire(ctx, node)
    sync_forget(ctx, node)
    place = node_to_place(node)
    form = load_u32(place + U64_4)
    ctx.event_args[1] = np.uint64(form == ON_EXIT)
    installer = load_u32(place)
    if installer == U32_0:
        return
    if ctx.site != U32_0:
        callstack_enter(ctx)
    ctx.site = installer
    callstack_enter(ctx)
    ctx.site = INSTALLED_SITE + form


@kernel("u64(ctx)")
def next_thread_cleanup(ctx: Any) -> Any:
    """Next thread-local destructor of the running thread, or 0."""
    thread = thread_at(ctx.thread)
    node = thread.cleanup
    if node == U64_0:
        return U64_0
    thread.cleanup = load_u64(node + U64_16)
    return take_exit_node(ctx, node)


@kernel("u64(ctx)")
def next_key_destructor(ctx: Any) -> Any:
    """Next pthread key destructor to call for the running thread, or 0; value in event_args[0]."""
    thread = thread_at(ctx.thread)
    table = KEY_TABLES + thread.slot * KEY_TABLE_BYTES
    while thread.specific < U64_4 * N_KEYS:
        key = thread.specific % N_KEYS
        thread.specific = thread.specific + U64_1
        value = load_u64(table + key * U64_8)
        destructor = load_u64(KEY_DESTRUCTORS + key * U64_8)
        if value != U64_0 and destructor > KEY_NO_DESTRUCTOR:
            store_u64(table + key * U64_8, U64_0)
            ctx.event_args[0] = value
            return destructor
    return U64_0


@kernel("u64(ctx)")
def next_thread_destructor(ctx: Any) -> Any:
    """What the end of the running thread calls next, or 0; the argument is in event_args[0]."""
    function = next_thread_cleanup(ctx)
    if function != U64_0:
        return function
    return next_key_destructor(ctx)


@kernel("u64(ctx)")
def next_exit_handler(ctx: Any) -> Any:
    """What exit() calls next: this thread's destructors, then the exit list; 0 at the end."""
    ctx.event_args[1] = U64_0
    function = next_thread_cleanup(ctx)
    if function != U64_0:
        return function
    node = ctx.exits[X_EXIT]
    if node == U64_0:
        return U64_0
    ctx.exits[X_EXIT] = load_u64(node + U64_16)
    enter_installed(ctx, node)
    return take_exit_node(ctx, node)


@kernel("u64(ctx)")
def next_quick_exit_handler(ctx: Any) -> Any:
    """What quick_exit() calls next; 0 at the end."""
    node = ctx.exits[X_QUICK]
    if node == U64_0:
        return U64_0
    ctx.exits[X_QUICK] = load_u64(node + U64_16)
    return take_exit_node(ctx, node)


@kernel("b1(ctx,u64,u64,u32)")
def install_exit_handler(ctx: Any, function: Any, argument: Any, form: Any) -> Any:
    """Put a function on the exit list by one of the forms of exit_records.py; false if it is
    full."""
    node = new_exit_node(ctx, function, argument, ctx.exits[X_EXIT])
    if node == U64_0:
        return False
    ctx.exits[X_EXIT] = node
    note_installer(ctx, node, form)
    return True


@kernel("void(ctx,u64,u64)")
def add_exit_handler(ctx: Any, function: Any, argument: Any) -> Any:
    """Put a function of the host's choice on the exit list."""
    install_exit_handler(ctx, function, argument, U32_0)


@kernel("b1(ctx,u64,u64)")
def add_quick_exit_handler(ctx: Any, function: Any, argument: Any) -> Any:
    """Put a function on the quick_exit list; false if it is full."""
    node = new_exit_node(ctx, function, argument, ctx.exits[X_QUICK])
    if node != U64_0:
        ctx.exits[X_QUICK] = node
    return node != U64_0


@kernel("b1(ctx,u64,u64)")
def add_thread_cleanup(ctx: Any, function: Any, argument: Any) -> Any:
    """Put a destructor on the running thread's list; false if all lists are full."""
    node = new_exit_node(ctx, function, argument, thread_at(ctx.thread).cleanup)
    if node != U64_0:
        thread_at(ctx.thread).cleanup = node
    return node != U64_0
