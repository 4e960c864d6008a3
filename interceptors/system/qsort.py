"""qsort, bsearch: the array is checked, then the host's qsort works on the guest's own stack.

    --sanitize memory     pointers to the items are sorted, the items stay where they are meanwhile
                          a comparator that looks at what was never set is found there
                          then contents, shadow and origins are moved along

The comparator is guest code: it runs, and may switch threads, while no routine is in progress.
Glue compares through the pointers (engine/glue/checks/sorting.py).
bsearch and lfind touch nothing themselves, their comparators do.  Glue looks at what the comparator
of bsearch gives, where results may be unset.

Source: the qsort interceptor of LLVM's sanitizer_common_interceptors.inc.
Deviations: there the comparator is called for all neighbours once more in advance, and the sorted
array counts as initialised.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.touches import permuted_access
from irsan.runtime.kernels.combined.tracked_heap import real_free
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_function,
    real_memcpy,
    store_u64,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    U64_ORIGINS,
    U64_SHADOW,
    bits_clear,
    first_bits,
    has_bits,
    origins_fill,
    tracks_bits,
)

real_malloc = real_function("malloc", 1)

U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_8 = np.uint64(8)
U64_32 = np.uint64(32)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)


@kernel("b1(ctx,u64,u64,u64)")
def check_qsort(ctx: Any, array: Any, n_items: Any, item_bytes: Any) -> Any:
    """qsort and qsort_r move every item; a product that overflows is left to the library."""
    if n_items < U64_2 or ((n_items | item_bytes) >> U64_32) != U64_0:
        return True
    return permuted_access(ctx, array, n_items * item_bytes)


@kernel("u64(ctx,u64,u64,u64)")
def begin_sorting(ctx: Any, array: Any, n_items: Any, item_bytes: Any) -> Any:
    """A list of pointers to the items; 0 when the array itself is to be sorted."""
    is_strange = n_items < U64_2 or ((n_items | item_bytes) >> U64_32) != U64_0
    if is_strange or not tracks_bits() or not has_bits(array, n_items * item_bytes):
        return U64_0
    places = real_malloc(n_items * U64_8)
    if places == U64_0:
        return U64_0
    for i in range(n_items):
        store_u64(places + np.uint64(i) * U64_8, array + np.uint64(i) * item_bytes)
    return places


@kernel("void(ctx,u64,u64,u64,u64)")
def permute_origins(ctx: Any, target: Any, item_bytes: Any, before: Any, offset: Any) -> None:
    """Origins of one item with set bits; `before`: a copy of all, `offset`: of the item in it."""
    i = first_bits(target, item_bytes)
    while i < item_bytes:
        origins_fill(target + i, U64_1, load_u32(before + ((offset + i) & ~U64_3)))
        i += U64_1
        i += first_bits(target + i, item_bytes - i)


@kernel("void(ctx,u64,u64,u64,u64)")
def permute_bits(ctx: Any, places: Any, array: Any, n_items: Any, item_bytes: Any) -> None:
    """Shadow and origins of the items go where the items go."""
    size_bytes = n_items * item_bytes
    if first_bits(array, size_bytes) == size_bytes:
        return
    skew = array & U64_3
    bits, origins = real_malloc(size_bytes), real_malloc(size_bytes + U64_8)
    if bits == U64_0 or origins == U64_0:
        bits_clear(ctx, array, size_bytes)
    else:
        real_memcpy(bits, array + U64_SHADOW, size_bytes)
        real_memcpy(origins, array - skew + U64_ORIGINS, (size_bytes + skew + U64_3) & ~U64_3)
        for i in range(n_items):
            target = array + np.uint64(i) * item_bytes
            offset = load_u64(places + np.uint64(i) * U64_8) - array
            real_memcpy(target + U64_SHADOW, bits + offset, item_bytes)
            permute_origins(ctx, target, item_bytes, origins, offset + skew)
    real_free(bits)
    real_free(origins)


@kernel("void(ctx,u64,u64,u64,u64)")
def end_sorting(ctx: Any, places: Any, array: Any, n_items: Any, item_bytes: Any) -> None:
    """Move the items into the order that their pointers have now, and give the list back."""
    size_bytes = n_items * item_bytes
    copy = real_malloc(size_bytes)
    if copy != U64_0:
        real_memcpy(copy, array, size_bytes)
        for i in range(n_items):
            source = load_u64(places + np.uint64(i) * U64_8) - array + copy
            real_memcpy(array + np.uint64(i) * item_bytes, source, item_bytes)
        permute_bits(ctx, places, array, n_items, item_bytes)
        real_free(copy)
    real_free(places)


@kernel("b1(ctx,u64)")
def needs_search(_ctx: Any, _key: Any) -> Any:
    """bsearch: the library does it."""
    return True


EXPORTS = (
    Export("void qsort(ptr,u64,u64,ptr)", kernel="check_qsort", then_real=True,
           real="irsan_sort"),
    Export("void qsort_r(ptr,u64,u64,ptr,ptr)", kernel="check_qsort", then_real=True,
           real="irsan_sort_with"),
    Export("ptr bsearch(ptr,ptr,u64,u64,ptr)", kernel="needs_search", then_real=True,
           real="irsan_search"),
)  # fmt: skip
