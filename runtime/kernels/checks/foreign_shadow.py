"""The shadow of memory outside the arena: it says "ask", or, where no fault can come, "fine".

    at first              inaccessible; the fault handler makes fe of it, so that each access is
                          looked up (foreign.py)
    SIGSEGV is handled,   zero for good: such a program cannot have the fault, and a wild access is
    or blocked at start   what it is natively

What the handler does: engine/guest/arena_gaps.py.  The 256 KiB around the null pointer are fe.
What else lies below the arena can be looked at in a handler of SIGSEGV, too: a Python whose own
addresses are fixed has its copy of `stdout` there.

Soundness: what is not looked up is no finding before the processor refuses it, as in
AddressSanitizer.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_function, real_memset
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.shadow_bytes import INTERNAL

SIGSEGV = libc.constant("SIGSEGV")
SEGV_BIT = 1 << (SIGSEGV - 1)
READ_WRITE = 3
FLAGS = sum(
    libc.constant(name) for name in ("MAP_PRIVATE", "MAP_FIXED", "MAP_ANONYMOUS", "MAP_NORESERVE")
)
NO_FILE = 0xFFFF_FFFF_FFFF_FFFF

NULL_LO = memory_map.SHADOW_OFFSET
NULL_BYTES = 32 << 10  # of shadow
BELOW_LO = NULL_LO + NULL_BYTES
BELOW_BYTES = memory_map.ASAN_SHADOW - BELOW_LO
ZONE_SHADOW_LO = memory_map.addr_to_shadow(ZONE_LO)
ZONE_SHADOW_BYTES = (memory_map.ARENA_HI - ZONE_LO) >> 3
ABOVE_LO = memory_map.ARENA_HI
ABOVE_BYTES = memory_map.SHADOW_HI - memory_map.ARENA_HI

real_mmap = real_function("mmap", 6)


@kernel
def make_zero(shadow: u64, n_bytes: u64) -> None:
    """Shadow reads zero, and can be read and written."""
    real_mmap(shadow, n_bytes, READ_WRITE, FLAGS, NO_FILE, 0)


@kernel(outlined=True)
def stop_asking(ctx: Context) -> None:
    """From now on accesses to memory outside the arena are not looked up.  Once; O(1)."""
    if ctx.sanitize_address == 0 or ctx.foreign.is_unasked != 0:
        return
    ctx.foreign.is_unasked = 1
    make_zero(NULL_LO, NULL_BYTES)
    real_memset(NULL_LO, u64(INTERNAL), NULL_BYTES)
    make_zero(BELOW_LO, BELOW_BYTES)
    make_zero(ZONE_SHADOW_LO, ZONE_SHADOW_BYTES)
    make_zero(ABOVE_LO, ABOVE_BYTES)


@kernel
def action_allows_faults(ctx: Context, number: u64) -> None:
    """A handler is installed."""
    if number == SIGSEGV:
        stop_asking(ctx)
