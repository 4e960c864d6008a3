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

from typing import Any

import numpy as np

from irsan.runtime.kernels.depot import U64_GOLDEN
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.provenance.provenance_objects import (
    ALIVE,
    ROW_EXTENT,
    ROW_LO,
    ROW_STATE,
    id_to_row,
    is_known,
    object_at,
)
from irsan.runtime.kernels.provenance.provenance_use import (
    provenance_expose_pointer,
    provenance_show,
)
from irsan.runtime.records import provenance_records as pr

MAX_PROBES = 64
U64_0 = np.uint64(0)
U64_8 = np.uint64(8)
U64_PAIR_BYTES = np.uint64(16)
U64_MAX_SHOWN_BYTES = np.uint64(pr.MAX_SHOWN_BYTES)
U64_FUNCTIONS = np.uint64(pr.FUNCTIONS)
U64_HASH_SHIFT = np.uint64(64 - pr.FUNCTION_BITS)
U64_LAST_FUNCTION = np.uint64((1 << pr.FUNCTION_BITS) - 1)
U64_VECTORS_AT = np.uint64(16)  # of a msghdr, beside their number
U64_HEADER_BYTES = np.uint64(56)


@kernel("u64(u64)")
def function_to_place(function: Any) -> Any:
    """Where a checked function is noted, or the free place for it; 0: too many have its place."""
    index = (function * U64_GOLDEN) >> U64_HASH_SHIFT
    for _ in range(MAX_PROBES):
        place = U64_FUNCTIONS + index * U64_8
        known = load_u64(place)
        if known == function or known == U64_0:
            return place
        index = (index + np.uint64(1)) & U64_LAST_FUNCTION
    return U64_0


@kernel("void(u64,u64)")
def provenance_functions(table: Any, n_functions: Any) -> None:
    """Note the functions whose addresses are in a table, u64 each."""
    for index in range(n_functions):
        function = load_u64(table + np.uint64(index) * U64_8)
        place = function_to_place(function)
        if place != U64_0:
            store_u64(place, function)


@kernel("b1(u64)")
def is_checked(function: Any) -> Any:
    """Whether a function tells itself what becomes of its pointers."""
    place = function_to_place(function)
    return place != U64_0 and load_u64(place) == function


@kernel("u64(ctx,u64,u64)")
def bytes_behind(ctx: Any, addr: Any, number: Any) -> Any:
    """From a pointer to the end of its object, or of the one that lies there if it has no id."""
    found = number if number != U64_0 else object_at(ctx, addr)
    if not is_known(found) or load_u64(id_to_row(found) + ROW_STATE) != ALIVE:
        return U64_0
    offset = addr - load_u64(id_to_row(found) + ROW_LO)
    extent = load_u64(id_to_row(found) + ROW_EXTENT)
    return extent - offset if offset < extent else U64_0


@kernel("void(ctx,u64,u64,u64)")
def provenance_called(ctx: Any, function: Any, addr: Any, number: Any) -> None:
    """A function is called with a pointer."""
    if addr == U64_0 or is_checked(function):
        return
    provenance_expose_pointer(ctx, addr, number)
    provenance_show(addr, min(bytes_behind(ctx, addr, number), U64_MAX_SHOWN_BYTES))


@kernel("void(ctx,u64,u64)")
def provenance_vectors(ctx: Any, table: Any, n_vectors: Any) -> None:
    """Memory leaves the program by an array of struct iovec, as far as that is one object."""
    n_held = bytes_behind(ctx, table, U64_0) // U64_PAIR_BYTES
    for index in range(min(n_vectors, n_held)):
        pair = table + np.uint64(index) * U64_PAIR_BYTES
        provenance_show(load_u64(pair), load_u64(pair + U64_8))


@kernel("void(ctx,u64,u64,u64)")
def provenance_messages(ctx: Any, at: Any, n_messages: Any, stride_bytes: Any) -> None:
    """The same for messages, struct msghdr or mmsghdr."""
    n_held = (bytes_behind(ctx, at, U64_0) + stride_bytes - U64_HEADER_BYTES) // stride_bytes
    for index in range(min(n_messages, n_held)):
        vectors = at + np.uint64(index) * stride_bytes + U64_VECTORS_AT
        provenance_vectors(ctx, load_u64(vectors), load_u64(vectors + U64_8))
