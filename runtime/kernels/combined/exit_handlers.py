"""Functions to run later: atexit, quick_exit, thread-local destructors, pthread keys.

    node  {u64 function, u64 argument, u64 next}, 24 bytes, in exit_records.NODES

Beside each node lies where it was installed (runtime/records/threads/exit_records.py).  What was
done before a function was installed happens before its call, whichever thread calls.

Three kinds of list, each last in first out: one for exit, one for quick_exit (heads in ctx.exits)
and one per thread (head in the thread record's `cleanup`).  pthread key values are a table of
1024 words per thread slot; their destructors run up to four times around, as POSIX has it.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import ROUTINE_SITE, callstack_enter
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import KEY_DESTRUCTORS, N_KEYS
from irsan.runtime.records.threads import exit_records
from irsan.runtime.records.threads.exit_records import MAX_NODES, NODES, ON_EXIT, PLACES

INSTALLED_SITE = ROUTINE_SITE + exit_records.INSTALLED_ROUTINES
KEY_TABLES = memory_map.KEY_VALUES
KEY_TABLE_BYTES = memory_map.N_KEYS * 8
KEY_NO_DESTRUCTOR = 1  # in use, nothing to call


@kernel
def new_exit_node(ctx: Context, function: u64, argument: u64, following: u64) -> u64:
    """Address of a filled node; recycled ones first; 0 when all are in use."""
    node = ctx.exits.free
    if node != 0:
        ctx.exits.free = load_u64(node + 16)
    elif ctx.exits.n_used >= MAX_NODES:
        ctx.refused.exit_functions += 1
        return 0
    else:
        node = NODES + ctx.exits.n_used * 24
        ctx.exits.n_used = ctx.exits.n_used + 1
    store_u64(node, function)
    store_u64(node + 8, argument)
    store_u64(node + 16, following)
    return node


@kernel
def take_exit_node(ctx: Context, node: u64) -> u64:
    """Recycle a node: its function is returned, its argument goes to ctx.event.args[0]."""
    ctx.event.args[0] = load_u64(node + 8)
    store_u64(node + 16, ctx.exits.free)
    ctx.exits.free = node
    return load_u64(node)


@kernel
def node_to_place(node: u64) -> u64:
    """Address of the facts about who filled a node."""
    return PLACES + (node - NODES) // 24 * 8


@kernel
def note_installer(ctx: Context, node: u64, form: u32) -> None:
    """The running thread has installed a node by the call in progress, of one of the forms."""
    place = node_to_place(node)
    store_u32(place, ctx.site)
    store_u32(place + 4, form)
    sync_release(ctx, node)


@kernel
def enter_installed(ctx: Context, node: u64) -> None:
    """Before a node's function is called: the calls in progress are who installed it, and how.

    Whether the function wants the exit status too goes to ctx.event.args[1].
    """
    sync_acquire(ctx, node)
    sync_forget(ctx, node)
    place = node_to_place(node)
    form = load_u32(place + 4)
    ctx.event.args[1] = u64(form == ON_EXIT)
    installer = load_u32(place)
    if installer == 0:
        return
    if ctx.site != 0:
        callstack_enter(ctx)
    ctx.site = installer
    callstack_enter(ctx)
    ctx.site = INSTALLED_SITE + form


@kernel
def next_thread_cleanup(ctx: Context) -> u64:
    """Next thread-local destructor of the running thread, or 0."""
    thread = thread_at(ctx.thread)
    node = thread.cleanup
    if node == 0:
        return 0
    thread.cleanup = load_u64(node + 16)
    return take_exit_node(ctx, node)


@kernel
def next_key_destructor(ctx: Context) -> u64:
    """Next pthread key destructor to call for the running thread, or 0; value in event_args[0]."""
    thread = thread_at(ctx.thread)
    table = KEY_TABLES + thread.slot * KEY_TABLE_BYTES
    while thread.specific < u64(4) * N_KEYS:
        key = thread.specific % N_KEYS
        thread.specific = thread.specific + 1
        value = load_u64(table + key * 8)
        destructor = load_u64(KEY_DESTRUCTORS + key * 8)
        if value != 0 and destructor > KEY_NO_DESTRUCTOR:
            store_u64(table + key * 8, 0)
            ctx.event.args[0] = value
            return destructor
    return 0


@kernel
def next_thread_destructor(ctx: Context) -> u64:
    """What the end of the running thread calls next, or 0; the argument is in event_args[0]."""
    function = next_thread_cleanup(ctx)
    if function != 0:
        return function
    return next_key_destructor(ctx)


@kernel
def next_exit_handler(ctx: Context) -> u64:
    """What exit() calls next: this thread's destructors, then the exit list; 0 at the end."""
    ctx.event.args[1] = 0
    function = next_thread_cleanup(ctx)
    if function != 0:
        return function
    node = ctx.exits.at_exit
    if node == 0:
        return 0
    ctx.exits.at_exit = load_u64(node + 16)
    enter_installed(ctx, node)
    return take_exit_node(ctx, node)


@kernel
def next_quick_exit_handler(ctx: Context) -> u64:
    """What quick_exit() calls next; 0 at the end."""
    node = ctx.exits.at_quick_exit
    if node == 0:
        return 0
    ctx.exits.at_quick_exit = load_u64(node + 16)
    return take_exit_node(ctx, node)


@kernel
def install_exit_handler(ctx: Context, function: u64, argument: u64, form: u32) -> bool:
    """Put a function on the exit list by one of the forms of exit_records.py; false if it is
    full."""
    node = new_exit_node(ctx, function, argument, ctx.exits.at_exit)
    if node == 0:
        return False
    ctx.exits.at_exit = node
    note_installer(ctx, node, form)
    return True


@kernel
def add_exit_handler(ctx: Context, function: u64, argument: u64) -> None:
    """Put a function of the host's choice on the exit list."""
    install_exit_handler(ctx, function, argument, 0)


@kernel
def add_quick_exit_handler(ctx: Context, function: u64, argument: u64) -> bool:
    """Put a function on the quick_exit list; false if it is full."""
    node = new_exit_node(ctx, function, argument, ctx.exits.at_quick_exit)
    if node != 0:
        ctx.exits.at_quick_exit = node
    return node != 0


@kernel
def add_thread_cleanup(ctx: Context, function: u64, argument: u64) -> bool:
    """Put a destructor on the running thread's list; false if all lists are full."""
    node = new_exit_node(ctx, function, argument, thread_at(ctx.thread).cleanup)
    if node != 0:
        thread_at(ctx.thread).cleanup = node
    return node != 0
