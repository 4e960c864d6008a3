"""numpy, imported without the threads that its linear algebra starts.

A process may be sent a signal through any of its threads.  The guest's handlers run on the thread
that runs guests, so there must be no other: OpenBLAS starts one per processor unless told
otherwise.
"""

from __future__ import annotations

import os
from typing import Final

_VARIABLE: Final = "OPENBLAS_NUM_THREADS"


def import_numpy_alone() -> None:
    """Import numpy with one thread; the environment is as before afterwards."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    import numpy  # noqa: F401

    if before is None:
        del os.environ[_VARIABLE]
    else:
        os.environ[_VARIABLE] = before
