"""OpenMP's table as a program finds it when it starts."""

from __future__ import annotations

import ctypes

from irsan.runtime.layout import memory_map
from irsan.runtime.records.threads import openmp_records as om


def forget_openmp() -> None:
    """No settings, and no record was ever used."""
    ctypes.memset(om.TABLE, 0, om.THREADS - om.TABLE)
    ctypes.memset(om.RECORDS, 0, memory_map.MIB)
