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

Programs that clang has instrumented pass neither stack pointer: `__irsan_unwound` clears down to
the end of the stack, and fake frames are looked for when the next one is needed.

Source: asan_fake_stack.h of LLVM's compiler-rt.
Soundness: no false alarm; a frame handed out again forgets who used it before.
"""

from __future__ import annotations

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
    prefetch,
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
from irsan.runtime.kernels.race.cells.same_epoch import aligned_to_cell
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u8, u64
from irsan.runtime.kernels.threads.stack_bounds import stack_hi_of, stack_lo_of
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.memory_map import (
    FAKE_STACK_TABLE_BYTES,
    FAKE_STACK_TABLES,
    FAKE_STACKS_LO,
    MAX_LIVE_THREADS,
    STACK_SLOT_BYTES,
)
from irsan.runtime.layout.options import MAX_STACK_FILL_BYTES, STACK_FILL_BYTE
from irsan.runtime.views.fake_frames import (
    CLASS_BYTES,
    CLASS_FLAGS,
    COLLECT,
    FLAGS,
    N_CLASSES,
    NEXT,
    OWNER,
    REAL_SP,
    SMALLEST_FRAME_BITS,
)

DETECT_USE_AFTER_RETURN = options.DETECT_STACK_USE_AFTER_RETURN

PAGE_MASK = 4095
LINE_BYTES = 64
PREFETCHED_BYTES = 256
USED_BYTES = N_CLASSES * CLASS_BYTES
FAKE_STACKS_SIZE = memory_map.STACK_SLOTS_LO - memory_map.FAKE_STACKS_LO
PROT_RW = 3


@kernel
def fake_stack_lo(ctx: Context) -> u64:
    """Where the running thread's fake stack begins."""
    return FAKE_STACKS_LO + thread_at(ctx.thread).slot * STACK_SLOT_BYTES


@kernel
def frames_used(table: u64, size_class: u64) -> u64:
    """How many frames of a class have ever been taken since the table was cleared."""
    n_frames = CLASS_BYTES >> (SMALLEST_FRAME_BITS + size_class)
    return min(load_u64(table + NEXT + size_class * 8), n_frames)


@kernel
def clear_table(ctx: Context, table: u64) -> None:
    """Another thread owned this fake stack: nothing of what it used is known any more."""
    for number in range(N_CLASSES):
        size_class = u64(number)
        n_frames = frames_used(table, size_class)
        if n_frames == 0:
            continue
        lo = fake_stack_lo(ctx) + size_class * CLASS_BYTES
        n_bytes = n_frames << (SMALLEST_FRAME_BITS + size_class)
        real_memset(table + FLAGS + size_class * CLASS_FLAGS, 0, n_frames)
        clear_bytes(addr_to_shadow(lo), n_bytes >> 3)
        race_forget(ctx, lo, n_bytes)
        store_u64(table + NEXT + size_class * 8, 0)
    store_u64(table + COLLECT, 0)


@kernel
def own_table(ctx: Context) -> u64:
    """The running thread's table of frames; cleared when it was another thread's before."""
    thread = thread_at(ctx.thread)
    table = FAKE_STACK_TABLES + thread.slot * FAKE_STACK_TABLE_BYTES
    owner = own_tid(thread) + 1
    before = load_u64(table + OWNER)
    if before == owner:
        return table
    if before != 0:
        clear_table(ctx, table)
    else:  # a fake stack without a thread is inaccessible (engine/guest/machine.py)
        real_mprotect(fake_stack_lo(ctx), STACK_SLOT_BYTES, PROT_RW)
    store_u64(table + OWNER, owner)
    return table


@kernel
def collect_frames(ctx: Context, table: u64, sp: u64) -> None:
    """Take back the frames whose real ones lay below `sp` on the same stack: they are gone."""
    stack_lo = stack_lo_of(thread_at(ctx.thread), sp)
    store_u64(table + COLLECT, 0)
    if sp == stack_lo:
        return
    for number in range(N_CLASSES):
        size_class = u64(number)
        bits = SMALLEST_FRAME_BITS + size_class
        flags = table + FLAGS + size_class * CLASS_FLAGS
        lo = fake_stack_lo(ctx) + size_class * CLASS_BYTES
        n_frames = frames_used(table, size_class)
        index = u64(0)
        while index < n_frames:
            if (index & 7) == 0 and load_u64(flags + index) == 0:
                index += 8
                continue
            frame = lo + (index << bits)
            if load_u8(flags + index) != 0:
                if load_u64(frame + REAL_SP) - stack_lo < sp - stack_lo:
                    store_u8(flags + index, 0)
                    set_bytes(addr_to_shadow(frame), 8 << size_class, STACK_AFTER_RETURN)
                    if tracks_provenance():
                        provenance_popped(frame, frame + (1 << bits))
            index += 1


@kernel
def open_class(ctx: Context, size_class: u64) -> None:
    """The first frame of a class is about to be taken: its memory comes into use."""
    lo = fake_stack_lo(ctx) + size_class * CLASS_BYTES
    open_pages(lo, CLASS_BYTES)
    open_shadow(ctx, lo, CLASS_BYTES)


@kernel
def prefetch_frame(frame: u64, n_bytes: u64) -> None:
    """Ask for a frame and its race shadow, which the next call will want.

    n_bytes  of the frame; of a long one its beginning is asked for
    """
    prefetch(frame)
    cell = aligned_to_cell(frame)
    end = cell + min(n_bytes, u64(PREFETCHED_BYTES)) * 4
    while cell < end:
        prefetch(cell)
        cell += LINE_BYTES


@kernel
def take_frame(ctx: Context, table: u64, size_class: u64) -> u64:
    """A free frame of a class, marked as taken; 0 when there is none.  O(frames of the class)."""
    bits = SMALLEST_FRAME_BITS + size_class
    last = (CLASS_BYTES >> bits) - 1
    flags = table + FLAGS + size_class * CLASS_FLAGS
    hint = table + NEXT + size_class * 8
    first = load_u64(hint)
    if first == 0:
        open_class(ctx, size_class)
    tried = u64(0)
    while tried <= last:
        index = (first + tried) & last
        if load_u8(flags + index) == 0:
            store_u8(flags + index, 1)
            store_u64(hint, first + tried + 1)
            lo = fake_stack_lo(ctx) + size_class * CLASS_BYTES
            frame = lo + (index << bits)
            if ctx.ignore_depth == 0:
                prefetch_frame(lo + (((index + 1) & last) << bits), u64(1) << bits)
            if first + tried <= last:  # never used before
                n_filled = min(1 << bits, ctx.options[MAX_STACK_FILL_BYTES])
                set_bytes(frame, n_filled, u8(ctx.options[STACK_FILL_BYTE]))
            elif ctx.sanitize_thread != 0 and thread_at(ctx.thread).fiber.home != 0:
                race_forget(ctx, frame, 1 << bits)  # another fiber, or task, may have had it
            store_u64(frame + REAL_SP, stack_pointer())
            store_u64(frame + (1 << bits) - 8, flags + index)
            return frame
        tried += 1
    return 0


@kernel
def fake_frame_always(ctx: Context, size_bytes: u64, size_class: u64) -> u64:
    """A fake frame for `size_bytes`, addressable; 0 when its class is full."""
    if ctx.sanitize_address == 0 or ctx.thread == 0:
        return 0
    table = own_table(ctx)
    if load_u64(table + COLLECT) != 0:
        collect_frames(ctx, table, stack_pointer())
    frame = take_frame(ctx, table, size_class)
    if frame != 0:
        clear_bytes(addr_to_shadow(frame), 8 << size_class)
    return frame


@kernel
def fake_frame(ctx: Context, size_bytes: u64, size_class: u64) -> u64:
    """As `fake_frame_always`, and 0 when detect_stack_use_after_return is off."""
    if ctx.options[DETECT_USE_AFTER_RETURN] == 0:
        return 0
    return fake_frame_always(ctx, size_bytes, size_class)


@kernel
def release_fake_frame(ctx: Context, frame: u64, size_bytes: u64, size_class: u64) -> None:
    """A function with a large fake frame returns: its flag is cleared, its bytes are f5."""
    if frame - FAKE_STACKS_LO >= FAKE_STACKS_SIZE:
        return
    store_u8(load_u64(frame + (1 << (SMALLEST_FRAME_BITS + size_class)) - 8), 0)
    set_bytes(addr_to_shadow(frame), 8 << size_class, STACK_AFTER_RETURN)


@kernel
def collect_later(slot: u64) -> None:
    """Frames of a thread that are gone are looked for when it needs the next one."""
    table = FAKE_STACK_TABLES + slot * FAKE_STACK_TABLE_BYTES
    if load_u64(table + OWNER) != 0:
        store_u64(table + COLLECT, 1)


@kernel
def asan_no_return(ctx: Context) -> None:
    """A call that does not return is next: what it leaves on the stack must not stay poisoned."""
    if ctx.thread == 0:
        return
    thread = thread_at(ctx.thread)
    sp = stack_pointer()
    lo, hi = stack_lo_of(thread, sp), stack_hi_of(thread, sp)
    bottom = max(sp & ~u64(PAGE_MASK), lo)
    if sp == hi or not is_arena(bottom):
        return
    unpoison_range(ctx, bottom, hi - bottom)
    collect_later(thread.slot)


@kernel
def asan_unwound(ctx: Context) -> None:
    """Control arrives in a handler from frames below, which are gone: their redzones go too."""
    thread = thread_at(ctx.thread)
    sp = stack_pointer() & ~u64(7)
    stack_lo = stack_lo_of(thread, sp)
    if sp <= stack_lo or not is_arena(stack_lo):
        return
    clear_bytes(addr_to_shadow(stack_lo), (sp - stack_lo) >> 3)
    collect_later(thread.slot)


@kernel
def throwing(ctx: Context, sp: u64) -> None:
    """A function whose stack ends at `sp` is about to throw or to jump: no frame is below it."""
    thread_at(ctx.thread).unwind.thrown_sp = sp


@kernel
def unwound_to(ctx: Context, sp: u64) -> None:
    """Control arrives in a function whose stack ends at `sp`: all frames below it are gone."""
    thread = thread_at(ctx.thread)
    stack_lo = stack_lo_of(thread, sp)
    thrown = thread.unwind.thrown_sp
    thread.unwind.thrown_sp = 0
    if sp == stack_lo:
        return
    lo = thrown if thrown - stack_lo < sp - stack_lo else stack_lo
    if is_arena(lo):
        first = addr_to_shadow(lo)
        clear_bytes(first, addr_to_shadow(sp) - first)
        if tracks_provenance():
            provenance_unwound(ctx, lo, sp)
    table = FAKE_STACK_TABLES + thread.slot * FAKE_STACK_TABLE_BYTES
    if load_u64(table + OWNER) == own_tid(thread) + 1:
        collect_frames(ctx, table, sp)


@kernel
def end_variables(ctx: Context) -> None:
    """The running thread ends: the variables of the functions that it has not returned from end."""
    if not tracks_provenance():
        return
    thread, sp = thread_at(ctx.thread), stack_pointer()
    provenance_popped(sp & ~u64(7), stack_hi_of(thread, sp))
    table = FAKE_STACK_TABLES + thread.slot * FAKE_STACK_TABLE_BYTES
    if load_u64(table + OWNER) == own_tid(thread) + 1:
        collect_frames(ctx, table, stack_hi_of(thread, sp) - 1)


@kernel
def returned_twice(ctx: Context, sp: u64, result: i32) -> None:
    """setjmp has returned `result`; one that is not 0 came from a longjmp."""
    if result != 0:
        unwound_to(ctx, sp)


@kernel
def current_fake_stack(ctx: Context) -> u64:
    """__asan_get_current_fake_stack: a handle, 0 when there is none."""
    if ctx.options[DETECT_USE_AFTER_RETURN] == 0:
        return 0
    return own_table(ctx)


@kernel
def addr_in_fake_stack(ctx: Context, handle: u64, addr: u64, begin: u64, end: u64) -> u64:
    """__asan_addr_is_in_fake_stack: where the real frame of a fake one is, 0 for other addresses.

    begin, end  addresses of words that take the bounds of the fake frame, or 0
    """
    if handle - FAKE_STACK_TABLES >= u64(MAX_LIVE_THREADS) * FAKE_STACK_TABLE_BYTES:
        return 0
    lo = (
        FAKE_STACKS_LO + ((handle - FAKE_STACK_TABLES) // FAKE_STACK_TABLE_BYTES) * STACK_SLOT_BYTES
    )
    offset = addr - lo
    if offset >= USED_BYTES:
        return 0
    size_class = offset // CLASS_BYTES
    bits = SMALLEST_FRAME_BITS + size_class
    index = (offset % CLASS_BYTES) >> bits
    if load_u8(handle + FLAGS + size_class * CLASS_FLAGS + index) == 0:
        return 0
    frame = lo + size_class * CLASS_BYTES + (index << bits)
    if begin != 0:
        store_u64(begin, frame)
    if end != 0:
        store_u64(end, frame + (1 << bits))
    return load_u64(frame + REAL_SP)


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
