"""Stack variables of instrumented programs: their redzones, their scopes, dynamic allocas.

Compiled code poisons a frame's redzones itself, by stores to the shadow, or through
`__asan_set_shadow_*`, whose first argument is an address there; clang's mapping is irsan's.  Fake
stacks and what happens to frames that end without returning: interceptors/memory/fake_stack.py.

Source: the frame layout of LLVM's AddressSanitizer pass; compiler-rt's asan_fake_stack.h.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import (
    ALLOCA_LEFT,
    ALLOCA_RIGHT,
    STACK_OUT_OF_SCOPE,
    addr_to_shadow,
    clear_bytes,
    fill_object,
    fill_shadow,
    poison_range,
    set_bytes,
    unpoison_range,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memcpy
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.layout.memory_map import ASAN_SHADOW, ASAN_SHADOW_SIZE

POISON_VALUES = (*range(8), 0xF1, 0xF2, 0xF3, 0xF5, 0xF8)

NOT_31 = 0xFFFF_FFFF_FFFF_FFE0


@kernel
def asan_set_shadow(ctx: Context, shadow: u64, n_bytes: u64, value: u8) -> None:
    """Shadow bytes of the arena become `value`; clang's mapping is the same."""
    if ctx.sanitize_address != 0 and shadow - ASAN_SHADOW < ASAN_SHADOW_SIZE:
        set_bytes(shadow, n_bytes, value)


@kernel
def copy_frame_shadow(ctx: Context, shadow: u64, source: u64, n_bytes: u64) -> None:
    """Shadow bytes of a frame become what the program has for them."""
    if ctx.sanitize_address != 0 and shadow - ASAN_SHADOW < ASAN_SHADOW_SIZE:
        real_memcpy(shadow, source, n_bytes)


@kernel
def poison_scope(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A variable's scope has ended."""
    if ctx.sanitize_address != 0 and is_arena(addr):
        poison_range(ctx, addr, size_bytes, STACK_OUT_OF_SCOPE)


@kernel
def unpoison_scope(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A variable's scope begins."""
    if ctx.sanitize_address != 0 and is_arena(addr):
        unpoison_range(ctx, addr, size_bytes)


@kernel
def poison_alloca(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Redzones around a dynamic alloca: 32 bytes left, the rest of 32 and 32 more right."""
    if ctx.sanitize_address == 0 or not is_arena(addr):
        return
    end = (addr + size_bytes + 32 - 1) & NOT_31
    fill_shadow(ctx, addr - 32, 32, ALLOCA_LEFT)
    fill_object(ctx, addr, size_bytes, end + 32 - addr, ALLOCA_RIGHT)


@kernel
def unpoison_allocas(ctx: Context, top: u64, bottom: u64) -> None:
    """Dynamic allocas from `top`, the newest, up to `bottom` are gone; a `top` of 0 is none."""
    if top == 0 or top > bottom or not is_arena(top) or not is_arena(bottom):
        return
    clear_bytes(addr_to_shadow(top), (bottom - top) >> 3)


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, quick=True, is_hook=True)


EXPORTS = (
    *(
        _hook(f"void __asan_set_shadow_{value:02x}(u64,u64)", "asan_set_shadow", value)
        for value in POISON_VALUES
    ),
    _hook("void __irsan_copy_shadow(u64,ptr,u64)", "copy_frame_shadow"),
    _hook("void __asan_poison_stack_memory(u64,u64)", "poison_scope"),
    _hook("void __asan_unpoison_stack_memory(u64,u64)", "unpoison_scope"),
    _hook("void __asan_alloca_poison(u64,u64)", "poison_alloca"),
    _hook("void __asan_allocas_unpoison(u64,u64)", "unpoison_allocas"),
)
