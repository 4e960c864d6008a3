"""Dependences of tasks: `depend(in: a)`, `out`, `inout`, `mutexinoutset`, `inoutset`.

The children of a task that name an address form sets, in order of their creation: readers that
follow each other are one set, so are members of an inoutset or a mutexinoutset, and each writer is
one.  A task may begin when the set before its own is complete at every address that it names.

    clock of a set      members that are complete release, members of the next set acquire
    its mutex's clock   of a mutexinoutset: one member after the other, in any order

So a task learns of the members of the set before, whether they had ended long before it was made or
not: that is the order that the specification promises.

Source: OpenMP 5.2, section 15.9.5.  O(addresses named by siblings) per dependence.
"""

from __future__ import annotations

from irsan.interceptors.openmp.omp_memory import omp_give, omp_take
from irsan.interceptors.openmp.openmp_types import OmpTask, depend_at, entry_at, set_at
from irsan.interceptors.openmp.waits import omp_publish
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads import openmp_records as om

SET_BYTES = om.SET_DTYPE.itemsize
DEPEND_BYTES = om.DEPEND_DTYPE.itemsize
ENTRY_BYTES = om.ENTRY_DTYPE.itemsize
INFO_BYTES = 24  # kmp_depend_info: address, length, flags
FLAGS_AT = 16
IN, OUT, MUTEX, IN_OUT_SET = 1, 2, 4, 8


@kernel
def drop_set(ctx: Context, addr: u64) -> None:
    """One reference to a set less; the last one takes the set before it along."""
    while addr != 0:
        group = set_at(addr)
        group.refs -= 1
        if group.refs != 0:
            return
        previous = group.previous
        sync_forget(ctx, addr)
        sync_forget(ctx, addr + 8)
        omp_give(addr, SET_BYTES)
        addr = previous


@kernel
def entry_of(parent: OmpTask, address: u64) -> u64:
    """The entry of an address among those that a task's children name; made if there is none."""
    entry = parent.entries
    while entry != 0:
        if entry_at(entry).address == address:
            return entry
        entry = entry_at(entry).next
    entry = omp_take(ENTRY_BYTES)
    entry_at(entry).address = address
    entry_at(entry).next = parent.entries
    parent.entries = entry
    return entry


@kernel
def flags_to_kind(flags: u64) -> u64:
    """The kind of set that a dependence is in."""
    if flags & OUT != 0:
        return OUT
    if flags & MUTEX != 0:
        return MUTEX
    return u64(IN_OUT_SET) if flags & IN_OUT_SET != 0 else u64(IN)


@kernel
def join_set(ctx: Context, parent: OmpTask, address: u64, flags: u64) -> u64:
    """The set at an address to which a new child belongs; a reference is the caller's."""
    entry = entry_at(entry_of(parent, address))
    kind = flags_to_kind(flags)
    newest = entry.set
    if newest == 0 or kind == OUT or set_at(newest).kind != kind:
        group = set_at(omp_take(SET_BYTES))
        group.kind = kind
        group.previous = newest  # the entry's reference becomes the new set's
        group.refs = u64(1)
        entry.set = addr_of(group)
        if newest != 0 and set_at(newest).n_incomplete == 0:
            drop_set(ctx, set_at(newest).previous)
            set_at(newest).previous = 0
    found = set_at(entry.set)
    found.refs += 1
    return entry.set


@kernel
def flags_of_address(infos: u64, index: u64, end: u64) -> u64:
    """All that a list of dependences says of the address at an index; 0 if it was named before."""
    address = load_u64(infos + index * INFO_BYTES)
    flags = u64(0)
    info, last = infos, infos + end * INFO_BYTES
    while info < last:
        if load_u64(info) == address:
            if info < infos + index * INFO_BYTES:
                return 0
            flags |= u64(load_u8(info + FLAGS_AT))
        info += INFO_BYTES
    return flags


@kernel
def add_depends(ctx: Context, task: OmpTask, parent: OmpTask, count: u64, infos: u64) -> None:
    """Note the dependences of a new child, in the order of the list."""
    for place in range(count):
        index = u64(place)
        flags = flags_of_address(infos, index, count)
        if flags == 0:
            continue
        group = join_set(ctx, parent, load_u64(infos + index * INFO_BYTES), flags)
        depend = depend_at(omp_take(DEPEND_BYTES))
        depend.set = group
        depend.next = task.depends
        task.depends = addr_of(depend)
        set_at(group).n_incomplete += 1


@kernel
def may_begin(task: OmpTask) -> bool:
    """Whether nothing that a task depends on is left to do."""
    depend = task.depends
    while depend != 0:
        group = set_at(depend_at(depend).set)
        if group.is_busy != 0:
            return False
        if group.previous != 0 and set_at(group.previous).n_incomplete != 0:
            return False
        depend = depend_at(depend).next
    return True


@kernel
def begin_depends(ctx: Context, task: OmpTask) -> None:
    """The running thread begins a task: it learns of all that the task depends on."""
    depend = task.depends
    while depend != 0:
        addr = depend_at(depend).set
        group = set_at(addr)
        if group.previous != 0:
            sync_acquire(ctx, group.previous)
        if group.kind == MUTEX:
            group.is_busy = u64(1)
            sync_acquire(ctx, addr + 8)
        depend = depend_at(depend).next


@kernel
def publish_depends(ctx: Context, task: OmpTask) -> None:
    """The running thread is done with a task: those that depend on it will know."""
    depend = task.depends
    while depend != 0:
        addr = depend_at(depend).set
        omp_publish(ctx, addr)
        if set_at(addr).kind == MUTEX:
            omp_publish(ctx, addr + 8)
        depend = depend_at(depend).next


@kernel
def end_depends(ctx: Context, task: OmpTask) -> None:
    """A task is complete: its dependences are gone."""
    depend = task.depends
    task.depends = 0
    while depend != 0:
        addr, following = depend_at(depend).set, depend_at(depend).next
        group = set_at(addr)
        group.n_incomplete -= 1
        group.is_busy = 0
        drop_set(ctx, addr)
        omp_give(depend, DEPEND_BYTES)
        depend = following


@kernel
def forget_entries(ctx: Context, task: OmpTask) -> None:
    """A task is over: no further child of it depends on anything."""
    entry = task.entries
    task.entries = 0
    while entry != 0:
        following = entry_at(entry).next
        drop_set(ctx, entry_at(entry).set)
        omp_give(entry, ENTRY_BYTES)
        entry = following
