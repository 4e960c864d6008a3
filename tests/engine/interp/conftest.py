"""The virtual machine as a function that tests call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import pytest

from irsan.engine.interp.machine import compile_loop

Run = Callable[[ctypes.Array[ctypes.c_uint64], Sequence[int]], int]


@pytest.fixture(scope="session")
def machine() -> Run:
    """run(frame, words) -> what the loop returns; `frame` is an array of slots."""
    overload = compile_loop()
    address = overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name)
    words_type = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    native = ctypes.CFUNCTYPE(ctypes.c_int32, *words_type)(address)

    def run(frame: ctypes.Array[ctypes.c_uint64], words: Sequence[int]) -> int:
        code = (ctypes.c_uint64 * len(words))(*words)
        result = ctypes.c_uint64()
        native(ctypes.addressof(result), None, ctypes.addressof(frame), ctypes.addressof(code))
        return result.value

    run.overload = overload  # type: ignore[attr-defined]  # whose code must stay alive
    return run
