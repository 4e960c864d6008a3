"""The errno that the guest sees."""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32

U64_0 = np.uint64(0)


@kernel("void(ctx,u32)")
def set_errno(ctx: Any, number: Any) -> None:
    """Set the errno that the guest sees."""
    if ctx.errno_addr != U64_0:
        store_u32(ctx.errno_addr, number)


@kernel("b1(ctx,u32)")
def is_errno(ctx: Any, number: Any) -> Any:
    """Whether the errno that the guest sees is `number`."""
    return ctx.errno_addr != U64_0 and load_u32(ctx.errno_addr) == number
