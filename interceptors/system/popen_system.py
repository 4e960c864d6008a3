"""popen, pclose and system: a child lives meanwhile, and real time is a bound.

A command that leaves a job in the background (`sleep 1; kill $PPID &`) leaves a process that the
program hears of later, so real time stays a bound.

The host does the work. While it waits for the child in pclose or system, no other thread runs.

Source: popen(3), system(3).
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text, check_two_texts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, real_function
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.shared_memory import child_begun, child_ended

FAILED = -1
AMPERSAND = ord("&")
TO_FILE = ord(">")
FROM_FILE = ord("<")

real_popen = real_function("popen", 2)
real_pclose = real_function("pclose", 1)
real_system = real_function("system", 1)


@kernel
def leaves_a_job(command: u64) -> bool:
    """Whether a command of the shell has an `&` that is no part of `&&`, `>&` or `<&`."""
    before = u64(0)
    at = command
    here = u64(load_u8(at))
    while here != 0:
        is_pair = here == AMPERSAND and u64(load_u8(at + 1)) == AMPERSAND
        if here == AMPERSAND and not is_pair and before != TO_FILE and before != FROM_FILE:
            return True
        at += 1 + u64(is_pair)
        before = here
        here = u64(load_u8(at))
    return False


@kernel
def i_popen(ctx: Context, command: u64, mode: u64) -> u64:
    """popen: a child lives until pclose, or until a wait for it."""
    if not check_two_texts(ctx, command, mode):
        return 0
    stream = real_popen(command, mode)
    if stream != 0:
        child_begun(ctx)
    return stream


@kernel
def i_pclose(ctx: Context, stream: u64) -> i32:
    """pclose: no status when the child was waited for before."""
    status = i32(u32(real_pclose(stream)))
    if status >= 0:
        child_ended(ctx)
    return status


@kernel
def i_system(ctx: Context, command: u64) -> i32:
    """system."""
    if not check_text(ctx, command):
        return FAILED
    child_begun(ctx)
    status = i32(u32(real_system(command)))
    if command == 0 or not leaves_a_job(command):
        child_ended(ctx)
    return status


EXPORTS = (
    Export("ptr popen(ptr,ptr)", kernel="i_popen"),
    Export("i32 pclose(ptr)", kernel="i_pclose"),
    Export("i32 system(ptr)", kernel="i_system"),
)
