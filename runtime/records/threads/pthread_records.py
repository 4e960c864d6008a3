"""What irsan keeps in the program's own mutexes, conditions and similar: no numba here.

The sizes are glibc's, so its static initialisers work, and what a mutex says of itself (`kind`)
lies where glibc has it.  Programs may place such an object anywhere: no field is taken to be
aligned.

Sources: struct_mutex.h, struct_rwlock.h of glibc.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from irsan.runtime.layout import libc_layout as libc


def _object(c_type: str, places: dict[str, tuple[str, int]]) -> np.dtype[np.void]:
    """The type of an object of the C library with these fields: type and byte offset of each."""
    return np.dtype(
        {
            "names": list(places),
            "formats": [kind for kind, _ in places.values()],
            "offsets": [offset for _, offset in places.values()],
            "itemsize": libc.size(c_type),
        }
    )


MUTEX_DTYPE: Final = _object(
    "pthread_mutex_t",
    {
        "lock": ("u4", 0),
        "count": ("u4", 4),
        "owner": ("u4", 8),  # tid + 1
        "n_waiters": ("u4", 12),
        "kind": ("u4", 16),
        # in memory that other processes have: tid + 1 of who holds it in this one.  Only elided and
        # adaptive mutexes have something there.
        "holder_here": ("u4", 20),
    },
)

CONDITION_DTYPE: Final = _object(
    "pthread_cond_t",
    {
        "n_signals": ("u4", 0),  # so far, in memory that other processes have
        "clock": ("u4", 40),  # as in a pthread_condattr_t
    },
)

RWLOCK_DTYPE: Final = _object(
    "pthread_rwlock_t",
    {
        "n_readers": ("u4", 0),
        "writer": ("u4", 4),  # tid + 1
        # in memory that other processes have: padding, tid + 1 of the writer; glibc's process id
        "writer_here": ("u4", 16),
        "writing_process": ("u4", 24),
    },
)

BARRIER_DTYPE: Final = _object(
    "pthread_barrier_t", {"n_needed": ("u4", 0), "n_arrived": ("u4", 4), "generation": ("u4", 8)}
)
SEMAPHORE_DTYPE: Final = _object("sem_t", {"value": ("u4", 0)})
SPINLOCK_DTYPE: Final = _object("pthread_spinlock_t", {"owner": ("u4", 0)})  # tid + 1
