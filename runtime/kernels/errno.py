"""The errno that the guest sees."""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32


@kernel
def set_errno(ctx: Context, number: u32) -> None:
    """Set the errno that the guest sees."""
    if ctx.c_library.errno_addr != 0:
        store_u32(ctx.c_library.errno_addr, number)


@kernel
def is_errno(ctx: Context, number: u32) -> bool:
    """Whether the errno that the guest sees is `number`."""
    return ctx.c_library.errno_addr != 0 and load_u32(ctx.c_library.errno_addr) == number
