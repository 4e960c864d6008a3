"""Names of threads, shown in reports: pthread_setname_np and pthread_getname_np."""

from __future__ import annotations

from irsan.interceptors.errno_values import ERANGE, ESRCH, OK
from irsan.interceptors.memory.passed_memory import ask_text, written
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.threads import is_thread
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, store_u8
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import THREAD_DTYPE

NAME_OFFSET = field_offset(THREAD_DTYPE, "name")
NAME_BYTES = 16


@kernel
def store_name(record_addr: u64, name: u64) -> None:
    """Give a thread's record a name of up to 15 bytes, shown in reports."""
    target = record_addr + NAME_OFFSET
    for i in range(NAME_BYTES - 1):
        byte = load_u8(name + u64(i))
        store_u8(target + u64(i), byte)
        if byte == 0:
            return
    store_u8(target + u64(NAME_BYTES - 1), 0)


@kernel
def i_pthread_setname(ctx: Context, handle: u64, name: u64) -> i32:
    """pthread_setname_np."""
    if not is_thread(handle):
        return ESRCH
    ask_text(ctx, name)
    store_name(handle, name)
    return OK


@kernel
def i_pthread_getname(ctx: Context, handle: u64, name: u64, size_bytes: u64) -> i32:
    """pthread_getname_np."""
    if not is_thread(handle):
        return ESRCH
    if size_bytes < NAME_BYTES:
        return ERANGE
    source = handle + NAME_OFFSET
    written(ctx, name, NAME_BYTES)
    for i in range(NAME_BYTES):
        store_u8(name + u64(i), load_u8(source + u64(i)))
    return OK


EXPORTS = (
    Export("i32 pthread_setname_np(u64,ptr)", kernel="i_pthread_setname"),
    Export("i32 pthread_getname_np(u64,ptr,u64)", kernel="i_pthread_getname"),
)
