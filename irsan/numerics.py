"""numpy without the threads that its linear algebra would start: nothing here needs them."""

from __future__ import annotations

import os

_BLAS_THREADS = "OPENBLAS_NUM_THREADS"


def load_numpy() -> None:
    """Import numpy for the first time; the environment is afterwards what it was before."""
    wanted = os.environ.get(_BLAS_THREADS)
    os.environ[_BLAS_THREADS] = wanted or "1"
    try:
        import numpy  # noqa: F401
    finally:
        if wanted is None:
            del os.environ[_BLAS_THREADS]
