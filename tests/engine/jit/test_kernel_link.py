"""numba's private linking API, and the ABI of `@k.` wrappers, called as machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.jit.build import TRIPLE
from irsan.engine.jit.kernel_link import (
    LLVM_TYPES,
    import_kernels,
    kernel_symbol,
    kernel_wrappers,
    link_kernels,
)
from irsan.errors import InternalError
from irsan.runtime.kernels import random
from irsan.runtime.kernels.kernel import Kernel
from irsan.runtime.kernels.threads import thread_slots
from irsan.runtime.seeding import seed_to_rng_words
from tests.support.green import SCRATCH
from tests.support.jit import run_snippet

# One kernel per shape: with and without a Context, void, bool, small and big results, outlined.
SHAPES = (
    "random_u64", "random_below", "slot_to_thread", "sync_point", "wants_switch",
    "store_timespec", "load_timespec_ns", "errno_to_thrd", "own_word", "fail_with_errno",
)  # fmt: skip

CACHED_MODULE = """
import numba

@numba.njit("uint64(uint64, uint64)", cache=True, no_cpython_wrapper=True)
def add_numbers(a, b):
    return a + b
"""
ASK_FOR_MODULE = """
import sys
sys.path.insert(0, sys.argv[1])
import llvmlite.binding as llvm
import numbers_module
dispatcher = numbers_module.add_numbers
[overload] = dispatcher.overloads.values()
raw = overload.library._get_module_for_linking().as_bitcode()
module = llvm.parse_bitcode(raw)
function = module.get_function(overload.fndesc.llvm_func_name)
hits = sum(dispatcher.stats.cache_hits.values())
print(hits, bool(function.is_declaration), llvm.Linkage(function.linkage).name)
"""


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    found: dict[str, Kernel] = import_kernels()
    return found


@pytest.fixture
def native(kernels: dict[str, Kernel]) -> Iterator[Any]:
    """Addresses of exported functions `probe_<kernel>` that call the wrappers."""
    import llvmlite.binding as llvm

    chosen = {name: kernels[name] for name in SHAPES}
    text = kernel_wrappers(chosen) + "".join(_probe(kernel) for kernel in chosen.values())
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{text}')
    link_kernels(_with_callees(kernels, chosen), module)
    module.verify()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    yield engine.get_function_address
    engine.close()


def _with_callees(kernels: dict[str, Kernel], chosen: dict[str, Kernel]) -> dict[str, Kernel]:
    outlined = {name: kernel for name, kernel in kernels.items() if kernel.is_outlined}
    return {**chosen, **outlined}


def _probe(kernel: Kernel) -> str:
    types = [LLVM_TYPES[name] for name in kernel.argument_types if name != "ctx"]
    parameters = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(types))
    result = LLVM_TYPES[kernel.return_type]
    value, end = ("", "ret void") if result == "void" else ("%v = ", f"ret {result} %v")
    return (
        f"\ndefine {result} @probe_{kernel.name}({parameters}) {{\n"
        f"{value}call {result} @k.{kernel.name}({parameters})\n{end}\n}}"
    )


def call(native: Any, name: str, result: Any, *arguments: Any) -> int:
    kinds = [type(argument) for argument in arguments]
    return int(ctypes.CFUNCTYPE(result, *kinds)(native(f"probe_{name}"))(*arguments) or 0)


def test_numba_hands_out_a_linkable_module_fresh_and_from_its_cache(tmp_path: Path) -> None:
    (tmp_path / "numbers_module.py").write_text(CACHED_MODULE)
    for expected in ("0 False linkonce_odr", "1 False linkonce_odr"):
        answer = run_snippet(ASK_FOR_MODULE, str(tmp_path))
        assert answer.stdout.strip() == expected, answer.stderr


def test_every_kernel_has_one_signature_and_a_symbol(kernels: dict[str, Kernel]) -> None:
    symbols = {kernel_symbol(kernel) for kernel in kernels.values()}
    assert len(symbols) == len(kernels)


def test_two_signatures_are_an_error_of_irsan() -> None:
    import numba

    dispatcher = numba.njit(["int64(int64)", "float64(float64)"])(lambda x: x)
    with pytest.raises(InternalError, match="2 signatures"):
        kernel_symbol(Kernel("twice", "i64(i64)", dispatcher))


def test_a_wrapper_passes_the_context_and_returns_the_value(guest: Any, native: Any) -> None:
    for index, word in enumerate(seed_to_rng_words(5)):
        guest.ctx["rng"][index] = word
    expected = [int(random.random_u64(guest.ctx)), int(random.random_below(guest.ctx, 1000))]
    for index, word in enumerate(seed_to_rng_words(5)):
        guest.ctx["rng"][index] = word
    found = [
        call(native, "random_u64", ctypes.c_uint64),
        call(native, "random_below", ctypes.c_uint64, ctypes.c_uint64(1000)),
    ]
    assert found == expected
    slot = ctypes.c_uint64(3)
    assert call(native, "slot_to_thread", ctypes.c_uint64, slot) == thread_slots.slot_to_thread(3)


def test_wrappers_of_small_void_and_bool_results(guest: Any, native: Any) -> None:
    guest.ctx["fuel"] = 1000
    call(native, "sync_point", None)
    assert guest.ctx["fuel"] < 1000
    assert call(native, "wants_switch", ctypes.c_uint8) == 0
    guest.ctx["fuel"], guest.ctx["n_runnable"] = 0, 2
    assert call(native, "wants_switch", ctypes.c_uint8) == 1
    call(native, "store_timespec", None, ctypes.c_uint64(SCRATCH), ctypes.c_uint64(1_500_000_000))
    assert call(native, "load_timespec_ns", ctypes.c_uint64, ctypes.c_uint64(SCRATCH)) == 1.5e9
    guest.main["tid"] = 41
    assert call(native, "own_word", ctypes.c_uint32) == 42
    guest.ctx["errno_addr"] = SCRATCH
    assert call(native, "fail_with_errno", ctypes.c_int32, ctypes.c_int32(22)) == -1
    assert ctypes.c_uint32.from_address(SCRATCH).value == 22


@pytest.mark.parametrize(("status", "result"), [(0, 0), (16, 1), (110, 4), (-5, 2)])
def test_a_signed_argument_stays_signed(native: Any, status: int, result: int) -> None:
    assert call(native, "errno_to_thrd", ctypes.c_int32, ctypes.c_int32(status)) == result
