"""Memory of OpenMP's own records: powers of two, from lists of what was given back.

    take(n)     zeroed;  FREE_LISTS[c] heads the free records of 2^c bytes
    give(a, n)  the same n;  clocks that the record's address named must be forgotten before

O(1) but for zeroing.  Not the program's heap: nothing here is a leak, and a record's address is the
same in every run.
"""

from __future__ import annotations

from irsan.interceptors.openmp.openmp_types import settings_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memset, store_u64
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads.openmp_records import FREE_LISTS, RECORDS, RECORDS_END, TABLE

SMALLEST = 6  # log2


@kernel
def omp_size_class(n_bytes: u64) -> u64:
    """log2 of the room that a record of so many bytes gets."""
    size_class = u64(SMALLEST)
    while (u64(1) << size_class) < n_bytes:
        size_class += 1
    return size_class


@kernel
def omp_take(n_bytes: u64) -> u64:
    """Address of a new record, all zero; 0 when the table is full."""
    size_class = omp_size_class(n_bytes)
    room = u64(1) << size_class
    head = FREE_LISTS + size_class * 8
    found = load_u64(head)
    if found != 0:
        store_u64(head, load_u64(found))
        real_memset(found, 0, n_bytes)
        return found
    settings = settings_at(TABLE)
    found = max(settings.bump, u64(RECORDS))
    if found + room > RECORDS_END:
        return 0
    settings.bump = found + room
    return found


@kernel
def omp_give(record: u64, n_bytes: u64) -> None:
    """Give a record back."""
    head = FREE_LISTS + omp_size_class(n_bytes) * 8
    store_u64(record, load_u64(head))
    store_u64(head, record)
