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

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import GLOBAL_REDZONE, INIT_ORDER, fill_object, fill_shadow
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.options import CHECK_INIT_ORDER, POISON_PARTIAL, STRICT_INIT_ORDER
from irsan.runtime.views.registered_globals import (
    COUNT_AT,
    DESCRIPTOR_BYTES,
    MAX_TABLES,
    MODE_AT,
    TABLES_AT,
)

MODULE, INITIALISER = 32, 40  # offsets in a descriptor
NOT_YET, DONE = 1, 2


@kernel
def poison_global(ctx: Context, descriptor: u64) -> None:
    """Give one global its redzone."""
    addr = load_u64(descriptor)
    if is_arena(addr):
        size_bytes, total_bytes = load_u64(descriptor + 8), load_u64(descriptor + 16)
        if ctx.options[POISON_PARTIAL] == 0:
            size_bytes = (size_bytes + 7) & ~u64(7)
        fill_object(ctx, addr, size_bytes, total_bytes, GLOBAL_REDZONE)


@kernel
def register_table(ctx: Context, first: u64, count: u64) -> None:
    """__asan_register_globals: redzones, and a note for reports."""
    number = load_u64(COUNT_AT)
    if ctx.sanitize_address == 0 or load_u64(MODE_AT) != 0:
        return
    if count == 0:
        return
    if number >= MAX_TABLES:
        ctx.refused.global_tables += 1
        return
    end = first + count * DESCRIPTOR_BYTES
    at = TABLES_AT + number * 16
    store_u64(at, first)
    store_u64(at + 8, end)
    store_u64(COUNT_AT, number + 1)
    while first < end:
        poison_global(ctx, first)
        first += DESCRIPTOR_BYTES


@kernel
def register_section(ctx: Context, flag: u64, first: u64, end: u64) -> None:
    """__asan_register_elf_globals: every module calls it, the first call registers all."""
    if load_u64(flag) != 0:
        return
    store_u64(flag, 1)
    register_table(ctx, first, (end - first) >> 6)


@kernel
def unregister_table(ctx: Context, first: u64, count: u64) -> None:
    """__asan_unregister_globals: the program is about to end, redzones may stay."""


@kernel
def unregister_section(ctx: Context, flag: u64, first: u64, end: u64) -> None:
    """__asan_unregister_elf_globals."""
    store_u64(flag, 0)


@kernel
def order_global(ctx: Context, descriptor: u64, running: u64) -> None:
    """One global before the initialisers of module `running` (0: after them) run."""
    if load_u64(descriptor + INITIALISER) == 0 or not is_arena(load_u64(descriptor)):
        return
    if running == 0:
        poison_global(ctx, descriptor)
        return
    if load_u64(descriptor + INITIALISER) == DONE:
        return
    if load_u64(descriptor + MODULE) != running:
        fill_shadow(ctx, load_u64(descriptor), load_u64(descriptor + 16), INIT_ORDER)
    elif ctx.options[STRICT_INIT_ORDER] == 0:
        store_u64(descriptor + INITIALISER, DONE)


@kernel
def order_all_globals(ctx: Context, running: u64) -> None:
    """__asan_before_dynamic_init (a module's name) and __asan_after_dynamic_init (0)."""
    if ctx.sanitize_address == 0 or ctx.options[CHECK_INIT_ORDER] == 0:
        return
    table = u64(TABLES_AT)
    last = table + load_u64(COUNT_AT) * 16
    while table < last:
        descriptor = load_u64(table)
        while descriptor < load_u64(table + 8):
            order_global(ctx, descriptor, running)
            descriptor += DESCRIPTOR_BYTES
        table += 16


@kernel
def stop_init_order(ctx: Context) -> None:
    """The program ends: its destructors may use what was never initialised."""
    if ctx.options[CHECK_INIT_ORDER] != 0:
        order_all_globals(ctx, 0)
        ctx.options[CHECK_INIT_ORDER] = 0


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
