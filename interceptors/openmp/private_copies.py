"""threadprivate variables that are no thread-locals: __kmpc_threadprivate_cached.

clang makes thread-locals of them unless -fnoopenmp-use-tls is given; then each thread asks here.
The first thread of the program has the variable itself; the others have copies of what it held when
anybody first asked.

Source: OpenMP 5.2, section 5.2; the calls that clang makes.
"""

from __future__ import annotations

from irsan.interceptors.memory.leak_scopes import lsan_ignore
from irsan.interceptors.openmp.members import omp_self
from irsan.interceptors.openmp.omp_memory import omp_take
from irsan.interceptors.openmp.openmp_types import member_at, private_at, settings_at
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate_zeroed
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memcpy
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.records import openmp_records as om
from irsan.runtime.records.openmp_records import TABLE

PRIVATE_BYTES = om.PRIVATE_DTYPE.itemsize
NOBODY = 1  # owner of the first value


@kernel
def find_private(variable: u64, owner: u64) -> u64:
    """A thread's copy of a variable; 0: there is none."""
    found = settings_at(TABLE).privates
    while found != 0:
        private = private_at(found)
        if private.variable == variable and private.owner == owner:
            return private.copy
        found = private.next
    return 0


@kernel
def new_private(ctx: Context, variable: u64, owner: u64, source: u64, n_bytes: u64) -> u64:
    """A new copy."""
    private, settings = private_at(omp_take(PRIVATE_BYTES)), settings_at(TABLE)
    private.variable, private.owner = variable, owner
    private.copy = tracked_allocate_zeroed(ctx, n_bytes)
    private.next = settings.privates
    settings.privates = addr_of(private)
    lsan_ignore(ctx, private.copy)
    real_memcpy(private.copy, source, n_bytes)
    return private.copy


@kernel
def i_threadprivate(
    ctx: Context, location: u64, gtid: i32, variable: u64, n_bytes: u64, cache: u64
) -> u64:
    """__kmpc_threadprivate_cached."""
    first = find_private(variable, NOBODY)
    if first == 0:
        first = new_private(ctx, variable, NOBODY, variable, n_bytes)
    member = omp_self(ctx)
    if member_at(member).thread == slot_to_thread(0):
        return variable
    found = find_private(variable, member)
    return found if found != 0 else new_private(ctx, variable, member, first, n_bytes)


EXPORTS = (
    Export("ptr __kmpc_threadprivate_cached(ptr,i32,ptr,u64,ptr)", kernel="i_threadprivate"),
)
