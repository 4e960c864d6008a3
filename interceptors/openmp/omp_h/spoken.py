"""What OpenMP says: settings, and messages of `omp error at(execution)`.

The work is done by `machine.interface.openmp` (engine/run/openmp_words.py).
"""

from __future__ import annotations

from functools import partial

from irsan.interceptors.public_interface.sanitizer_host import Routine, served
from irsan.interceptors.registry import Export

EXPORTS = (
    Export("void omp_display_env(i32)", host="openmp.display_env"),
    Export("void irsan_omp_error(ptr,i32,ptr)", host="openmp.error_directive"),
)
ROUTINES: dict[str, Routine] = {
    export.host: partial(served, export.host) for export in EXPORTS
}  # fmt: skip
