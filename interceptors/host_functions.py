"""The host's C functions that kernels of one family call, named for the compiler where they are."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import llvmlite.binding as llvm

from irsan.runtime.kernels.memory import real_function
from irsan.runtime.kernels.scalars import u64


def host_function(name: str, n_arguments: int) -> Callable[..., u64]:
    """Intrinsic that calls the host's C function `name`(u64 x n_arguments) -> u64.

    As `real_function` for functions that `irsan.runtime.kernels` does not name.
    """
    address = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
    llvm.add_symbol(f"__irsan_real_{name}", address)
    return real_function(name, n_arguments)
