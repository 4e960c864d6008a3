"""qsort, bsearch: the array is checked, then the host's qsort works on the guest's own stack.

    --sanitize memory     pointers to the items are sorted, the items stay where they are meanwhile
                          a comparator that looks at what was never set is found there
                          then contents, shadow and origins are moved along

The comparator is guest code: it runs, and may switch threads, while no routine is in progress.
Glue compares through the pointers (engine/glue/templates/sorting.ll).
bsearch and lfind touch nothing themselves, their comparators do.  Glue looks at what the comparator
of bsearch gives, where results may be unset.

Source: the qsort interceptor of LLVM's sanitizer_common_interceptors.inc.
Deviations: there the comparator is called for all neighbours once more in advance, and the sorted
array counts as initialised.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    bits_clear,
    first_bits,
    has_bits,
    origins_fill,
    tracks_bits,
)
from irsan.runtime.layout.uninit_layout import ORIGIN_BIAS, SHADOW_BIAS

real_malloc = real_function("malloc", 1)


@kernel
def check_qsort(ctx: Context, array: u64, n_items: u64, item_bytes: u64) -> bool:
    """qsort and qsort_r move every item; a product that overflows is left to the library."""
    if n_items < 2 or ((n_items | item_bytes) >> 32) != 0:
        return True
    return permuted_access(ctx, array, n_items * item_bytes)


@kernel
def begin_sorting(ctx: Context, array: u64, n_items: u64, item_bytes: u64) -> u64:
    """A list of pointers to the items; 0 when the array itself is to be sorted."""
    is_strange = n_items < 2 or ((n_items | item_bytes) >> 32) != 0
    if is_strange or not tracks_bits() or not has_bits(array, n_items * item_bytes):
        return 0
    places = real_malloc(n_items * 8)
    if places == 0:
        return 0
    for i in range(n_items):
        store_u64(places + u64(i) * 8, array + u64(i) * item_bytes)
    return places


@kernel
def permute_origins(ctx: Context, target: u64, item_bytes: u64, before: u64, offset: u64) -> None:
    """Origins of one item with set bits; `before`: a copy of all, `offset`: of the item in it."""
    i = first_bits(target, item_bytes)
    while i < item_bytes:
        origins_fill(target + i, 1, load_u32(before + ((offset + i) & ~u64(3))))
        i += 1
        i += first_bits(target + i, item_bytes - i)


@kernel
def permute_bits(ctx: Context, places: u64, array: u64, n_items: u64, item_bytes: u64) -> None:
    """Shadow and origins of the items go where the items go."""
    size_bytes = n_items * item_bytes
    if first_bits(array, size_bytes) == size_bytes:
        return
    skew = array & 3
    bits, origins = real_malloc(size_bytes), real_malloc(size_bytes + 8)
    if bits == 0 or origins == 0:
        bits_clear(ctx, array, size_bytes)
    else:
        real_memcpy(bits, array + SHADOW_BIAS, size_bytes)
        real_memcpy(origins, array - skew + ORIGIN_BIAS, (size_bytes + skew + 3) & ~u64(3))
        for i in range(n_items):
            target = array + u64(i) * item_bytes
            offset = load_u64(places + u64(i) * 8) - array
            real_memcpy(target + SHADOW_BIAS, bits + offset, item_bytes)
            permute_origins(ctx, target, item_bytes, origins, offset + skew)
    real_free(bits)
    real_free(origins)


@kernel
def end_sorting(ctx: Context, places: u64, array: u64, n_items: u64, item_bytes: u64) -> None:
    """Move the items into the order that their pointers have now, and give the list back."""
    size_bytes = n_items * item_bytes
    copy = real_malloc(size_bytes)
    if copy != 0:
        real_memcpy(copy, array, size_bytes)
        for i in range(n_items):
            source = load_u64(places + u64(i) * 8) - array + copy
            real_memcpy(array + u64(i) * item_bytes, source, item_bytes)
        permute_bits(ctx, places, array, n_items, item_bytes)
        real_free(copy)
    real_free(places)


@kernel
def needs_search(_ctx: Context, _key: u64) -> bool:
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
