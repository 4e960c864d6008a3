"""The virtual machine as a function that tests call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import llvmlite.binding as llvm
import pytest

from irsan.engine.interp.dispatch import SYMBOL
from irsan.engine.interp.machine import machine_module
from irsan.engine.target import target_machine

Run = Callable[[ctypes.Array[ctypes.c_uint64], Sequence[int]], int]


@pytest.fixture(scope="session")
def machine_text() -> str:
    """The machine's optimised module; making it takes seconds."""
    return str(machine_module(target_machine()))


@pytest.fixture(scope="session")
def machine(machine_text: str) -> Run:
    """run(frame, words) -> what the machine returns; `frame` is an array of slots."""
    target = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(machine_text), target)
    native = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)(
        engine.get_function_address(SYMBOL)
    )

    def run(frame: ctypes.Array[ctypes.c_uint64], words: Sequence[int]) -> int:
        code = (ctypes.c_uint64 * len(words))(*words)
        return int(native(ctypes.addressof(frame), ctypes.addressof(code)))

    run.engine = engine  # type: ignore[attr-defined]  # whose code must stay alive
    return run
