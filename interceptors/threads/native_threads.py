"""Threads that the C library, or a native library, would make behind irsan's back: refused by name.

A run is one thread of the system, and its threads take turns there; a function of the program that
ran in another one could not be scheduled, and would run beside the checks.  The places that ask are
in native_threads.py.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irsan.errors import UnsupportedError
from irsan.interceptors.registry import Export


def refuse(_machine: Any, arguments: Sequence[int]) -> int:
    """End the run: UnsupportedError with the text at the first argument."""
    raise UnsupportedError(ctypes.string_at(arguments[0]).decode())


EXPORTS = (Export("void irsan_refuse_native_thread(ptr)", host="refuse"),)
ROUTINES: Mapping[str, Callable[[Any, Sequence[int]], Any]] = {"refuse": refuse}
