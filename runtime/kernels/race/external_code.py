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

from irsan.runtime.kernels.callstack import ROUTINE_SITE, callstack_enter
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import external_sites
from irsan.runtime.layout.external_sites import CODE_ROUTINES, EXTERNAL_PCS

MAX_PROBES = 64
N_SLOTS = 1 << external_sites.CODE_SLOT_BITS

LAST_SLOT = N_SLOTS - 1
SLOT_SHIFT = 64 - external_sites.CODE_SLOT_BITS
EXTERNAL_BIT = 1 << external_sites.EXTERNAL_PC_BIT
GOLDEN = 0x9E37_79B9_7F4A_7C15


@kernel
def external_pc_to_routine(pc: u64) -> u64:
    """Number of an external program counter, the same each time; 0 for another one, or no room."""
    if pc & EXTERNAL_BIT == 0:
        return 0
    slot = (pc * GOLDEN) >> SLOT_SHIFT
    last = slot + MAX_PROBES
    while slot != last:
        place = EXTERNAL_PCS + (slot & LAST_SLOT) * 8
        known = load_u64(place)
        if known == 0:
            store_u64(place, pc)
        if known == 0 or known == pc:
            return CODE_ROUTINES + (slot & LAST_SLOT)
        slot += 1
    return 0


@kernel
def external_entry(ctx: Context, pc: u64) -> None:
    """A managed function was called; `pc` is where, in its caller.  callstack_exit ends it."""
    routine = external_pc_to_routine(pc)
    if routine != 0:
        ctx.site = u32(ROUTINE_SITE | routine)
    callstack_enter(ctx)
    if routine != 0:
        ctx.site = 0


@kernel
def is_in_external_code(ctx: Context) -> bool:
    """Whether the newest call in progress is a managed function's."""
    number = u64(load_u32(ctx.frame_top)) - (u64(ROUTINE_SITE) | CODE_ROUTINES)
    return number <= LAST_SLOT
