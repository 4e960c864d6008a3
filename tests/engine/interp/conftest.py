"""The virtual machine as a function that tests call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import llvmlite.binding as llvm
import pytest

from irsan.engine.interp.dispatch import SYMBOL
from irsan.engine.interp.machine import machine_module

Run = Callable[[ctypes.Array[ctypes.c_uint64], Sequence[int]], int]


@pytest.fixture(scope="session")
def machine() -> Run:
    """run(frame, words) -> what the machine returns; `frame` is an array of slots."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(machine_module(target), target)
    native = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)(
        engine.get_function_address(SYMBOL)
    )

    def run(frame: ctypes.Array[ctypes.c_uint64], words: Sequence[int]) -> int:
        code = (ctypes.c_uint64 * len(words))(*words)
        return int(native(ctypes.addressof(frame), ctypes.addressof(code)))

    run.engine = engine  # type: ignore[attr-defined]  # whose code must stay alive
    return run
