"""What a library function touches, told to both detectors: one call per range.

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

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.foreign import U64_READABLE, foreign_allows
from irsan.runtime.kernels.checks.ranges import asan_read_range, asan_write_range
from irsan.runtime.kernels.checks.shadow import addr_to_shadow, first_poisoned, is_nobody_there
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.kernels.uninitialised.uninit_use import routine_bits
from irsan.runtime.layout import interface_notes, memory_map, options

LIBRARY_UNSEEN = interface_notes.LIBRARY_UNSEEN
REPLACE_STR = options.REPLACE_STR
REPLACE_INTRIN = options.REPLACE_INTRIN

NONE = actions.NONE
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_7 = np.uint64(7)
U64_56 = np.uint64(56)
U64_64 = np.uint64(64)
U64_128 = np.uint64(128)
U64_LOW_GRANULES = np.uint64(0x00FF_FFFF_FFFF_FFFF)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_STACKS_LO = np.uint64(memory_map.STACKS_LO)
U64_STACKS_SIZE = np.uint64(memory_map.STACKS_HI - memory_map.STACKS_LO)
KIND_READ = U64_0
KIND_WRITE = U64_1


@kernel("b1(ctx,u64,u64)")
def is_clear(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Whether all bytes of a range are ours and addressable: one shadow load up to 64 bytes.

    False decides nothing about foreign memory.
    """
    offset = addr - U64_ARENA_LO
    if offset >= ctx.arena_used or size_bytes > ctx.arena_used - offset:
        return False
    reach = (addr & U64_7) + size_bytes
    if reach > U64_64:
        return first_poisoned(ctx, addr, size_bytes) == U64_0
    if size_bytes == U64_0:
        return True
    granules = load_u64(addr_to_shadow(addr)) << (U64_64 - ((reach + U64_7) & ~U64_7))
    if granules == U64_0:
        return True
    last = granules >> U64_56
    is_partial = (granules & U64_LOW_GRANULES) == U64_0 and last < U64_128
    return is_partial and ((reach - U64_1) & U64_7) < last


@kernel("b1(ctx,u64,u64)")
def is_touchable(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Whether touching a range cannot fault, poisoned or not: memory in use, or a known mapping."""
    if size_bytes == U64_0:
        return True
    offset = addr - U64_ARENA_LO
    if offset >= ctx.arena_used:
        return foreign_allows(ctx, addr, size_bytes, U64_READABLE)
    if size_bytes > ctx.arena_used - offset:
        return False
    if is_nobody_there(ctx, addr) or is_nobody_there(ctx, addr + size_bytes - U64_1):
        return False
    in_stacks = addr - U64_STACKS_LO
    if in_stacks >= U64_STACKS_SIZE:
        return True
    last = addr + size_bytes - U64_1
    return last < stack_end(addr)


@kernel("b1(ctx,u64,u64,u64)")
def is_allowed(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """asan_read_range or asan_write_range by `kind` (READ 0, WRITE 1)."""
    if is_clear(ctx, addr, size_bytes):
        return True
    if kind == KIND_WRITE:
        return asan_write_range(ctx, addr, size_bytes)
    return asan_read_range(ctx, addr, size_bytes)


@kernel("void(ctx,u64,u64,u64)")
def routine_race(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> None:
    """Tell the race detector of a range, if nothing was found yet."""
    is_seen = ctx.ignore_depth == U64_0 and ctx.interface[LIBRARY_UNSEEN] == U64_0
    if ctx.sanitize_thread != U64_0 and is_seen and ctx.action == NONE:
        race_range(ctx, addr, size_bytes, kind)


@kernel("b1(ctx,u64,u64,u64,u64)", outlined=True)
def routine_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any, is_checked: Any) -> Any:
    """Tell both detectors of a range; False when it must not be touched.

    kind  READ 0 or WRITE 1;  is_checked  0 leaves the address check out.  O(size).
    """
    if ctx.sanitize_address != U64_0 and is_checked != U64_0:
        if ctx.action != NONE:
            return is_touchable(ctx, addr, size_bytes)
        if not is_allowed(ctx, addr, size_bytes, kind):
            return is_touchable(ctx, addr, size_bytes)
    if tracks_bits():
        routine_bits(ctx, addr, size_bytes, kind == KIND_WRITE)
    routine_race(ctx, addr, size_bytes, kind)
    return True


@kernel("b1(ctx,u64,u64)", outlined=True)
def permuted_access(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """memory_access of what is written, where shadow of uninitialised bits moves along by itself.
    """
    if ctx.sanitize_address != U64_0 and ctx.options[REPLACE_INTRIN] != U64_0:
        if not is_allowed(ctx, addr, size_bytes, KIND_WRITE):
            return is_touchable(ctx, addr, size_bytes)
    routine_race(ctx, addr, size_bytes, KIND_WRITE)
    return True


@kernel("b1(ctx,u64,u64,u64)")
def memory_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """routine_access of a mem* function."""
    return routine_access(ctx, addr, size_bytes, kind, ctx.options[REPLACE_INTRIN])


@kernel("b1(ctx,u64,u64,u64)")
def string_access(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """routine_access of a str* function."""
    return routine_access(ctx, addr, size_bytes, kind, ctx.options[REPLACE_STR])
