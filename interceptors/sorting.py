"""qsort: the array is checked, then the host's qsort works on the guest's own stack.

The comparator is guest code: it runs, and may switch threads, while no routine is in progress.
bsearch and lfind touch nothing themselves, their comparators do, so they need no interceptor.

Source: the qsort interceptor of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.touches import KIND_WRITE, memory_access
from irsan.runtime.kernels.kernel import kernel

U64_2 = np.uint64(2)
U64_32 = np.uint64(32)
U64_0 = np.uint64(0)


@kernel("b1(ctx,u64,u64,u64)")
def check_qsort(ctx: Any, array: Any, n_items: Any, item_bytes: Any) -> Any:
    """qsort and qsort_r move every item; a product that overflows is left to the library."""
    if n_items < U64_2 or ((n_items | item_bytes) >> U64_32) != U64_0:
        return True
    return memory_access(ctx, array, n_items * item_bytes, KIND_WRITE)


EXPORTS = (
    Export("void qsort(ptr,u64,u64,ptr)", kernel="check_qsort", then_real=True),
    Export("void qsort_r(ptr,u64,u64,ptr,ptr)", kernel="check_qsort", then_real=True),
)
