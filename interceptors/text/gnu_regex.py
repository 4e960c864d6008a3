"""regfree, and GNU's interface of regular expressions: re_compile_pattern, re_search, re_match.

Memory passes both ways.  regfree frees the fast map and the translation table, which the caller
has allocated.  A search fills registers, two arrays of offsets: it allocates them, makes them
larger from call to call (REGS_REALLOCATE), and leaves it to the caller to free them.

    who has allocated     the search is given             behind it
    nobody                registers of ours               its arrays move to the guest's heap
    REGS_REALLOCATE       the same, as if nobody had      into the guest's arrays, or larger ones
    REGS_FIXED            the caller's                    they count as written

Source: regex.h and regexec.c (re_copy_regs) of the GNU C library.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.combined.tracked_heap import (
    real_free,
    tracked_free,
    tracked_reallocate,
)
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    real_function,
    real_memcpy,
    real_memset,
    store_u8,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_WALK
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u8, u32, u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.memory.heap_records import MALLOC

REGEX_BYTES = libc.size("regex_t")
FLAGS_AT = libc.REGEX_FLAGS
WHO = libc.REGEX_REGISTERS
REALLOCATE = libc.REGEX_REALLOCATE
ALLOCATED_AT = libc.offset("regex_t.allocated")
FAST_MAP_AT = libc.offset("regex_t.fastmap")
TRANSLATE_AT = libc.offset("regex_t.translate")
FAST_MAP_BYTES = 256
REGISTERS_BYTES = libc.size("struct re_registers")
STARTS_AT = libc.offset("struct re_registers.start")
ENDS_AT = libc.offset("struct re_registers.end")
OFFSET_BYTES = libc.size("regoff_t")

real_re_search = real_function("re_search", 6)
real_re_match = real_function("re_match", 5)
real_re_search_2 = real_function("re_search_2", 9)
real_re_match_2 = real_function("re_match_2", 8)


@kernel
def free_part(ctx: Context, place: u64) -> None:
    """Free what the library would free, if it is a block of the guest's heap."""
    part = load_u64(place)
    if is_arena(part):
        tracked_free(ctx, part, MALLOC, UNKNOWN_SIZE, 0)
        store_u64(place, 0)


@kernel
def free_parts(ctx: Context, regex: u64) -> bool:
    """Before regfree."""
    read(ctx, regex, REGEX_BYTES)
    free_part(ctx, regex + FAST_MAP_AT)
    free_part(ctx, regex + TRANSLATE_AT)
    return True


@kernel
def ask_pattern(ctx: Context, pattern: u64, n_bytes: u64, regex: u64) -> None:
    """Before re_compile_pattern, which would make a buffer of the caller larger."""
    read(ctx, pattern, n_bytes)
    if is_arena(load_u64(regex)):
        free_part(ctx, regex)
        store_u64(regex + ALLOCATED_AT, 0)


@kernel
def pattern_written(ctx: Context, _message: u64, regex: u64) -> None:
    """Behind re_compile_pattern."""
    written(ctx, regex, REGEX_BYTES)


@kernel
def fast_map_written(ctx: Context, _status: i32, regex: u64) -> None:
    """Behind re_compile_fastmap."""
    written(ctx, load_u64(regex + FAST_MAP_AT), FAST_MAP_BYTES)


@kernel
def allocator(regex: u64) -> u64:
    """Who has allocated the registers of an expression."""
    return u64(load_u8(regex + FLAGS_AT)) & WHO


@kernel
def set_allocator(regex: u64, who: u64) -> None:
    """Set the two bits."""
    others = u64(load_u8(regex + FLAGS_AT)) & ~u64(WHO)
    store_u8(regex + FLAGS_AT, u8(others | who))


@kernel
def lent_registers(regex: u64, registers: u64) -> u64:
    """Registers for one search: the caller's where they are fixed, else ours, without arrays."""
    who = allocator(regex)
    if registers == 0 or (who != 0 and who != REALLOCATE):
        return registers
    set_allocator(regex, 0)
    return SCRATCH_WALK


@kernel
def take_offsets(ctx: Context, place: u64, n_kept: u64, given: u64, n_given: u64) -> None:
    """The library's offsets become the guest's: n_kept are at `place`; those too many are -1."""
    if n_given > n_kept:
        kept = u64(0) if n_kept == 0 else load_u64(place)
        store_u64(place, tracked_reallocate(ctx, kept, n_given * OFFSET_BYTES))
    block = load_u64(place)
    if block != 0:
        n_bytes = max(n_given, n_kept) * OFFSET_BYTES
        written(ctx, block, n_bytes)
        real_memset(block, 0xFF, n_bytes)
        real_memcpy(block, given, n_given * OFFSET_BYTES)
    real_free(given)


@kernel(outlined=True)
def take_registers(ctx: Context, regex: u64, registers: u64, who: u64, lent: u64) -> None:
    """Behind a search: the registers that it has filled are the guest's."""
    if lent == 0:
        return
    if lent == registers:
        written(ctx, load_u64(lent + STARTS_AT), u64(load_u32(lent)) * OFFSET_BYTES)
        written(ctx, load_u64(lent + ENDS_AT), u64(load_u32(lent)) * OFFSET_BYTES)
        return
    if allocator(regex) == 0:  # nothing found, or no places are wanted
        set_allocator(regex, who)
        return
    n_given = u64(load_u32(lent))
    n_kept = u64(0) if who == 0 else u64(load_u32(registers))
    written(ctx, registers, REGISTERS_BYTES)
    take_offsets(ctx, registers + STARTS_AT, n_kept, load_u64(lent + STARTS_AT), n_given)
    take_offsets(ctx, registers + ENDS_AT, n_kept, load_u64(lent + ENDS_AT), n_given)
    store_u32(registers, u32(max(n_given, n_kept)))


@kernel
def read_text(ctx: Context, text: u64, n_bytes: i32) -> None:
    """A text that is given with its length."""
    if n_bytes > 0:
        read(ctx, text, u64(n_bytes))


@kernel
def i_re_search(
    ctx: Context, regex: u64, text: u64, n_bytes: i32, start: i32, span: i32, registers: u64
) -> i32:
    """re_search."""
    read_text(ctx, text, n_bytes)
    who = allocator(regex)
    lent = lent_registers(regex, registers)
    found = real_re_search(regex, text, u64(n_bytes), u64(start), u64(span), lent)
    take_registers(ctx, regex, registers, who, lent)
    return i32(u32(found))


@kernel
def i_re_match(
    ctx: Context, regex: u64, text: u64, n_bytes: i32, start: i32, registers: u64
) -> i32:
    """re_match."""
    read_text(ctx, text, n_bytes)
    who = allocator(regex)
    lent = lent_registers(regex, registers)
    found = real_re_match(regex, text, u64(n_bytes), u64(start), lent)
    take_registers(ctx, regex, registers, who, lent)
    return i32(u32(found))


@kernel
def i_re_search_2(
    ctx: Context, regex: u64, first: u64, n_first: i32, second: u64, n_second: i32, start: i32,
    span: i32, registers: u64, stop: i32,
) -> i32:  # fmt: skip
    """re_search_2: a text in two parts."""
    read_text(ctx, first, n_first)
    read_text(ctx, second, n_second)
    who = allocator(regex)
    lent = lent_registers(regex, registers)
    found = real_re_search_2(
        regex, first, u64(n_first), second, u64(n_second), u64(start), u64(span), lent, u64(stop)
    )
    take_registers(ctx, regex, registers, who, lent)
    return i32(u32(found))


@kernel
def i_re_match_2(
    ctx: Context, regex: u64, first: u64, n_first: i32, second: u64, n_second: i32, start: i32,
    registers: u64, stop: i32,
) -> i32:  # fmt: skip
    """re_match_2."""
    read_text(ctx, first, n_first)
    read_text(ctx, second, n_second)
    who = allocator(regex)
    lent = lent_registers(regex, registers)
    found = real_re_match_2(
        regex, first, u64(n_first), second, u64(n_second), u64(start), lent, u64(stop)
    )
    take_registers(ctx, regex, registers, who, lent)
    return i32(u32(found))


EXPORTS = (
    Export("void regfree(ptr)", kernel="free_parts", then_real=True),
    Export("ptr re_compile_pattern(ptr,u64,ptr)", kernel="pattern_written", real_first=True,
           takes=(2,), before="ask_pattern"),
    Export("i32 re_compile_fastmap(ptr)", kernel="fast_map_written", real_first=True),
    Export("i32 re_search(ptr,ptr,i32,i32,i32,ptr)", kernel="i_re_search"),
    Export("i32 re_match(ptr,ptr,i32,i32,ptr)", kernel="i_re_match"),
    Export("i32 re_search_2(ptr,ptr,i32,ptr,i32,i32,i32,ptr,i32)", kernel="i_re_search_2"),
    Export("i32 re_match_2(ptr,ptr,i32,ptr,i32,i32,ptr,i32)", kernel="i_re_match_2"),
    Export("void re_set_registers(ptr,ptr,u32,ptr,ptr)", kernel="written", real_first=True,
           takes=(1,), constants=(REGISTERS_BYTES,)),
)  # fmt: skip
