"""Fake stacks: frames that stay poisoned after their function has returned.

    prologue    frame = __asan_stack_malloc_N(bytes)      0: no fake frame, use the real stack
    return      shadow f5, 0 to the flag whose address lies in the frame's last word; large frames
                through __asan_stack_free_N
    throw       __irsan_throwing(sp)                      longjmp too; where unwinding begins
    handler     __irsan_unwound_to(sp)                    everything below sp is gone

The geometry is in runtime/views/fake_frames.py.  A frame that ends without returning leaves
redzones on the real stack and a taken fake frame.  Whoever catches it clears both: exactly what
lies between the throwing function and the catching one, or down to the end of the stack when a
native library threw; the variables of those frames end for pointer provenance, too.  Frames on
another stack (of a fiber, or of the thread that runs it) are never taken back.

Programs that clang has instrumented tell neither stack pointer: `__irsan_unwound` clears down to
the end of the stack, and fake frames are looked for when the next one is needed.

Source: asan_fake_stack.h of LLVM's compiler-rt.
Soundness: no false alarm; a frame handed out again forgets who used it before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import (
    STACK_AFTER_RETURN,
    addr_to_shadow,
    clear_bytes,
    open_pages,
    open_shadow,
    set_bytes,
    unpoison_range,
)
from irsan.runtime.kernels.combined.fibers import own_tid
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u64,
    real_memset,
    real_mprotect,
    stack_pointer,
    store_u8,
    store_u64,
)
from irsan.runtime.kernels.provenance.provenance_objects import (
    provenance_popped,
    provenance_unwound,
    tracks_provenance,
)
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.stack_bounds import stack_hi_of, stack_lo_of
from irsan.runtime.layout import memory_map, options
from irsan.runtime.views import fake_frames

N_CLASSES = fake_frames.N_CLASSES
CLASS_BYTES = fake_frames.CLASS_BYTES
SMALLEST_FRAME_BITS = fake_frames.SMALLEST_FRAME_BITS
DETECT_USE_AFTER_RETURN = options.DETECT_STACK_USE_AFTER_RETURN
MAX_STACK_FILL_BYTES = options.MAX_STACK_FILL_BYTES
STACK_FILL_BYTE = options.STACK_FILL_BYTE
THROWN_SP = 29  # word of thread.spare: stack pointer of the function that throws, 0 = none does

U8_0 = np.uint8(0)
U8_1 = np.uint8(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_PAGE_MASK = np.uint64(4095)
U64_CLASS_BYTES = np.uint64(CLASS_BYTES)
U64_USED_BYTES = np.uint64(N_CLASSES * CLASS_BYTES)
U64_FRAME_BITS = np.uint64(SMALLEST_FRAME_BITS)
U64_FAKE_STACKS = np.uint64(memory_map.FAKE_STACKS_LO)
U64_FAKE_STACKS_SIZE = np.uint64(memory_map.BIG_STACKS_LO - memory_map.FAKE_STACKS_LO)
U64_SLOT_BYTES = np.uint64(memory_map.STACK_SLOT_BYTES)
PROT_RW = np.uint64(3)
U64_N_SLOTS = np.uint64(memory_map.MAX_LIVE_THREADS)
U64_TABLES = np.uint64(memory_map.FAKE_STACK_TABLES)
U64_TABLE_BYTES = np.uint64(memory_map.FAKE_STACK_TABLE_BYTES)
U64_FLAGS = np.uint64(fake_frames.FLAGS)
U64_CLASS_FLAGS = np.uint64(fake_frames.CLASS_FLAGS)
U64_REAL_SP = np.uint64(fake_frames.REAL_SP)
OWNER = np.uint64(fake_frames.OWNER)
COLLECT = np.uint64(fake_frames.COLLECT)
NEXT = np.uint64(fake_frames.NEXT)


@kernel("u64(ctx)")
def fake_stack_lo(ctx: Any) -> Any:
    """Where the running thread's fake stack begins."""
    return U64_FAKE_STACKS + thread_at(ctx.thread).slot * U64_SLOT_BYTES


@kernel("u64(u64,u64)")
def frames_used(table: Any, size_class: Any) -> Any:
    """How many frames of a class have ever been taken since the table was cleared."""
    n_frames = U64_CLASS_BYTES >> (U64_FRAME_BITS + size_class)
    return min(load_u64(table + NEXT + size_class * U64_8), n_frames)


@kernel("void(ctx,u64)")
def clear_table(ctx: Any, table: Any) -> None:
    """Another thread owned this fake stack: nothing of what it used is known any more."""
    for number in range(N_CLASSES):
        size_class = np.uint64(number)
        n_frames = frames_used(table, size_class)
        if n_frames == U64_0:
            continue
        lo = fake_stack_lo(ctx) + size_class * U64_CLASS_BYTES
        n_bytes = n_frames << (U64_FRAME_BITS + size_class)
        real_memset(table + U64_FLAGS + size_class * U64_CLASS_FLAGS, U64_0, n_frames)
        clear_bytes(addr_to_shadow(lo), n_bytes >> U64_3)
        race_forget(ctx, lo, n_bytes)
        store_u64(table + NEXT + size_class * U64_8, U64_0)
    store_u64(table + COLLECT, U64_0)


@kernel("u64(ctx)")
def own_table(ctx: Any) -> Any:
    """The running thread's table of frames; cleared when it was another thread's before."""
    thread = thread_at(ctx.thread)
    table = U64_TABLES + thread.slot * U64_TABLE_BYTES
    owner = own_tid(thread) + U64_1
    before = load_u64(table + OWNER)
    if before == owner:
        return table
    if before != U64_0:
        clear_table(ctx, table)
    else:  # nobody may touch a fake stack that nobody has (engine/guest/machine.py)
        real_mprotect(fake_stack_lo(ctx), U64_SLOT_BYTES, PROT_RW)
    store_u64(table + OWNER, owner)
    return table


@kernel("void(ctx,u64,u64)")
def collect_frames(ctx: Any, table: Any, sp: Any) -> None:
    """Take back the frames whose real ones lay below `sp` on the same stack: they are gone."""
    stack_lo = stack_lo_of(thread_at(ctx.thread), sp)
    store_u64(table + COLLECT, U64_0)
    if sp == stack_lo:
        return
    for number in range(N_CLASSES):
        size_class = np.uint64(number)
        bits = U64_FRAME_BITS + size_class
        flags = table + U64_FLAGS + size_class * U64_CLASS_FLAGS
        lo = fake_stack_lo(ctx) + size_class * U64_CLASS_BYTES
        n_frames = frames_used(table, size_class)
        index = U64_0
        while index < n_frames:
            if (index & U64_7) == U64_0 and load_u64(flags + index) == U64_0:
                index += U64_8
                continue
            frame = lo + (index << bits)
            if load_u8(flags + index) != U8_0:
                if load_u64(frame + U64_REAL_SP) - stack_lo < sp - stack_lo:
                    store_u8(flags + index, U8_0)
                    set_bytes(addr_to_shadow(frame), U64_8 << size_class, STACK_AFTER_RETURN)
                    if tracks_provenance():
                        provenance_popped(frame, frame + (U64_1 << bits))
            index += U64_1


@kernel("void(ctx,u64)")
def open_class(ctx: Any, size_class: Any) -> None:
    """The first frame of a class is about to be taken: its memory comes into use."""
    lo = fake_stack_lo(ctx) + size_class * U64_CLASS_BYTES
    open_pages(lo, U64_CLASS_BYTES)
    open_shadow(ctx, lo, U64_CLASS_BYTES)


@kernel("u64(ctx,u64,u64)")
def take_frame(ctx: Any, table: Any, size_class: Any) -> Any:
    """A free frame of a class, marked as taken; 0 when there is none.  O(frames of the class)."""
    bits = U64_FRAME_BITS + size_class
    last = (U64_CLASS_BYTES >> bits) - U64_1
    flags = table + U64_FLAGS + size_class * U64_CLASS_FLAGS
    hint = table + NEXT + size_class * U64_8
    first = load_u64(hint)
    if first == U64_0:
        open_class(ctx, size_class)
    tried = U64_0
    while tried <= last:
        index = (first + tried) & last
        if load_u8(flags + index) == U8_0:
            store_u8(flags + index, U8_1)
            store_u64(hint, first + tried + U64_1)
            frame = fake_stack_lo(ctx) + size_class * U64_CLASS_BYTES + (index << bits)
            if first + tried <= last:  # never used before
                n_filled = min(U64_1 << bits, ctx.options[MAX_STACK_FILL_BYTES])
                set_bytes(frame, n_filled, np.uint8(ctx.options[STACK_FILL_BYTE]))
            store_u64(frame + U64_REAL_SP, stack_pointer())
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
        collect_frames(ctx, table, stack_pointer())
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


@kernel("void(u64)")
def collect_later(slot: Any) -> None:
    """Frames of a thread that are gone are looked for when it needs the next one."""
    table = U64_TABLES + slot * U64_TABLE_BYTES
    if load_u64(table + OWNER) != U64_0:
        store_u64(table + COLLECT, U64_1)


@kernel("void(ctx)")
def asan_no_return(ctx: Any) -> None:
    """A call that does not return is next: what it leaves on the stack must not stay poisoned."""
    if ctx.thread == U64_0:
        return
    thread = thread_at(ctx.thread)
    sp = stack_pointer()
    lo, hi = stack_lo_of(thread, sp), stack_hi_of(thread, sp)
    bottom = max(sp & ~U64_PAGE_MASK, lo)
    if sp == hi or not is_arena(bottom):
        return
    unpoison_range(ctx, bottom, hi - bottom)
    collect_later(thread.slot)


@kernel("void(ctx)")
def asan_unwound(ctx: Any) -> None:
    """Control arrives in a handler from frames below, which are gone: their redzones go too."""
    thread = thread_at(ctx.thread)
    sp = stack_pointer() & ~U64_7
    stack_lo = stack_lo_of(thread, sp)
    if sp <= stack_lo or not is_arena(stack_lo):
        return
    clear_bytes(addr_to_shadow(stack_lo), (sp - stack_lo) >> U64_3)
    collect_later(thread.slot)


@kernel("void(ctx,u64)")
def throwing(ctx: Any, sp: Any) -> None:
    """A function whose stack ends at `sp` is about to throw or to jump: no frame is below it."""
    thread_at(ctx.thread).spare[THROWN_SP] = sp


@kernel("void(ctx,u64)")
def unwound_to(ctx: Any, sp: Any) -> None:
    """Control arrives in a function whose stack ends at `sp`: all frames below it are gone."""
    thread = thread_at(ctx.thread)
    stack_lo = stack_lo_of(thread, sp)
    thrown = thread.spare[THROWN_SP]
    thread.spare[THROWN_SP] = U64_0
    if sp == stack_lo:
        return
    lo = thrown if thrown - stack_lo < sp - stack_lo else stack_lo
    if is_arena(lo):
        first = addr_to_shadow(lo)
        clear_bytes(first, addr_to_shadow(sp) - first)
        if tracks_provenance():
            provenance_unwound(ctx, lo, sp)
    table = U64_TABLES + thread.slot * U64_TABLE_BYTES
    if load_u64(table + OWNER) == own_tid(thread) + U64_1:
        collect_frames(ctx, table, sp)


@kernel("void(ctx)")
def end_variables(ctx: Any) -> None:
    """The running thread ends: the variables of the functions that it has not returned from end."""
    if not tracks_provenance():
        return
    thread, sp = thread_at(ctx.thread), stack_pointer()
    provenance_popped(sp & ~U64_7, stack_hi_of(thread, sp))
    table = U64_TABLES + thread.slot * U64_TABLE_BYTES
    if load_u64(table + OWNER) == own_tid(thread) + U64_1:
        collect_frames(ctx, table, stack_hi_of(thread, sp) - U64_1)


@kernel("void(ctx,u64,i32)")
def returned_twice(ctx: Any, sp: Any, result: Any) -> None:
    """setjmp has returned `result`; one that is not 0 came from a longjmp."""
    if result != 0:
        unwound_to(ctx, sp)


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
    if handle - U64_TABLES >= U64_N_SLOTS * U64_TABLE_BYTES:
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
    return load_u64(frame + U64_REAL_SP)


def _hook(prototype: str, kernel_name: str, *constants: int) -> Export:
    return Export(prototype, kernel_name, constants=constants, quick=True, is_hook=True)


def _per_class(name: str, arguments: str, kernel_name: str) -> tuple[Export, ...]:
    return tuple(
        _hook(f"{name}_{number}({arguments})", kernel_name, number) for number in range(N_CLASSES)
    )


EXPORTS = (
    *_per_class("u64 __asan_stack_malloc", "u64", "fake_frame"),
    *_per_class("u64 __asan_stack_malloc_always", "u64", "fake_frame_always"),
    *_per_class("void __asan_stack_free", "u64,u64", "release_fake_frame"),
    _hook("void __asan_handle_no_return()", "asan_no_return"),
    _hook("void __irsan_unwound()", "asan_unwound"),
    _hook("void __irsan_throwing(u64)", "throwing"),
    _hook("void __irsan_unwound_to(u64)", "unwound_to"),
    _hook("void __irsan_returned_twice(u64,i32)", "returned_twice"),
    _hook("ptr __asan_get_current_fake_stack()", "current_fake_stack"),
    _hook("ptr __asan_addr_is_in_fake_stack(ptr,ptr,ptr,ptr)", "addr_in_fake_stack"),
)
