"""threadprivate variables that are no thread-locals: __kmpc_threadprivate_cached and its kin.

clang makes thread-locals of them unless -fnoopenmp-use-tls is given; then each thread asks here.
The first thread of the program has the variable itself; the others have copies of what it held when
anybody first asked, or what the variable's constructor makes (__kmpc_threadprivate_register).  The
glue calls constructors and destructors: templates/openmp/openmp_privates.ll.

    settings.privates   a list: (variable, owner, copy); owner NOBODY is the first value, owner
                        CLASS is the variable's functions

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
from irsan.runtime.records.threads import openmp_records as om
from irsan.runtime.records.threads.openmp_records import TABLE

PRIVATE_BYTES = om.PRIVATE_DTYPE.itemsize
NOBODY = 1  # owner of the first value
CLASS = 2


@kernel
def find_private_record(variable: u64, owner: u64) -> u64:
    """What there is of a variable for an owner; 0: nothing."""
    found = settings_at(TABLE).privates
    while found != 0:
        private = private_at(found)
        if private.variable == variable and private.owner == owner:
            return found
        found = private.next
    return 0


@kernel
def find_private(variable: u64, owner: u64) -> u64:
    """A thread's copy of a variable; 0: there is none."""
    found = find_private_record(variable, owner)
    return u64(0) if found == 0 else private_at(found).copy


@kernel
def new_private_record(variable: u64, owner: u64) -> u64:
    """A new record, first in the list."""
    private, settings = private_at(omp_take(PRIVATE_BYTES)), settings_at(TABLE)
    private.variable, private.owner = variable, owner
    private.next = settings.privates
    settings.privates = addr_of(private)
    return addr_of(private)


@kernel
def new_private(ctx: Context, variable: u64, owner: u64, source: u64, n_bytes: u64) -> u64:
    """A new copy."""
    private = private_at(new_private_record(variable, owner))
    private.copy = tracked_allocate_zeroed(ctx, n_bytes)
    lsan_ignore(ctx, private.copy)
    real_memcpy(private.copy, source, n_bytes)
    return private.copy


@kernel
def omp_register_private(
    ctx: Context, variable: u64, constructor: u64, copier: u64, destructor: u64, count: u64
) -> i32:
    """Functions of a variable's class; 1: it is the first such variable."""
    is_first = settings_at(TABLE).privates == 0
    private = private_at(new_private_record(variable, CLASS))
    private.constructor, private.copier, private.destructor = constructor, copier, destructor
    private.count = count
    return i32(is_first)


@kernel
def omp_own_private(ctx: Context, variable: u64, n_bytes: u64) -> u64:
    """The running thread's copy of a variable; 0: it has none yet."""
    if find_private_record(variable, NOBODY) == 0:
        new_private(ctx, variable, NOBODY, variable, n_bytes)
    member = omp_self(ctx)
    if member_at(member).thread == slot_to_thread(0):
        return variable
    return find_private(variable, member)


@kernel
def omp_new_private(ctx: Context, variable: u64, n_bytes: u64) -> u64:
    """A copy for the running thread, which holds the first value until it is constructed."""
    first = find_private(variable, NOBODY)
    return new_private(ctx, variable, omp_self(ctx), first, n_bytes)


@kernel
def omp_first_private(variable: u64) -> u64:
    """The first value of a variable."""
    return find_private(variable, NOBODY)


@kernel
def omp_class_of(variable: u64) -> u64:
    """The record with the functions of a variable's class; 0: it is plain."""
    return find_private_record(variable, CLASS)


@kernel
def omp_ended_private() -> u64:
    """A copy whose class has a destructor, taken from the list; 0: there is none left."""
    found = settings_at(TABLE).privates
    while found != 0:
        private = private_at(found)
        functions = u64(0) if private.owner <= CLASS else omp_class_of(private.variable)
        if functions != 0 and private_at(functions).destructor != 0:
            private.owner = u64(NOBODY)
            return found
        found = private.next
    return 0


EXPORTS: tuple[Export, ...] = ()
