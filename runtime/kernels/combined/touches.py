"""What a library function touches, passed to both detectors: one call per range.

    routine_access      asan: may these bytes be touched?   tsan: does anybody race with that?
    memory_access       the same for mem*: off with replace_intrin=0
    string_access       the same for str*: off with replace_str=0

One call of a library function leaves one finding, the first: later ranges of the call are then
only tested for being mapped.  The answer of all of them is "go on": False means that touching the
range would be a native fault, so the function has to be left out.  A range that is poisoned but
mapped is reported and then touched, as the program asked.

Source: the range macros of LLVM's asan_interceptors_memintrinsics.h and the tsan interceptors.
Soundness: a poisoned range is looked at before any of it is touched.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.foreign import READABLE, foreign_allows
from irsan.runtime.kernels.checks.ranges import asan_read_range, asan_write_range
from irsan.runtime.kernels.checks.shadow import addr_to_shadow, first_poisoned, is_nobody_there
from irsan.runtime.kernels.heap.strips import is_in_block
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.kernels.uninitialised.uninit_use import routine_bits
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import ARENA_LO, STACKS_LO
from irsan.runtime.layout.options import REPLACE_INTRIN, REPLACE_STR

NONE = int(actions.NONE)
LONG_BYTES = 2048  # the heap knows its blocks sooner than as much shadow is read
LOW_GRANULES = 0x00FF_FFFF_FFFF_FFFF
STACKS_SIZE = memory_map.STACKS_HI - memory_map.STACKS_LO
KIND_READ = 0
KIND_WRITE = 1


@kernel(inlined=True)
def is_clear(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether all bytes of a range are ours and addressable: one shadow load up to 64 bytes, and
    one look at the block from `LONG_BYTES` on.

    False decides nothing about foreign memory.
    """
    offset = addr - ARENA_LO
    if offset >= ctx.arena_used or size_bytes > ctx.arena_used - offset:
        return False
    reach = (addr & 7) + size_bytes
    if reach > 64:
        is_known = size_bytes > LONG_BYTES and is_in_block(ctx, addr, size_bytes)
        return is_known or first_poisoned(ctx, addr, size_bytes) == 0
    if size_bytes == 0:
        return True
    granules = load_u64(addr_to_shadow(addr)) << (64 - ((reach + 7) & ~u64(7)))
    if granules == 0:
        return True
    last = granules >> 56
    is_partial = (granules & LOW_GRANULES) == 0 and last < 128
    return is_partial and ((reach - 1) & 7) < last


@kernel
def is_touchable(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether touching a range cannot fault, poisoned or not: memory in use, or a known mapping."""
    if size_bytes == 0:
        return True
    offset = addr - ARENA_LO
    if offset >= ctx.arena_used:
        return foreign_allows(ctx, addr, size_bytes, READABLE)
    if size_bytes > ctx.arena_used - offset:
        return False
    if is_nobody_there(ctx, addr) or is_nobody_there(ctx, addr + size_bytes - 1):
        return False
    in_stacks = addr - STACKS_LO
    if in_stacks >= STACKS_SIZE:
        return True
    last = addr + size_bytes - 1
    return last < stack_end(addr)


@kernel(inlined=True)
def is_allowed(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> bool:
    """asan_read_range or asan_write_range by `kind` (READ 0, WRITE 1)."""
    if is_clear(ctx, addr, size_bytes):
        return True
    if kind == KIND_WRITE:
        return asan_write_range(ctx, addr, size_bytes)
    return asan_read_range(ctx, addr, size_bytes)


@kernel
def routine_race(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """Tell the race detector of a range, if nothing was found yet."""
    is_seen = ctx.ignore_depth == 0 and ctx.interface.library_unseen == 0
    if ctx.sanitize_thread != 0 and is_seen and ctx.action == NONE:
        race_range(ctx, addr, size_bytes, kind)


@kernel(inlined=True)
def allowed_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """Tell of a range that may be touched."""
    if tracks_bits():
        routine_bits(ctx, addr, size_bytes, kind == KIND_WRITE)
    routine_race(ctx, addr, size_bytes, kind)


@kernel(outlined=True)
def routine_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64, is_checked: u64) -> bool:
    """Tell both detectors of a range; False when it must not be touched.

    kind  READ 0 or WRITE 1;  is_checked  0 leaves the address check out.  O(size).
    """
    if ctx.sanitize_address != 0 and is_checked != 0:
        if ctx.action != NONE:
            return is_touchable(ctx, addr, size_bytes)
        if not is_allowed(ctx, addr, size_bytes, kind):
            return is_touchable(ctx, addr, size_bytes)
    allowed_access(ctx, addr, size_bytes, kind)
    return True


@kernel(outlined=True)
def permuted_access(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """memory_access of written bytes, where shadow of uninitialised bits moves along by itself.
    """
    if ctx.sanitize_address != 0 and ctx.options[REPLACE_INTRIN] != 0:
        if not is_allowed(ctx, addr, size_bytes, KIND_WRITE):
            return is_touchable(ctx, addr, size_bytes)
    routine_race(ctx, addr, size_bytes, KIND_WRITE)
    return True


@kernel
def memory_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> bool:
    """routine_access of a mem* function."""
    return routine_access(ctx, addr, size_bytes, kind, ctx.options[REPLACE_INTRIN])


@kernel
def string_access(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> bool:
    """routine_access of a str* function."""
    return routine_access(ctx, addr, size_bytes, kind, ctx.options[REPLACE_STR])
