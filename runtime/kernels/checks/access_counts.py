"""DumbSanitizer's kernel: how often each address was accessed.

    entry = hash(address); while it belongs to another address: the next one

A hash table with open addressing and linear probing, in memory that costs nothing until it is
touched. When 7 of 8 entries are taken, accesses to further addresses are only counted together.

Source: Knuth, TAOCP 3, 6.4 (linear probing, multiplicative hashing).
Soundness: counts are exact; an access counts for the address of its first byte.
Invariants: an entry once taken stays its address's; no entry between an address's hash and its
entry is empty.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.memory import count_records as cr
from irsan.runtime.records.memory.count_records import MAX_ADDRESSES, TABLE

COUNT = 8 * cr.COUNT
SITE = 8 * cr.SITE
ENTRY = 8 * cr.ENTRY_WORDS
LAST = cr.N_ENTRIES - 1
SHIFT = 64 - cr.ENTRY_BITS
GOLDEN = 0x9E37_79B9_7F4A_7C15  # 2^64 / golden ratio


@kernel
def count_access(ctx: Context, addr: u64, site: u32) -> None:
    """Count one access to `addr`, which is not 0.  O(1) expected."""
    index = (addr * GOLDEN) >> SHIFT
    entry = TABLE + index * ENTRY
    while load_u64(entry) != addr:
        if load_u64(entry) == 0:
            if ctx.counts.n_addresses >= MAX_ADDRESSES or addr == 0:
                ctx.counts.n_lost += 1
                return
            ctx.counts.n_addresses += 1
            store_u64(entry, addr)
            store_u64(entry + SITE, u64(site))
            break
        index = (index + 1) & LAST
        entry = TABLE + index * ENTRY
    store_u64(entry + COUNT, load_u64(entry + COUNT) + 1)
