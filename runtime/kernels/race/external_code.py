"""Program counters of a managed language: values that only the program itself can explain.

    __tsan_func_entry(pc), __tsan_write1_pc(p, pc)       bit 60 of pc is set

A stack is made of numbers of 28 bits, so such a program counter gets one: that of its slot in a
hash table with open addressing, which is never emptied.

    EXTERNAL_PCS   u64 per slot; a value lies in one of the MAX_PROBES slots from its own on

The virtual machine calls these hooks out of its own C code.  Where that stands is no place of the
managed program, so it is not on the stack: the managed function takes its place.

Source: ThreadSanitizer's kExternalPCBit (tsan_defs.h); for the table, linear probing (Knuth, TAOCP
3, 6.4).
May miss: with four million values in use, or too many in one place, a value gets no number, and the
stack shows the C code instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import ROUTINE_SITE, callstack_enter
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.layout import external_sites

MAX_PROBES = 64
N_SLOTS = 1 << external_sites.CODE_SLOT_BITS

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_MAX_PROBES = np.uint64(MAX_PROBES)
U64_SLOTS = np.uint64(external_sites.EXTERNAL_PCS)
U64_LAST_SLOT = np.uint64(N_SLOTS - 1)
U64_SLOT_SHIFT = np.uint64(64 - external_sites.CODE_SLOT_BITS)
U64_EXTERNAL_BIT = np.uint64(1 << external_sites.EXTERNAL_PC_BIT)
U64_CODE_ROUTINES = np.uint64(external_sites.CODE_ROUTINES)
U64_ROUTINE_SITE = np.uint64(ROUTINE_SITE)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


@kernel("u64(u64)")
def external_pc_to_routine(pc: Any) -> Any:
    """Number of an external program counter, the same each time; 0 for another one, or no room."""
    if pc & U64_EXTERNAL_BIT == U64_0:
        return U64_0
    slot = (pc * U64_GOLDEN) >> U64_SLOT_SHIFT
    last = slot + U64_MAX_PROBES
    while slot != last:
        place = U64_SLOTS + (slot & U64_LAST_SLOT) * U64_8
        known = load_u64(place)
        if known == U64_0:
            store_u64(place, pc)
        if known == U64_0 or known == pc:
            return U64_CODE_ROUTINES + (slot & U64_LAST_SLOT)
        slot += U64_1
    return U64_0


@kernel("void(ctx,u64)")
def external_entry(ctx: Any, pc: Any) -> None:
    """A managed function was called; `pc` is where, in its caller.  callstack_exit ends it."""
    routine = external_pc_to_routine(pc)
    if routine != U64_0:
        ctx.site = np.uint32(U64_ROUTINE_SITE | routine)
    callstack_enter(ctx)
    if routine != U64_0:
        ctx.site = U32_0


@kernel("b1(ctx)")
def is_in_external_code(ctx: Any) -> Any:
    """Whether the newest call in progress is a managed function's."""
    number = np.uint64(load_u32(ctx.frame_top)) - (U64_ROUTINE_SITE | U64_CODE_ROUTINES)
    return number <= U64_LAST_SLOT
