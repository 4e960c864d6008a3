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

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.records import count_records as cr

N_ADDRESSES = cr.N_ADDRESSES
N_LOST = cr.N_LOST

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_COUNT = np.uint64(8 * cr.COUNT)
U64_SITE = np.uint64(8 * cr.SITE)
U64_ENTRY = np.uint64(8 * cr.ENTRY_WORDS)
U64_TABLE = np.uint64(cr.TABLE)
U64_LAST = np.uint64(cr.N_ENTRIES - 1)
U64_MAX_ADDRESSES = np.uint64(cr.MAX_ADDRESSES)
U64_SHIFT = np.uint64(64 - cr.ENTRY_BITS)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)  # 2^64 / golden ratio


@kernel("void(ctx,u64,u32)")
def count_access(ctx: Any, addr: Any, site: Any) -> None:
    """Count one access to `addr`, which is not 0.  O(1) expected."""
    index = (addr * U64_GOLDEN) >> U64_SHIFT
    entry = U64_TABLE + index * U64_ENTRY
    while load_u64(entry) != addr:
        if load_u64(entry) == U64_0:
            if ctx.counts[N_ADDRESSES] >= U64_MAX_ADDRESSES or addr == U64_0:
                ctx.counts[N_LOST] += U64_1
                return
            ctx.counts[N_ADDRESSES] += U64_1
            store_u64(entry, addr)
            store_u64(entry + U64_SITE, np.uint64(site))
            break
        index = (index + U64_1) & U64_LAST
        entry = U64_TABLE + index * U64_ENTRY
    store_u64(entry + U64_COUNT, load_u64(entry + U64_COUNT) + U64_1)
