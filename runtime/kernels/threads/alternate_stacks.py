"""The alternate signal stack of each thread: where it is kept, and whose it is.

    ALTERNATE_STACKS + slot * ROW_BYTES    stack_t (24 bytes) | number of the owner + 1, 0: nobody

A slot is used again by another thread, so a row counts only while its owner runs there.  Setting a
stack is glue (engine/glue/templates/signals/alternate_stacks.ll), because it calls the C library.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads.signal_records import ALTERNATE_STACKS

ROW_BYTES: Final = 32
OWNER: Final = 24


@kernel
def alternate_stack_place(ctx: Context) -> u64:
    """Address of the stack_t of the running thread, which may be another's."""
    return ALTERNATE_STACKS + thread_at(ctx.thread).slot * ROW_BYTES


@kernel
def has_alternate_stack(ctx: Context) -> bool:
    """Whether the running thread has set an alternate stack."""
    owner = load_u64(alternate_stack_place(ctx) + OWNER)
    return owner == thread_at(ctx.thread).tid + 1


@kernel
def alternate_stack_set(ctx: Context, is_one: bool) -> None:
    """The running thread has set its alternate stack, or has none from now on."""
    owner = thread_at(ctx.thread).tid + 1 if is_one else u64(0)
    store_u64(alternate_stack_place(ctx) + OWNER, owner)
