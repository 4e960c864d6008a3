"""The heap as reports and leak search see it: chunks by address, neighbours, all chunks in order.

Reads the allocator's tables (heap_records.py) as raw memory, without numba, at any moment: while
the guest is stopped in the middle of a fault too.  Nothing here raises on odd state; what makes no
sense is not found.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.records.memory import heap_records as hr

FAMILY_NAMES = {hr.MALLOC: "malloc", hr.NEW: "operator new", hr.NEW_ARRAY: "operator new []"}
_RELEASE_NAMES = {
    hr.MALLOC: "free",
    hr.NEW: "operator delete",
    hr.NEW_ARRAY: "operator delete []",
}
_MAX_SPAN_CHUNKS = 1 << 20


@dataclass(frozen=True, slots=True)
class Chunk:
    """One block of the heap and who had it last.

    [begin, begin + size_bytes) is what the program asked for, [lo, lo + block_bytes) the block.
    `record` is the address of the chunk record; stacks are stack ids, threads are tids.  Only of a
    live one family and alignment are known.  Of one with overwritten facts stacks, threads and
    number are 0.
    """

    record: int
    lo: int
    block_bytes: int
    begin: int
    size_bytes: int
    state: int
    family: int
    alignment: int
    alloc_stack: int
    alloc_tid: int
    free_stack: int
    free_tid: int
    sequence: int
    is_overwritten: bool = False

    @property
    def end(self) -> int:
        """First address after what the program asked for."""
        return self.begin + self.size_bytes

    @property
    def is_live(self) -> bool:
        return self.state == hr.ALLOCATED

    def holds(self, addr: int) -> bool:
        """Whether `addr` is one of the bytes the program asked for."""
        return self.begin <= addr < self.end


def family_to_release(family: int) -> str:
    """Name of the function that frees a family: free, operator delete, operator delete []."""
    return _RELEASE_NAMES.get(family, "free")


def heap_top(ctx: Any) -> int:
    """First address above the heap in use."""
    return memory_map.HEAP_LO + (int(ctx["heap"]["units"]) << hr.UNIT_BITS)


def addr_to_chunk(ctx: Any, addr: int) -> Chunk | None:
    """The chunk whose block holds `addr`, in whatever state; None when there never was one."""
    span = _span_at(ctx, addr)
    if span is None or int(span["block_bytes"]) == 0:
        return None
    index = (addr - int(span["lo"])) // int(span["block_bytes"])
    if index >= int(span["n_carved"]):
        return None
    return _read_chunk(ctx, span, index)


def are_facts_at(ctx: Any, addr: int) -> bool:
    """Whether the 16 bytes at `addr` are what irsan has written in front of a block."""
    chunk = addr_to_chunk(ctx, addr)
    if chunk is None or chunk.state == hr.NEVER_USED or chunk.is_overwritten:
        return False
    return _facts_place(ctx, chunk.record, chunk.lo) == addr


def chunk_below(ctx: Any, chunk_or_addr: int, limit_bytes: int) -> Chunk | None:
    """Nearest chunk whose block ends at or below an address, at most `limit_bytes` away."""
    unit = hr.UNIT_BYTES
    addr = chunk_or_addr - 1
    lowest = max(memory_map.HEAP_LO, chunk_or_addr - limit_bytes)
    while addr >= lowest:
        span = _span_at(ctx, addr)
        if span is None:
            addr = (addr - memory_map.HEAP_LO) // unit * unit + memory_map.HEAP_LO - 1
            continue
        found = _last_carved(ctx, span, addr)
        if found is not None:
            return found if found.lo + found.block_bytes > lowest else None
        addr = int(span["lo"]) - 1
    return None


def chunk_above(ctx: Any, addr: int, limit_bytes: int) -> Chunk | None:
    """Nearest chunk whose block begins at or above `addr`, at most `limit_bytes` away."""
    top = min(heap_top(ctx), addr + limit_bytes)
    while addr < top:
        span = _span_at(ctx, addr)
        if span is None:
            addr += hr.UNIT_BYTES
            continue
        block = max(int(span["block_bytes"]), 1)
        index = -((int(span["lo"]) - addr) // block)
        if index < int(span["n_carved"]):
            return _read_chunk(ctx, span, index)
        addr = int(span["lo"]) + int(span["size_bytes"])
    return None


def all_chunks(ctx: Any) -> Iterator[Chunk]:
    """Every chunk that was ever handed out and whose record is still kept, by address."""
    addr = memory_map.HEAP_LO
    top = heap_top(ctx)
    while addr < top:
        span = _span_at(ctx, addr)
        if span is None:
            addr += hr.UNIT_BYTES
            continue
        for index in range(min(int(span["n_carved"]), _MAX_SPAN_CHUNKS)):
            yield _read_chunk(ctx, span, index)
        addr = int(span["lo"]) + int(span["size_bytes"])


def live_chunks(ctx: Any) -> Iterator[Chunk]:
    """Every chunk the program has not freed, by address."""
    return (chunk for chunk in all_chunks(ctx) if chunk.is_live)


def record_to_chunk(ctx: Any, record: int) -> Chunk | None:
    """The chunk with this record, found again through its span."""
    span = arena.view_record(_owner(record), hr.SPAN_DTYPE)
    index = (record - int(span["chunks"])) >> hr.CHUNK_BITS
    return addr_to_chunk(ctx, int(span["lo"]) + index * int(span["block_bytes"]))


def quarantine(ctx: Any) -> Iterator[Chunk]:
    """Chunks in the quarantine, oldest first."""
    record = int(ctx["heap"]["quarantine_head"])
    while record != 0:
        chunk = record_to_chunk(ctx, record)
        if chunk is None:
            return
        yield chunk
        number = int(arena.view_record(record, hr.CHUNK_DTYPE)["next"])
        record = hr.CHUNKS_LO + number * hr.CHUNK_BYTES if number else 0


def _span_at(ctx: Any, addr: int) -> np.void | None:
    if not memory_map.HEAP_LO <= addr < heap_top(ctx):
        return None
    unit = (addr - memory_map.HEAP_LO) >> hr.UNIT_BITS
    at = ctypes.c_uint64.from_address(hr.UNIT_TABLE + unit * 8).value
    if not hr.SPANS_LO <= at < hr.CHUNKS_LO:
        return None
    span = arena.view_record(at, hr.SPAN_DTYPE)
    lo, size = int(span["lo"]), int(span["size_bytes"])
    return span if lo <= addr < lo + size else None


def _last_carved(ctx: Any, span: np.void, addr: int) -> Chunk | None:
    block = int(span["block_bytes"])
    n_carved = int(span["n_carved"])
    if block == 0 or n_carved == 0:
        return None
    return _read_chunk(ctx, span, min((addr - int(span["lo"])) // block, n_carved - 1))


def _owner(record: int) -> int:
    """Address of the record of the span that a chunk record belongs to."""
    entry = hr.OWNERS_LO + (record - hr.CHUNKS_LO >> hr.OWNER_BITS) * 4
    return hr.SPANS_LO + (ctypes.c_uint32.from_address(entry).value << hr.SPAN_NUMBER_BITS)


def _read_chunk(ctx: Any, span: np.void, index: int) -> Chunk:
    record = int(span["chunks"]) + index * hr.CHUNK_BYTES
    raw = arena.view_record(record, hr.CHUNK_DTYPE)
    block = int(span["block_bytes"])
    lo = int(span["lo"]) + index * block
    shape = int(raw["shape"])
    state = shape >> hr.STATE_SHIFT
    begin, size_bytes = _placed(span, lo, shape)
    is_live = state == hr.ALLOCATED
    align_log = int(raw["align_log"]) if is_live else 0
    place = _facts_place(ctx, record, lo) if state != hr.NEVER_USED else 0
    facts = arena.view_record(place, hr.FACTS_DTYPE) if place else None
    is_overwritten = facts is not None and int(hr.facts_check(facts)) != int(facts["check"])
    return Chunk(
        record=record,
        lo=lo,
        block_bytes=block,
        begin=begin,
        size_bytes=size_bytes,
        state=state,
        family=int(raw["family"]) if is_live else 0,
        alignment=1 << align_log if align_log else 0,
        **_told(record, None if is_overwritten else facts),
        is_overwritten=is_overwritten,
    )


def _placed(span: np.void, lo: int, shape: int) -> tuple[int, int]:
    """Where the program's part begins, and its size."""
    size_class = int(span["size_class"])
    if size_class == hr.LARGE_CLASS:
        return int(span["large_begin"]), int(span["large_bytes"])
    offset = shape >> hr.OFFSET_SHIFT & hr.OFFSET_MASK
    if size_class != hr.GUARDED_CLASS:
        offset <<= hr.OFFSET_UNIT_BITS
    return lo + offset, shape & hr.SIZE_MASK


def _facts_place(ctx: Any, record: int, lo: int) -> int:
    """Address of the facts of a chunk; 0 for an ordinary block of a plain heap."""
    owner = _owner(record)
    size_class = int(arena.view_record(owner, hr.SPAN_DTYPE)["size_class"])
    if size_class == hr.LARGE_CLASS:
        return owner + hr.SPAN_FACTS
    if size_class == hr.GUARDED_CLASS:
        slot = record - int(ctx["guarded"]["chunks"]) >> hr.CHUNK_BITS
        return gr.SLOTS_LO + slot * gr.SLOT_BYTES + gr.FACTS_OFFSET
    return 0 if int(ctx["heap"]["is_plain"]) else lo


def _told(record: int, facts: np.void | None) -> dict[str, int]:
    """Stacks, threads and number; 0 where nothing is known."""
    names = ("alloc_stack", "alloc_tid", "free_stack", "free_tid", "sequence")
    if facts is None:
        return dict.fromkeys(names, 0)
    told = {name: int(facts[name]) for name in names}
    wide = _wide_row(record)
    for name in ("alloc_tid", "free_tid"):
        if told[name] == hr.MANY_THREADS:
            told[name] = int(wide[name])
    told["sequence"] |= int(wide["sequence_high"]) << 32
    return told


def _wide_row(record: int) -> np.void:
    number = (record - hr.CHUNKS_LO) >> hr.CHUNK_BITS
    return arena.view_record(hr.WIDE_LO + number * hr.WIDE_BYTES, hr.WIDE_DTYPE)
