"""Stack frames of programs that clang instrumented for addresses: redzones and fake stacks.

    fake stack of a thread    layout.FAKE_STACKS_LO + 16 MiB * slot
      | class 0: 16384 frames of 64 B | class 1: 8192 of 128 B | ... | class 10: 16 of 64 KiB |
      each class has 1 MiB; frames are taken round robin, so a returned frame rests a while
    frame                     | magic, description, function, real sp | objects ... | flag address |
    table of a thread         | owner | collect | next of class 0 .. 10 | flags, one per frame |

Compiled code poisons a frame's redzones itself, through `__asan_set_shadow_*`, whose first argument
is an address of clang's fixed mapping, or by stores that irsan has moved to its own shadow.  It
gives small frames back by writing 0 to the flag whose address lies in the frame's last word; large
ones through `__asan_stack_free_*`.  Both leave shadow f5: stack-use-after-return.

Source: the frame layout of LLVM's AddressSanitizer pass and asan_fake_stack.h (classes, flag word,
collection of frames left by longjmp or an exception).
Deviations: a fake stack has the same size for every thread; the flags lie outside the arena, where
no wild store of the program reaches them.
Soundness: no false alarm; a frame handed out again forgets who used it before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import layout, options
from irsan.runtime.kernels.foreign import is_arena
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u64,
    real_memset,
    stack_pointer,
    store_u8,
    store_u64,
)
from irsan.runtime.kernels.race_ranges import race_forget
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.shadow import (
    ALLOCA_LEFT,
    ALLOCA_RIGHT,
    STACK_AFTER_RETURN,
    STACK_OUT_OF_SCOPE,
    addr_to_shadow,
    clear_bytes,
    fill_object,
    fill_shadow,
    poison_range,
    set_bytes,
    unpoison_range,
)

N_CLASSES = 11
CLASS_BYTES = 1 << 20
SMALLEST_FRAME_BITS = 6
# clang's mapping on x86-64 Linux: shadow = (address >> 3) + this
CLANG_SHADOW_OFFSET = 0x7FFF_8000
POISON_VALUES = (*range(8), 0xF1, 0xF2, 0xF3, 0xF5, 0xF8)

DETECT_USE_AFTER_RETURN = options.DETECT_STACK_USE_AFTER_RETURN

U8_0 = np.uint8(0)
U8_1 = np.uint8(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_32 = np.uint64(32)
U64_NOT_31 = np.uint64(0xFFFF_FFFF_FFFF_FFE0)
U64_PAGE_MASK = np.uint64(4095)
U64_N_CLASSES = np.uint64(N_CLASSES)
U64_CLASS_BYTES = np.uint64(CLASS_BYTES)
U64_USED_BYTES = np.uint64(N_CLASSES * CLASS_BYTES)
U64_FRAME_BITS = np.uint64(SMALLEST_FRAME_BITS)
U64_CLANG_OFFSET = np.uint64(CLANG_SHADOW_OFFSET)
U64_FAKE_STACKS = np.uint64(layout.FAKE_STACKS_LO)
U64_FAKE_STACKS_SIZE = np.uint64(layout.STACKS_HI - layout.FAKE_STACKS_LO)
U64_SLOT_BYTES = np.uint64(layout.STACK_SLOT_BYTES)
U64_TABLES = np.uint64(layout.FAKE_STACK_TABLES)
U64_TABLE_BYTES = np.uint64(layout.FAKE_STACK_TABLE_BYTES)
U64_FLAGS = np.uint64(4096)  # flags of a table begin here
U64_CLASS_FLAGS = np.uint64(CLASS_BYTES >> SMALLEST_FRAME_BITS)
OWNER, COLLECT, NEXT = U64_0, U64_8, U64_16  # words of a table


@kernel("void(ctx,u64,u64,u8)")
def asan_set_shadow(ctx: Any, shadow: Any, n_bytes: Any, value: Any) -> None:
    """Shadow bytes named by an address of clang's mapping become `value`."""
    addr = (shadow - U64_CLANG_OFFSET) << U64_3
    if ctx.sanitize_address != U64_0 and is_arena(addr):
        set_bytes(addr_to_shadow(addr), n_bytes, value)


@kernel("void(ctx,u64,u64)")
def poison_scope(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A variable's scope has ended."""
    if ctx.sanitize_address != U64_0 and is_arena(addr):
        poison_range(ctx, addr, size_bytes, STACK_OUT_OF_SCOPE)


@kernel("void(ctx,u64,u64)")
def unpoison_scope(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """A variable's scope begins."""
    if ctx.sanitize_address != U64_0 and is_arena(addr):
        unpoison_range(ctx, addr, size_bytes)


@kernel("void(ctx,u64,u64)")
def poison_alloca(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """Redzones around a dynamic alloca: 32 bytes left, the rest of 32 and 32 more right."""
    if ctx.sanitize_address == U64_0 or not is_arena(addr):
        return
    end = (addr + size_bytes + U64_32 - U64_1) & U64_NOT_31
    fill_shadow(ctx, addr - U64_32, U64_32, ALLOCA_LEFT)
    fill_object(ctx, addr, size_bytes, end + U64_32 - addr, ALLOCA_RIGHT)


@kernel("void(ctx,u64,u64)")
def unpoison_allocas(ctx: Any, top: Any, bottom: Any) -> None:
    """Dynamic allocas from `top`, the newest, up to `bottom` are gone; a `top` of 0 is none."""
    if top == U64_0 or top > bottom or not is_arena(top) or not is_arena(bottom):
        return
    clear_bytes(addr_to_shadow(top), (bottom - top) >> U64_3)


@kernel("u64(ctx)")
def fake_stack_lo(ctx: Any) -> Any:
    """Where the running thread's fake stack begins."""
    return U64_FAKE_STACKS + thread_at(ctx.thread).slot * U64_SLOT_BYTES


@kernel("u64(ctx)")
def own_table(ctx: Any) -> Any:
    """The running thread's table of frames; cleared when it was another thread's before."""
    thread = thread_at(ctx.thread)
    table = U64_TABLES + thread.slot * U64_TABLE_BYTES
    owner = thread.tid + U64_1
    before = load_u64(table + OWNER)
    if before == owner:
        return table
    if before != U64_0:
        lo = fake_stack_lo(ctx)
        real_memset(table, U64_0, U64_TABLE_BYTES)
        clear_bytes(addr_to_shadow(lo), U64_USED_BYTES >> U64_3)
        race_forget(ctx, lo, U64_USED_BYTES)
    store_u64(table + OWNER, owner)
    return table


@kernel("void(ctx,u64)")
def collect_frames(ctx: Any, table: Any) -> None:
    """Take back the frames of calls that ended without returning: their stack is gone."""
    sp = stack_pointer()
    lo = fake_stack_lo(ctx)
    store_u64(table + COLLECT, U64_0)
    for size_class in range(N_CLASSES):
        bits = U64_FRAME_BITS + np.uint64(size_class)
        flags = table + U64_FLAGS + np.uint64(size_class) * U64_CLASS_FLAGS
        frames = lo + np.uint64(size_class) * U64_CLASS_BYTES
        for number in range(CLASS_BYTES >> (SMALLEST_FRAME_BITS + size_class)):
            index = np.uint64(number)
            if load_u8(flags + index) == U8_0:
                continue
            if load_u64(frames + (index << bits) + U64_24) < sp:
                store_u8(flags + index, U8_0)


@kernel("u64(ctx,u64,u64)")
def take_frame(ctx: Any, table: Any, size_class: Any) -> Any:
    """A free frame of a class, marked as taken; 0 when there is none.  O(frames of the class)."""
    bits = U64_FRAME_BITS + size_class
    last = (U64_CLASS_BYTES >> bits) - U64_1
    flags = table + U64_FLAGS + size_class * U64_CLASS_FLAGS
    hint = table + NEXT + size_class * U64_8
    first = load_u64(hint)
    tried = U64_0
    while tried <= last:
        index = (first + tried) & last
        if load_u8(flags + index) == U8_0:
            store_u8(flags + index, U8_1)
            store_u64(hint, index + U64_1)
            frame = fake_stack_lo(ctx) + size_class * U64_CLASS_BYTES + (index << bits)
            store_u64(frame + U64_24, stack_pointer())
            store_u64(frame + (U64_1 << bits) - U64_8, flags + index)
            return frame
        tried += U64_1
    return U64_0


@kernel("u64(ctx,u64,u64)")
def fake_frame_always(ctx: Any, size_bytes: Any, size_class: Any) -> Any:
    """A fake frame for `size_bytes`, addressable; 0 when its class is full."""
    if ctx.sanitize_address == U64_0 or ctx.thread == U64_0:
        return U64_0
    table = own_table(ctx)
    if load_u64(table + COLLECT) != U64_0:
        collect_frames(ctx, table)
    frame = take_frame(ctx, table, size_class)
    if frame != U64_0:
        clear_bytes(addr_to_shadow(frame), U64_8 << size_class)
    return frame


@kernel("u64(ctx,u64,u64)")
def fake_frame(ctx: Any, size_bytes: Any, size_class: Any) -> Any:
    """As `fake_frame_always`, and 0 when detect_stack_use_after_return is off."""
    if ctx.options[DETECT_USE_AFTER_RETURN] == U64_0:
        return U64_0
    return fake_frame_always(ctx, size_bytes, size_class)


@kernel("void(ctx,u64,u64,u64)")
def release_fake_frame(ctx: Any, frame: Any, size_bytes: Any, size_class: Any) -> None:
    """A function with a large fake frame returns: its flag is cleared, its bytes are f5."""
    if frame - U64_FAKE_STACKS >= U64_FAKE_STACKS_SIZE:
        return
    store_u8(load_u64(frame + (U64_1 << (U64_FRAME_BITS + size_class)) - U64_8), U8_0)
    set_bytes(addr_to_shadow(frame), U64_8 << size_class, STACK_AFTER_RETURN)


@kernel("void(ctx)")
def asan_no_return(ctx: Any) -> None:
    """A call that does not return is next: what it leaves on the stack must not stay poisoned."""
    if ctx.thread == U64_0:
        return
    thread = thread_at(ctx.thread)
    bottom = stack_pointer() & ~U64_PAGE_MASK
    if bottom - thread.stack_lo >= thread.stack_hi - thread.stack_lo:
        return
    unpoison_range(ctx, bottom, thread.stack_hi - bottom)
    table = U64_TABLES + thread.slot * U64_TABLE_BYTES
    if load_u64(table + OWNER) != U64_0:
        store_u64(table + COLLECT, U64_1)


@kernel("void(ctx)")
def asan_unwound(ctx: Any) -> None:
    """Control arrives in a handler from frames below, which are gone: their redzones go too."""
    thread = thread_at(ctx.thread)
    sp = stack_pointer() & ~U64_7
    if sp - thread.stack_lo >= thread.stack_hi - thread.stack_lo:
        return
    clear_bytes(addr_to_shadow(thread.stack_lo), (sp - thread.stack_lo) >> U64_3)
    table = U64_TABLES + thread.slot * U64_TABLE_BYTES
    if load_u64(table + OWNER) != U64_0:
        store_u64(table + COLLECT, U64_1)


@kernel("u64(ctx)")
def current_fake_stack(ctx: Any) -> Any:
    """__asan_get_current_fake_stack: a handle, 0 when there is none."""
    if ctx.options[DETECT_USE_AFTER_RETURN] == U64_0:
        return U64_0
    return own_table(ctx)


@kernel("u64(ctx,u64,u64,u64,u64)")
def addr_in_fake_stack(ctx: Any, handle: Any, addr: Any, begin: Any, end: Any) -> Any:
    """__asan_addr_is_in_fake_stack: where the real frame of a fake one is, 0 for other addresses.

    begin, end  addresses of words that take the bounds of the fake frame, or 0
    """
    if handle - U64_TABLES >= U64_SLOT_BYTES * U64_TABLE_BYTES:
        return U64_0
    lo = U64_FAKE_STACKS + ((handle - U64_TABLES) // U64_TABLE_BYTES) * U64_SLOT_BYTES
    offset = addr - lo
    if offset >= U64_USED_BYTES:
        return U64_0
    size_class = offset // U64_CLASS_BYTES
    bits = U64_FRAME_BITS + size_class
    index = (offset % U64_CLASS_BYTES) >> bits
    if load_u8(handle + U64_FLAGS + size_class * U64_CLASS_FLAGS + index) == U8_0:
        return U64_0
    frame = lo + size_class * U64_CLASS_BYTES + (index << bits)
    if begin != U64_0:
        store_u64(begin, frame)
    if end != U64_0:
        store_u64(end, frame + (U64_1 << bits))
    return load_u64(frame + U64_24)


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, quick=True, is_hook=True)


def _per_class(name: str, arguments: str, kernel_name: str) -> tuple[Export, ...]:
    return tuple(
        _hook(f"{name}_{number}({arguments})", kernel_name, number) for number in range(N_CLASSES)
    )


EXPORTS = (
    *(
        _hook(f"void __asan_set_shadow_{value:02x}(u64,u64)", "asan_set_shadow", value)
        for value in POISON_VALUES
    ),
    *_per_class("u64 __asan_stack_malloc", "u64", "fake_frame"),
    *_per_class("u64 __asan_stack_malloc_always", "u64", "fake_frame_always"),
    *_per_class("void __asan_stack_free", "u64,u64", "release_fake_frame"),
    _hook("void __asan_poison_stack_memory(u64,u64)", "poison_scope"),
    _hook("void __asan_unpoison_stack_memory(u64,u64)", "unpoison_scope"),
    _hook("void __asan_alloca_poison(u64,u64)", "poison_alloca"),
    _hook("void __asan_allocas_unpoison(u64,u64)", "unpoison_allocas"),
    _hook("void __asan_handle_no_return()", "asan_no_return"),
    _hook("void __irsan_unwound()", "asan_unwound"),
    _hook("ptr __asan_get_current_fake_stack()", "current_fake_stack"),
    _hook("ptr __asan_addr_is_in_fake_stack(ptr,ptr,ptr,ptr)", "addr_in_fake_stack"),
)
