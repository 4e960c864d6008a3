"""Globals of instrumented programs: redzones, order of initialisation.

    descriptor   address, size, size with redzone, name, module, has initialiser, ...   64 bytes
    shadow       [address, +size) addressable, the rest up to size with redzone f9
    before the initialisers of module M run:  globals of other modules that are not initialised f6
    after them:                               back to what they were

Tables of descriptors are noted for reports (runtime/views/registered_globals.py).  Once
initialisers of a module have run, the third state of "has initialiser" (2) says so, in the
descriptor itself.

Source: LLVM's asan_globals.cpp.
Deviations: two definitions of one global are not compared (odr-violation): the linker refuses them
before anything runs.  An unregistered global keeps its redzone until the program ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import GLOBAL_REDZONE, INIT_ORDER, fill_object, fill_shadow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.layout import options
from irsan.runtime.records import limit_records
from irsan.runtime.views.registered_globals import (
    COUNT_AT,
    DESCRIPTOR_BYTES,
    MAX_TABLES,
    MODE_AT,
    TABLES_AT,
)

CHECK_INIT_ORDER = options.CHECK_INIT_ORDER
STRICT_INIT_ORDER = options.STRICT_INIT_ORDER
POISON_PARTIAL = options.POISON_PARTIAL

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_6 = np.uint64(6)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
U64_40 = np.uint64(40)
U64_DESCRIPTOR = np.uint64(DESCRIPTOR_BYTES)
U64_MAX_TABLES = np.uint64(MAX_TABLES)
N_TABLES_REFUSED = limit_records.GLOBAL_TABLES
U64_COUNT_AT = np.uint64(COUNT_AT)
U64_MODE_AT = np.uint64(MODE_AT)
U64_TABLES = np.uint64(TABLES_AT)
MODULE, INITIALISER = U64_32, U64_40  # offsets in a descriptor
NOT_YET, DONE = U64_1, U64_2


@kernel("void(ctx,u64)")
def poison_global(ctx: Any, descriptor: Any) -> None:
    """Give one global its redzone."""
    addr = load_u64(descriptor)
    if is_arena(addr):
        size_bytes, total_bytes = load_u64(descriptor + U64_8), load_u64(descriptor + U64_16)
        if ctx.options[POISON_PARTIAL] == U64_0:
            size_bytes = (size_bytes + U64_7) & ~U64_7
        fill_object(ctx, addr, size_bytes, total_bytes, GLOBAL_REDZONE)


@kernel("void(ctx,u64,u64)")
def register_table(ctx: Any, first: Any, count: Any) -> None:
    """__asan_register_globals: redzones, and a note for reports."""
    number = load_u64(U64_COUNT_AT)
    if ctx.sanitize_address == U64_0 or load_u64(U64_MODE_AT) != U64_0:
        return
    if count == U64_0:
        return
    if number >= U64_MAX_TABLES:
        ctx.refused[N_TABLES_REFUSED] += U64_1
        return
    end = first + count * U64_DESCRIPTOR
    at = U64_TABLES + number * U64_16
    store_u64(at, first)
    store_u64(at + U64_8, end)
    store_u64(U64_COUNT_AT, number + U64_1)
    while first < end:
        poison_global(ctx, first)
        first += U64_DESCRIPTOR


@kernel("void(ctx,u64,u64,u64)")
def register_section(ctx: Any, flag: Any, first: Any, end: Any) -> None:
    """__asan_register_elf_globals: every module calls it, the first call registers all."""
    if load_u64(flag) != U64_0:
        return
    store_u64(flag, U64_1)
    register_table(ctx, first, (end - first) >> U64_6)


@kernel("void(ctx,u64,u64)")
def unregister_table(ctx: Any, first: Any, count: Any) -> None:
    """__asan_unregister_globals: the program is about to end, redzones may stay."""


@kernel("void(ctx,u64,u64,u64)")
def unregister_section(ctx: Any, flag: Any, first: Any, end: Any) -> None:
    """__asan_unregister_elf_globals."""
    store_u64(flag, U64_0)


@kernel("void(ctx,u64,u64)")
def order_global(ctx: Any, descriptor: Any, running: Any) -> None:
    """One global before the initialisers of module `running` (0: after them) run."""
    if load_u64(descriptor + INITIALISER) == U64_0 or not is_arena(load_u64(descriptor)):
        return
    if running == U64_0:
        poison_global(ctx, descriptor)
        return
    if load_u64(descriptor + INITIALISER) == DONE:
        return
    if load_u64(descriptor + MODULE) != running:
        fill_shadow(ctx, load_u64(descriptor), load_u64(descriptor + U64_16), INIT_ORDER)
    elif ctx.options[STRICT_INIT_ORDER] == U64_0:
        store_u64(descriptor + INITIALISER, DONE)


@kernel("void(ctx,u64)")
def order_all_globals(ctx: Any, running: Any) -> None:
    """__asan_before_dynamic_init (a module's name) and __asan_after_dynamic_init (0)."""
    if ctx.sanitize_address == U64_0 or ctx.options[CHECK_INIT_ORDER] == U64_0:
        return
    table = U64_TABLES
    last = table + load_u64(U64_COUNT_AT) * U64_16
    while table < last:
        descriptor = load_u64(table)
        while descriptor < load_u64(table + U64_8):
            order_global(ctx, descriptor, running)
            descriptor += U64_DESCRIPTOR
        table += U64_16


@kernel("void(ctx)")
def stop_init_order(ctx: Any) -> None:
    """The program ends: its destructors may use what was never initialised."""
    if ctx.options[CHECK_INIT_ORDER] != U64_0:
        order_all_globals(ctx, U64_0)
        ctx.options[CHECK_INIT_ORDER] = U64_0


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, quick=True, is_hook=True)


EXPORTS = (
    _hook("void __asan_register_globals(u64,u64)", "register_table"),
    _hook("void __asan_unregister_globals(u64,u64)", "unregister_table"),
    _hook("void __asan_register_elf_globals(u64,u64,u64)", "register_section"),
    _hook("void __asan_unregister_elf_globals(u64,u64,u64)", "unregister_section"),
    _hook("void __asan_before_dynamic_init(u64)", "order_all_globals"),
    _hook("void __asan_after_dynamic_init()", "order_all_globals", 0),
)
