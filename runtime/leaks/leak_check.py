"""One leak search: roots and flood by the kernels, then the rest, grouped by stack.

    roots -> leak_scan -> leak_flood -> leak_indirect -> chunks still UNREACHED or INDIRECT
          -> groups of equal (allocation stack, direct or indirect)

The gathering is a few numpy operations over all chunk records (views/chunk_table.py).

Source: LeakSanitizer's lsan_common.cpp: CheckForLeaks, LeakReport.  A chunk of a cycle that nothing
else points to is an indirect leak, as there: each is pointed to by another leak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.leaks.leak_roots import Range, unreadable_ranges
from irsan.runtime.process_files import read_areas, read_maps
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory import leak_records as lr
from irsan.runtime.views.chunk_table import chunk_records, chunk_rows, live_numbers
from irsan.runtime.views.heap_view import addr_to_chunk, heap_top
from irsan.runtime.views.mappings import enter_heap

MAX_OBJECTS: Final = 1000  # blocks listed per group
_DIRECT_BIT: Final = 1 << 32

Kernel = Callable[..., int]


@dataclass(frozen=True, slots=True)
class LeakGroup:
    """All leaked chunks with one allocation stack that are direct, or that are indirect.

    objects: (address, size in bytes) of the first MAX_OBJECTS; sequence: of the oldest chunk.
    """

    alloc_stack: int
    alloc_tid: int
    is_direct: bool
    total_bytes: int
    n_objects: int
    objects: tuple[tuple[int, int], ...]
    sequence: int


def find_leaks(
    ctx: Any, kernel: Kernel, roots: Iterable[Range], options: int,
    doubtful: Iterable[Range] = (), of_libraries: Iterable[Range] = (),
) -> list[LeakGroup]:  # fmt: skip
    """Search once; groups by age of their oldest chunk.

    kernel    calls a host kernel by name;  options  bits of leak_records.OPTIONS
    doubtful  roots where only the beginning of a block counts
    of_libraries    roots from which blocks of the C library's heap are passed through, too
    """
    _prepare(ctx, options)
    kernel("leak_begin")
    for ranges, bits in ((roots, 0), (of_libraries, lr.PASSES_C_HEAP), (doubtful, lr.STARTS_ONLY)):
        ctx["leaks"]["options"] = options | bits
        for lo, hi in ranges:
            kernel("leak_scan", lo, hi)
    ctx["leaks"]["options"] = options
    kernel("leak_flood")
    kernel("leak_indirect")
    return _groups(leaked_chunks(ctx))


def _counted_bytes(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What each lost block counts for: one of no bytes counts for one, as natively."""
    counted: np.ndarray[Any, Any] = np.maximum(rows["size_bytes"], 1)
    return counted


def leaked_chunks(ctx: Any) -> np.ndarray[Any, Any]:
    """The live chunks that the last search has not reached, as rows of chunk_table.ROW_DTYPE."""
    records = chunk_records(ctx)
    numbers = live_numbers(records)
    mark = records["mark"][numbers]
    return chunk_rows(ctx, records, numbers[(mark == lr.UNREACHED) | (mark == lr.INDIRECT)])


def ignore_stacks(ctx: Any, stacks: Iterable[int]) -> None:
    """Live chunks allocated at these stacks are no leaks, nor is what they point to."""
    wanted = np.fromiter(stacks, dtype=np.uint32)
    records = chunk_records(ctx)
    numbers = live_numbers(records)
    found = np.isin(chunk_rows(ctx, records, numbers)["alloc_stack"], wanted)
    records["mark"][numbers[found]] = lr.IGNORED


def never_a_leak(ctx: Any, addr: int) -> None:
    """The chunk at `addr` is irsan's own: no pointer to it is needed."""
    chunk = addr_to_chunk(ctx, addr)
    if chunk is not None:
        arena.view_record(chunk.record, hr.CHUNK_DTYPE)["mark"] = lr.IGNORED


def _objects(rows: np.ndarray[Any, Any]) -> tuple[tuple[int, int], ...]:
    return tuple(zip(rows["begin"].tolist(), _counted_bytes(rows).tolist(), strict=True))


def _prepare(ctx: Any, options: int) -> None:
    leaks = ctx["leaks"]
    leaks["options"] = options
    arena.discard(lr.SEEN, lr.SEEN_BYTES)
    pool_lo, pool_bytes = int(ctx["guarded"]["pool_lo"]), int(ctx["guarded"]["pool_bytes"])
    pool = (pool_lo, pool_lo + pool_bytes)
    top = heap_top(ctx)
    barred = unreadable_ranges(_areas_below(top), top, pool)[: lr.MAX_ROWS]
    leaks["n_barred"] = len(barred)
    for index, row in enumerate(barred):
        arena.view_words(lr.BARRED + index * lr.ROW_BYTES, 2)[:] = row
    lo, hi = enter_heap(ctx)
    leaks["c_heap_lo"], leaks["c_heap_bytes"] = lo, min(hi - lo, lr.SEEN_BYTES * 128)


def _areas_below(top: int) -> str:
    """Lines of the kernel's list about globals and the heap, which ends at `top`.

    The whole list has two thousand in a process that goes on from a saved one, which takes longer
    than the search of a small program.
    """
    globals_ = read_areas(memory_map.GLOBALS_LO, memory_map.GLOBALS_HI)
    heap = read_areas(memory_map.HEAP_LO, top)
    return read_maps() if globals_ is None or heap is None else f"{globals_}\n{heap}"


def _groups(chunks: np.ndarray[Any, Any]) -> list[LeakGroup]:
    keys = chunks["alloc_stack"].astype(np.uint64)
    keys[chunks["mark"] == lr.UNREACHED] |= np.uint64(_DIRECT_BIT)
    order = np.lexsort((chunks["sequence"], keys))
    chunks, keys = chunks[order], keys[order]
    edges = np.flatnonzero(np.diff(keys)) + 1
    found = list(_groups_between([0, *edges.tolist(), len(chunks)], chunks, keys))
    return sorted(found, key=lambda group: group.sequence)


def _groups_between(
    edges: list[int], chunks: np.ndarray[Any, Any], keys: np.ndarray[Any, Any]
) -> Iterator[LeakGroup]:
    for first, last in pairwise(edges):
        if first == last:
            continue
        rows = chunks[first:last]
        yield LeakGroup(
            alloc_stack=int(rows["alloc_stack"][0]),
            alloc_tid=int(rows["alloc_tid"][0]),
            is_direct=bool(int(keys[first]) & _DIRECT_BIT),
            total_bytes=int(_counted_bytes(rows).sum()),
            n_objects=len(rows),
            objects=_objects(rows[:MAX_OBJECTS]),
            sequence=int(rows["sequence"][0]),
        )
