"""Code that is not checked gets pointers: what may it make numbers of?

    provenance_functions(table, n)        n functions of the program are checked
    provenance_called(f, addr, id)        f gets a pointer: unless it is checked, the object is
                                          exposed, and those of the pointers that it holds there
    provenance_vectors(table, n)          n pairs of address and size leave the program: iovec
    provenance_messages(at, n, stride)    n headers with such a table in each: msghdr, mmsghdr

Checked functions are in a hash table with linear probing, never removed.  One that finds no place
counts as not checked, which exposes more.

Source: Memarian et al., POPL 2019, section 4: what code that is not modelled may see is exposed.
Deviations: it may follow pointers without end; only those in the first MAX_SHOWN_BYTES behind the
pointer are, so what hangs on further ones is not exposed.
"""

from __future__ import annotations

from irsan.runtime.kernels.depot import GOLDEN
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.provenance.provenance_objects import id_to_row, is_known, object_at
from irsan.runtime.kernels.provenance.provenance_use import (
    provenance_expose_pointer,
    provenance_show,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory import provenance_records as pr
from irsan.runtime.records.memory.provenance_records import (
    ALIVE,
    FUNCTIONS,
    MAX_SHOWN_BYTES,
    ROW_EXTENT,
    ROW_LO,
    ROW_STATE,
)

MAX_PROBES = 64
PAIR_BYTES = 16
HASH_SHIFT = 64 - pr.FUNCTION_BITS
LAST_FUNCTION = (1 << pr.FUNCTION_BITS) - 1
VECTORS_AT = 16  # of a msghdr, beside their number
HEADER_BYTES = 56


@kernel
def function_to_place(function: u64) -> u64:
    """Where a checked function is noted, or the free place for it; 0: too many have its place."""
    index = (function * GOLDEN) >> HASH_SHIFT
    for _ in range(MAX_PROBES):
        place = FUNCTIONS + index * 8
        known = load_u64(place)
        if known == function or known == 0:
            return place
        index = (index + 1) & LAST_FUNCTION
    return 0


@kernel
def provenance_functions(table: u64, n_functions: u64) -> None:
    """Note the functions whose addresses are in a table, u64 each."""
    for index in range(n_functions):
        function = load_u64(table + u64(index) * 8)
        place = function_to_place(function)
        if place != 0:
            store_u64(place, function)


@kernel
def is_checked(function: u64) -> bool:
    """Whether a function reports itself what becomes of its pointers."""
    place = function_to_place(function)
    return place != 0 and load_u64(place) == function


@kernel
def bytes_behind(ctx: Context, addr: u64, number: u64) -> u64:
    """From a pointer to the end of its object, or of the one that lies there if it has no id."""
    found = number if number != 0 else object_at(ctx, addr)
    if not is_known(found) or load_u64(id_to_row(found) + ROW_STATE) != ALIVE:
        return 0
    offset = addr - load_u64(id_to_row(found) + ROW_LO)
    extent = load_u64(id_to_row(found) + ROW_EXTENT)
    return extent - offset if offset < extent else u64(0)


@kernel
def provenance_called(ctx: Context, function: u64, addr: u64, number: u64) -> None:
    """A function is called with a pointer."""
    if addr == 0 or is_checked(function):
        return
    provenance_expose_pointer(ctx, addr, number)
    provenance_show(addr, min(bytes_behind(ctx, addr, number), u64(MAX_SHOWN_BYTES)))


@kernel
def provenance_vectors(ctx: Context, table: u64, n_vectors: u64) -> None:
    """Memory leaves the program by an array of struct iovec, as far as that is one object."""
    n_held = bytes_behind(ctx, table, 0) // PAIR_BYTES
    for index in range(min(n_vectors, n_held)):
        pair = table + u64(index) * PAIR_BYTES
        provenance_show(load_u64(pair), load_u64(pair + 8))


@kernel
def provenance_messages(ctx: Context, at: u64, n_messages: u64, stride_bytes: u64) -> None:
    """The same for messages, struct msghdr or mmsghdr."""
    n_held = (bytes_behind(ctx, at, 0) + stride_bytes - HEADER_BYTES) // stride_bytes
    for index in range(min(n_messages, n_held)):
        vectors = at + u64(index) * stride_bytes + VECTORS_AT
        provenance_vectors(ctx, load_u64(vectors), load_u64(vectors + 8))
