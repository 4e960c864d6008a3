"""Checks that clang's address instrumentation calls in forms that irsan's own passes never use.

    __asan_report_load4(a)      clang's inline test has failed: decided again, by irsan's shadow
    __asan_exp_load4(a, e)      a check of the optimiser's experiments; the number e is of no use
    array cookies               new T[n] keeps n before the first element: shadow ac
    intra-object redzones       between the fields of a class: shadow bb

Source: the interface list of LLVM's AddressSanitizer run-time.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.access import asan_access_slow
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import (
    ARRAY_COOKIE,
    HEAP_FREED,
    INTRA_OBJECT,
    addr_to_shadow,
    note_parts,
    poison_range,
    unpoison_range,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, store_u8
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.options import POISON_ARRAY_COOKIE

SIZES = (1, 2, 4, 8, 16)


@kernel
def checked_access(ctx: Context, addr: u64, size_bytes: u64, flags: u64) -> None:
    """One access, decided exactly; nothing when addresses are not checked."""
    if ctx.sanitize_address != 0:
        asan_access_slow(ctx, addr, size_bytes, flags)


@kernel
def experimental_access(ctx: Context, addr: u64, number: u32, size_bytes: u64, flags: u64) -> None:
    """As `checked_access`."""
    checked_access(ctx, addr, size_bytes, flags)


@kernel
def experimental_range(ctx: Context, addr: u64, size_bytes: u64, number: u32, flags: u64) -> None:
    """As `checked_access`."""
    checked_access(ctx, addr, size_bytes, flags)


@kernel
def poison_cookie(ctx: Context, addr: u64) -> None:
    """The word at `addr` holds the length of a new[]."""
    is_wanted = ctx.sanitize_address != 0 and ctx.options[POISON_ARRAY_COOKIE] != 0
    if is_wanted and is_arena(addr):
        note_parts(ctx, addr)
        store_u8(addr_to_shadow(addr), ARRAY_COOKIE)


@kernel
def load_cookie(ctx: Context, addr: u64) -> u64:
    """The length kept at `addr`; 0 when the array is freed already, so that no destructor runs."""
    is_freed = is_arena(addr) and load_u8(addr_to_shadow(addr)) == HEAP_FREED
    if ctx.options[POISON_ARRAY_COOKIE] != 0 and is_freed:
        ctx.interface.cookie_of_freed = addr
        return 0
    return load_u64(addr)


@kernel
def poison_intra_object(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Poison the gap behind a field."""
    if ctx.sanitize_address != 0 and is_arena(addr):
        poison_range(ctx, addr, size_bytes, INTRA_OBJECT)


@kernel
def unpoison_intra_object(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """The object is destroyed: its gaps are plain memory."""
    if ctx.sanitize_address != 0 and is_arena(addr):
        unpoison_range(ctx, addr, size_bytes)


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, is_hook=True)


def _accesses() -> Iterator[Export]:
    for word, flags in (("load", 0), ("store", 1)):
        for size in SIZES:
            for end in ("", "_noabort"):
                name = f"__asan_report_{word}{size}{end}"
                yield _hook(f"void {name}(u64)", "checked_access", size, flags)
            for stem in ("__asan_report_exp_", "__asan_exp_"):
                name = f"{stem}{word}{size}"
                yield _hook(f"void {name}(u64,u32)", "experimental_access", size, flags)
        for end in ("", "_noabort"):
            name = f"__asan_report_{word}_n{end}"
            yield _hook(f"void {name}(u64,u64)", "checked_access", flags)
        for name in (f"__asan_report_exp_{word}_n", f"__asan_exp_{word}N"):
            yield _hook(f"void {name}(u64,u64,u32)", "experimental_range", flags)


EXPORTS = (
    *_accesses(),
    _hook("void __asan_poison_cxx_array_cookie(u64)", "poison_cookie"),
    _hook("u64 __asan_load_cxx_array_cookie(u64)", "load_cookie"),
    _hook("void __asan_poison_intra_object_redzone(u64,u64)", "poison_intra_object"),
    _hook("void __asan_unpoison_intra_object_redzone(u64,u64)", "unpoison_intra_object"),
)
