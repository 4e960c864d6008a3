"""memcpy and similar: both ranges are checked before a byte moves.

    memcpy(d, s, n)   clear(s) and clear(d) and apart  ->  move          the usual case
                      else overlap, read of s, write of d: the first finding is reported

The hot ones are kernels to the end.  The others check and leave the work to the C library
(`then_real`).  memchr reads up to what it found, and never past the first byte that must not be
read.  A `_chk` form goes to the library's own, so a declared size that is too small still aborts as
it does natively.

Source: LLVM's asan_interceptors_memintrinsics.cpp and sanitizer_common_interceptors.inc.
Deviations: a size that is negative as a signed number is NEGATIVE_SIZE even where the ranges of
memcpy overlap because of it; ranges that overlap are moved as memmove does.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.ranges import asan_no_overlap
from irsan.runtime.kernels.combined.touches import (
    KIND_READ,
    KIND_WRITE,
    is_clear,
    memory_access,
    routine_access,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    real_memchr,
    real_memcmp,
    real_memmove,
    real_memset,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.text.string_scans import touchable_bytes
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.layout import options
from irsan.runtime.layout.options import REPLACE_INTRIN, STRICT_MEMCMP, SWITCHED_OFF

NONE = int(actions.NONE)
SIGN = 1 << 63
MEMCMP = options.OFF_MEMCMP
MEMMEM = options.OFF_MEMMEM
NO_END = 1 << 62
FIRST_PIECE = 512
LAST_PIECE = 1 << 16


@kernel
def check_move(ctx: Context, target: u64, source: u64, size_bytes: u64) -> bool:
    """Read of source, write of target, for memmove; False when it has to be left out."""
    may_read = memory_access(ctx, source, size_bytes, KIND_READ)
    may_move = memory_access(ctx, target, size_bytes, KIND_WRITE) and may_read
    if may_move and tracks_bits():
        bits_copy(ctx, target, source, size_bytes)
    return may_move


@kernel
def check_copy(ctx: Context, target: u64, source: u64, size_bytes: u64) -> bool:
    """check_move, and the ranges must not overlap unless they are the same."""
    is_on = ctx.options[REPLACE_INTRIN] != 0 and size_bytes < SIGN
    if is_on and target != source:
        asan_no_overlap(ctx, target, size_bytes, source, size_bytes)
    return check_move(ctx, target, source, size_bytes)


@kernel
def check_fill(ctx: Context, target: u64, _value: i32, size_bytes: u64) -> bool:
    """Write of target, for memset."""
    return memory_access(ctx, target, size_bytes, KIND_WRITE)


@kernel
def check_write(ctx: Context, target: u64, size_bytes: u64) -> bool:
    """Write of the first argument, its size in the second: bzero and others."""
    return memory_access(ctx, target, size_bytes, KIND_WRITE)


@kernel
def check_swapped_move(ctx: Context, source: u64, target: u64, size_bytes: u64) -> bool:
    """check_move with the source first: bcopy, swab."""
    return check_move(ctx, target, source, size_bytes)


@kernel
def needs_nothing(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """Whether neither detector has to look at a range: clear, and no thread to race with."""
    if ctx.ignore_depth == 0 and ctx.sanitize_thread != 0:
        return False
    return ctx.sanitize_address == 0 or is_clear(ctx, addr, size_bytes)


@kernel
def i_memcpy(ctx: Context, target: u64, source: u64, size_bytes: u64) -> u64:
    """memcpy.  Two shadow loads up to 64 bytes."""
    is_apart = target - source >= size_bytes and source - target >= size_bytes
    is_plain = is_apart and needs_nothing(ctx, source, size_bytes)
    is_plain = is_plain and needs_nothing(ctx, target, size_bytes)
    if is_plain and tracks_bits():
        bits_copy(ctx, target, source, size_bytes)
    if not is_plain and not check_copy(ctx, target, source, size_bytes):
        return target
    return real_memmove(target, source, size_bytes)


@kernel
def i_memmove(ctx: Context, target: u64, source: u64, size_bytes: u64) -> u64:
    """memmove."""
    is_plain = needs_nothing(ctx, source, size_bytes)
    is_plain = is_plain and needs_nothing(ctx, target, size_bytes)
    if is_plain and tracks_bits():
        bits_copy(ctx, target, source, size_bytes)
    if not is_plain and not check_move(ctx, target, source, size_bytes):
        return target
    return real_memmove(target, source, size_bytes)


@kernel
def i_memset(ctx: Context, target: u64, value: i32, size_bytes: u64) -> u64:
    """memset."""
    is_plain = needs_nothing(ctx, target, size_bytes)
    if is_plain and tracks_bits():
        bits_clear(ctx, target, size_bytes)
    if not is_plain and not memory_access(ctx, target, size_bytes, KIND_WRITE):
        return target
    return real_memset(target, u64(value), size_bytes)


@kernel
def first_difference(first: u64, second: u64, size_bytes: u64) -> u64:
    """Offset of the first byte that differs, or size_bytes."""
    i = u64(0)
    while i < size_bytes and load_u8(first + i) == load_u8(second + i):
        i += 1
    return i


@kernel
def family_read(ctx: Context, addr: u64, size_bytes: u64, family: u64) -> bool:
    """Read of a range unless the family (one bit OFF_*) is switched off."""
    if (ctx.options[SWITCHED_OFF] & family) != 0:
        return True
    return routine_access(ctx, addr, size_bytes, KIND_READ, 1)


@kernel
def i_memcmp(ctx: Context, first: u64, second: u64, size_bytes: u64) -> i32:
    """memcmp and bcmp: all bytes count as read unless strict_memcmp is off."""
    n_read = size_bytes
    if ctx.options[STRICT_MEMCMP] == 0:
        n_read = min(first_difference(first, second, size_bytes) + 1, size_bytes)
    may_read = family_read(ctx, first, n_read, MEMCMP)
    if not (family_read(ctx, second, n_read, MEMCMP) and may_read):
        return 0
    return i32(u32(real_memcmp(first, second, size_bytes)))


@kernel(outlined=True)
def find_byte(ctx: Context, start: u64, value: u64, limit: u64) -> u64:
    """First byte of that value within `limit` and before what must not be read; 0 if none."""
    done, piece = u64(0), u64(FIRST_PIECE)
    while done < limit:
        wanted = min(piece, limit - done)
        room = touchable_bytes(ctx, start + done, wanted)
        found = real_memchr(start + done, value, room)
        if found != 0 or room < wanted:
            return found
        done += room
        piece = min(piece << 2, u64(LAST_PIECE))
    return 0


@kernel
def i_memchr(ctx: Context, start: u64, value: i32, size_bytes: u64) -> u64:
    """memchr reads up to what it finds, or everything."""
    if ctx.options[REPLACE_INTRIN] == 0:
        return real_memchr(start, u64(value), size_bytes)
    found = find_byte(ctx, start, u64(value), size_bytes)
    n_read = size_bytes
    if found != 0:
        n_read = found - start + 1
    if memory_access(ctx, start, n_read, KIND_READ) and found == 0:
        return real_memchr(start, u64(value), size_bytes)
    return found


@kernel
def check_rawmemchr(ctx: Context, start: u64, value: i32) -> bool:
    """rawmemchr reads until it finds something."""
    found = find_byte(ctx, start, u64(value), NO_END)
    if found == 0:
        found = start + touchable_bytes(ctx, start, NO_END)
    return memory_access(ctx, start, found - start + 1, KIND_READ)


@kernel
def check_memrchr(ctx: Context, start: u64, _value: i32, size_bytes: u64) -> bool:
    """memrchr starts at the end."""
    return memory_access(ctx, start, size_bytes, KIND_READ)


@kernel
def check_memmem(ctx: Context, hay: u64, hay_bytes: u64, needle: u64, needle_bytes: u64) -> bool:
    """memmem may read all of both."""
    may_read = family_read(ctx, hay, hay_bytes, MEMMEM)
    return family_read(ctx, needle, needle_bytes, MEMMEM) and may_read


@kernel
def check_memccpy(ctx: Context, target: u64, source: u64, value: i32, size_bytes: u64) -> bool:
    """memccpy moves up to and including the byte it looks for."""
    found = find_byte(ctx, source, u64(value), size_bytes)
    n_moved = size_bytes
    if found != 0:
        n_moved = found - source + 1
    return check_copy(ctx, target, source, n_moved)


EXPORTS = (
    Export("ptr memcpy(ptr,ptr,u64)", kernel="i_memcpy"),
    Export("ptr memmove(ptr,ptr,u64)", kernel="i_memmove"),
    Export("ptr memset(ptr,i32,u64)", kernel="i_memset"),
    Export("i32 memcmp(ptr,ptr,u64)", kernel="i_memcmp"),
    Export("i32 bcmp(ptr,ptr,u64)", kernel="i_memcmp"),
    Export("ptr mempcpy(ptr,ptr,u64)", kernel="check_copy", then_real=True),
    Export("ptr __mempcpy(ptr,ptr,u64)", kernel="check_copy", then_real=True),
    Export("ptr __memcpy_chk(ptr,ptr,u64,u64)", kernel="check_copy", then_real=True),
    Export("ptr __mempcpy_chk(ptr,ptr,u64,u64)", kernel="check_copy", then_real=True),
    Export("ptr __memmove_chk(ptr,ptr,u64,u64)", kernel="check_move", then_real=True),
    Export("ptr __memset_chk(ptr,i32,u64,u64)", kernel="check_fill", then_real=True),
    Export("void bzero(ptr,u64)", kernel="check_write", then_real=True),
    Export("void explicit_bzero(ptr,u64)", kernel="check_write", then_real=True),
    Export("void __explicit_bzero_chk(ptr,u64,u64)", kernel="check_write", then_real=True),
    Export("void bcopy(ptr,ptr,u64)", kernel="check_swapped_move", then_real=True),
    Export("void swab(ptr,ptr,i64)", kernel="check_swapped_move", then_real=True),
    Export("ptr memchr(ptr,i32,u64)", kernel="i_memchr"),
    Export("ptr rawmemchr(ptr,i32)", kernel="check_rawmemchr", then_real=True),
    Export("ptr __rawmemchr(ptr,i32)", kernel="check_rawmemchr", then_real=True),
    Export("ptr memrchr(ptr,i32,u64)", kernel="check_memrchr", then_real=True),
    Export("ptr memmem(ptr,u64,ptr,u64)", kernel="check_memmem", then_real=True),
    Export("ptr memccpy(ptr,ptr,i32,u64)", kernel="check_memccpy", then_real=True),
)
