"""popen, pclose and system: a child lives meanwhile, and real time is a bound.

The host does the work. While it waits for the child in pclose or system, no other thread runs.

Source: popen(3), system(3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text, check_two_texts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_function
from irsan.runtime.kernels.threads.shared_memory import child_begun, child_ended

U64_0 = np.uint64(0)
I32_0 = np.int32(0)
FAILED = np.int32(-1)

real_popen = real_function("popen", 2)
real_pclose = real_function("pclose", 1)
real_system = real_function("system", 1)


@kernel("u64(ctx,u64,u64)")
def i_popen(ctx: Any, command: Any, mode: Any) -> Any:
    """popen: a child lives until pclose, or until somebody waits for it."""
    if not check_two_texts(ctx, command, mode):
        return U64_0
    stream = real_popen(command, mode)
    if stream != U64_0:
        child_begun(ctx)
    return stream


@kernel("i32(ctx,u64)")
def i_pclose(ctx: Any, stream: Any) -> Any:
    """pclose: no status when somebody has waited for the child before."""
    status = np.int32(np.uint32(real_pclose(stream)))
    if status >= I32_0:
        child_ended(ctx)
    return status


@kernel("i32(ctx,u64)")
def i_system(ctx: Any, command: Any) -> Any:
    """system."""
    if not check_text(ctx, command):
        return FAILED
    child_begun(ctx)
    status = np.int32(np.uint32(real_system(command)))
    child_ended(ctx)
    return status


EXPORTS = (
    Export("ptr popen(ptr,ptr)", kernel="i_popen"),
    Export("i32 pclose(ptr)", kernel="i_pclose"),
    Export("i32 system(ptr)", kernel="i_system"),
)
