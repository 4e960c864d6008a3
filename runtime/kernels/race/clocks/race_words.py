"""Numbers, packed words and places that every race kernel shares.

    epoch   |31   sid 12   20|19        clock 20        0|      0 = never
    meta    |31 bytes 4 28|27        stack id 27        0|      bit 27: see fasttrack.py
    clock   u32 per sid, holding whole epochs of that sid: `e` happens before the owner of a clock
            iff e <= clock[e >> 20], one load and one compare
    kind    bit 0 write, bit 1 atomic, bit 2 free, bit 3 range of an interceptor, bit 4 allocation,
            bit 5 virtual table pointer; bits 3 and 5 are given for the current access only
            bit 7 dead: a free that happens before nothing, so that whoever uses the memory races

`sid` is the detector's number of a thread, reused after its end; `tid` the program's.

    SIDS_ADDR, JOURNAL_ADDR   sid table, journal of who owned which sid when
    FOUND_ADDR, PAIRS_ADDR    races found by the access in progress, pairs already reported
    RECORDS_ADDR              expanded cells, in units of 64 bytes
    EXPANDED_PAGES            u32 per application page: expanded cells in it
    SYNC_PAGES                u32 per application page: sync objects in it
    SYNC_LINES                u32 per 64 application bytes: first sync object in them
    SYNC_OBJECTS              sync objects, 64 bytes each
    ROWS_ADDR                 clocks of sync objects, size classes of 16 GiB
    CLOCKS                    per thread slot: clock, acquire-fence clock, release-fence clock
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map
from irsan.runtime.records.race import race_records
from irsan.runtime.records.subsystems import N_ROW_CLASSES

# -- ctx.race.alone ------------------------------------------------------------------------------
ALONE_OVER: Final = (1 << 64) - 1
ALONE_REFUELS: Final = 4
FULL_CREDIT = 16 << 20  # bytes of big blocks, see big_marks.py
ALONE_FUEL: Final = 1 << 15  # safepoints

# -- epochs and metas ----------------------------------------------------------------------------
SID_BITS: Final = memory_map.SID_BITS
CLOCK_BITS: Final = 32 - SID_BITS
MAX_SIDS: Final = memory_map.MAX_SIDS
CLOCK_MAX: Final = (1 << CLOCK_BITS) - 1
STACK_BITS: Final = 28
STACK_MASK: Final = (1 << STACK_BITS) - 1
EXPANDED_BIT: Final = 59  # of the read half of a cell
N_READER_BITS: Final = 27  # below it: who has read an expanded cell in this generation

# -- kinds of access -----------------------------------------------------------------------------
READ: Final = 0
WRITE: Final = 1
ATOMIC: Final = 2
FREE: Final = 4
RANGE: Final = 8
ALLOCATION: Final = 16
VPTR: Final = 32
DEAD: Final = 128  # 64 is the marker of tsan.py
# No clock knows it: the last one of the last sid, which only 2^20 ticks of that sid reach.
DEAD_EPOCH: Final = (1 << 32) - 1

# Set in ctx.ignore_depth while one thread only has ever existed (or race detection is off): the
# test for ignored accesses is then also the test for "nothing to record yet".
SINGLE: Final = 1 << 32

# -- places --------------------------------------------------------------------------------------
SID_ENTRY_BYTES: Final = race_records.SID_DTYPE.itemsize
SIDS_ADDR: Final = memory_map.table("sids", (MAX_SIDS + 1) * SID_ENTRY_BYTES)
JOURNAL_ENTRY_BYTES: Final = race_records.JOURNAL_DTYPE.itemsize
CAP_JOURNAL: Final = 4 * memory_map.GIB // JOURNAL_ENTRY_BYTES
JOURNAL_ADDR: Final = memory_map.table("race journal", CAP_JOURNAL * JOURNAL_ENTRY_BYTES)
FOUND_BYTES: Final = race_records.FOUND_RACE_DTYPE.itemsize
CAP_FOUND: Final = 4096
CAP_PAIRS: Final = 4096
FOUND_ADDR: Final = memory_map.table("found races", memory_map.MIB + 8 * CAP_PAIRS)
PAIRS_ADDR: Final = FOUND_ADDR + memory_map.MIB
RECORDS_SIZE: Final = 64 << STACK_BITS
RECORDS_ADDR: Final = memory_map.table("race records", RECORDS_SIZE)
PAGE_BYTES: Final = 4096
PAGES_SIZE: Final = memory_map.ARENA_HI // PAGE_BYTES * 4
EXPANDED_PAGES: Final = memory_map.table("expanded pages", PAGES_SIZE)
SYNC_PAGES: Final = memory_map.table("sync pages", PAGES_SIZE)
SYNC_LINES_SIZE: Final = memory_map.ARENA_HI // 16
FOREIGN_LINE_BITS: Final = 20
SYNC_LINES: Final = memory_map.table("sync lines", SYNC_LINES_SIZE + (4 << FOREIGN_LINE_BITS))
FOREIGN_LINES: Final = SYNC_LINES + SYNC_LINES_SIZE
SYNC_OBJECTS: Final = memory_map.table("sync objects", 0)
SYNC_OBJECTS_SIZE: Final = memory_map.room("sync objects")
ROW_CLASS_SIZE: Final = 16 * memory_map.GIB
SYNC_RESERVE: Final = 64 * memory_map.MIB  # of either, for those made until the next tick
ROWS_ADDR: Final = memory_map.table("sync clocks", N_ROW_CLASSES * ROW_CLASS_SIZE)

CLOCK_ROW_BYTES: Final = 4 * MAX_SIDS
CLOCK_SLOT_BYTES: Final = 4 * CLOCK_ROW_BYTES  # clock, acquire fence, release fence, two words
CLOCKS: Final = memory_map.table("clocks", memory_map.MAX_LIVE_THREADS * CLOCK_SLOT_BYTES)
CLOCKS_SIZE: Final = memory_map.MAX_LIVE_THREADS * CLOCK_SLOT_BYTES
FENCED: Final = 3 * CLOCK_ROW_BYTES + 8  # of a slot: its two clocks of fences have been used

# -- words ---------------------------------------------------------------------------------------
EXPANDED: Final = 1 << EXPANDED_BIT
LOW32: Final = 0xFFFF_FFFF
NONE: Final = 0xFFFF_FFFF_FFFF_FFFF
