"""The host's side of thread-locals of opened libraries: the rows, and what leak searches read.

    watch_library_tls(ctx)         before the main thread starts: first module, generation
    library_blocks(ctx, slot)      ranges [lo, hi) of a thread's blocks

How they are exchanged when the thread changes: kernels/threads/library_tls.py.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from irsan.runtime import arena
from irsan.runtime.records.threads import tls_records as tr
from irsan.runtime.views.native_roots import highest_tls_module

_libc = ctypes.CDLL(None)
_libc.pthread_self.restype = ctypes.c_uint64
_libc.malloc_usable_size.restype = ctypes.c_size_t
_libc.malloc_usable_size.argtypes = [ctypes.c_void_p]


def watch_library_tls(ctx: Any, first: int = 0) -> None:
    """Tell the kernels where the OS thread's dtv is, and which modules are the host's.

    first: the first module that each thread has blocks of its own of; 0: the next one to be opened.
    """
    words = ctx["library_tls"]
    words["thread_pointer"] = _libc.pthread_self()
    words["first"] = first or highest_tls_module() + 1
    words["generation"] = int(arena.view_words(_dtv(ctx), 1)[0])


def library_blocks(ctx: Any, slot: int, *, is_running: bool) -> Iterator[tuple[int, int]]:
    """Blocks that glibc has allocated for a thread: those of the running one are in the dtv."""
    words = ctx["library_tls"]
    at = _dtv(ctx)
    if not at:
        return
    count = min(int(arena.view_words(at - 16, 1)[0]) + 1 - int(words["first"]), tr.MAX_MODULES)
    start = tr.ROWS + slot * tr.ROW_BYTES + tr.MODULE_BYTES
    if is_running:
        start = at + int(words["first"]) * tr.MODULE_BYTES
    for block in arena.view_words(start, 2 * max(count, 0))[1::2].tolist():
        if block:
            yield block, block + int(_libc.malloc_usable_size(block))


def _dtv(ctx: Any) -> int:
    pointer = int(ctx["library_tls"]["thread_pointer"])
    return int(arena.view_words(pointer + tr.DTV_OFFSET, 1)[0]) if pointer else 0
