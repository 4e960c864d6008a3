"""Kernels linked from their texts, and the ABI of `@k.` wrappers, called as machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest

from irsan.engine.glue.text import LLVM_TYPES
from irsan.engine.runtime_image.kernel_link import (
    import_kernels,
    joined,
    kernel_wrappers,
    link_kernels,
)
from irsan.engine.target import TRIPLE
from irsan.errors import InternalError
from irsan.runtime.kernels import random, thread_slots
from irsan.runtime.kernels.kernel import Kernel
from irsan.runtime.kernels.language.kernel_cache import import_closure
from irsan.runtime.seeding import seed_to_rng_words
from tests.support.green import SCRATCH

# One kernel per shape: with and without a Context, void, bool, small and big results, outlined.
SHAPES = (
    "random_u64", "random_below", "slot_to_thread", "sync_point", "wants_switch",
    "store_timespec", "load_timespec_ns", "errno_to_thrd", "own_word", "fail_with_errno",
)  # fmt: skip


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    """The kernels of SHAPES, and all of the modules that they lead to."""
    known = import_kernels()
    modules = {known[name].dispatcher.py_func.__module__ for name in SHAPES}
    needed = {other for module in modules for other in import_closure(module)}
    return {name: one for name, one in known.items() if one.dispatcher.py_func.__module__ in needed}


@pytest.fixture
def native(kernels: dict[str, Kernel]) -> Iterator[Any]:
    """Addresses of exported functions `probe_<kernel>` that call the wrappers."""
    import llvmlite.binding as llvm

    text = kernel_wrappers(kernels) + "".join(_probe(kernels[name]) for name in SHAPES)
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{text}')
    link_kernels(kernels, module)
    module.verify()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    yield engine.get_function_address
    engine.close()


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


def test_joined_texts_share_no_metadata_and_declare_once() -> None:
    joined_text = joined([
        'define i64 @"a"() {\n  %v = load i64, ptr null, !range !0\n  ret i64 %v\n}\n'
        'declare i64 @"b"()\ndeclare i64 @"other"()\n!0 = !{ i64 0, i64 9 }\n',
        'define i64 @"b"() {\n  %v = load i64, ptr null, !range !0\n  ret i64 %v\n}\n'
        'declare i64 @"other"()\n!0 = !{ i64 0, i64 7 }\n',
    ])  # fmt: skip
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(joined_text)
    module.verify()
    linkages = {one.name: one.linkage.name for one in module.functions}
    assert linkages == {"a": "linkonce_odr", "b": "linkonce_odr", "other": "external"}
    assert "i64 0, i64 9" in str(module) and "i64 0, i64 7" in str(module)


def test_two_kernels_of_one_symbol_are_an_error_of_irsan() -> None:
    text = 'define void @"a"() {\n  ret void\n}\n'
    with pytest.raises(InternalError, match="one symbol"):
        joined([text, text])


def test_a_wrapper_passes_the_context_and_returns_the_value(guest: Any, native: Any) -> None:
    for index, word in enumerate(seed_to_rng_words(5)):
        guest.ctx["schedule"]["rng"][index] = word
    expected = [int(random.random_u64(guest.ctx)), int(random.random_below(guest.ctx, 1000))]
    for index, word in enumerate(seed_to_rng_words(5)):
        guest.ctx["schedule"]["rng"][index] = word
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
    guest.ctx["fuel"], guest.ctx["schedule"]["n_runnable"] = 0, 2
    assert call(native, "wants_switch", ctypes.c_uint8) == 1
    call(native, "store_timespec", None, ctypes.c_uint64(SCRATCH), ctypes.c_uint64(1_500_000_000))
    assert call(native, "load_timespec_ns", ctypes.c_uint64, ctypes.c_uint64(SCRATCH)) == 1.5e9
    guest.main["tid"] = 41
    assert call(native, "own_word", ctypes.c_uint32) == 42
    guest.ctx["c_library"]["errno_addr"] = SCRATCH
    assert call(native, "fail_with_errno", ctypes.c_int32, ctypes.c_int32(22)) == -1
    assert ctypes.c_uint32.from_address(SCRATCH).value == 22


@pytest.mark.parametrize(("status", "result"), [(0, 0), (16, 1), (110, 4), (-5, 2)])
def test_a_signed_argument_stays_signed(native: Any, status: int, result: int) -> None:
    assert call(native, "errno_to_thrd", ctypes.c_int32, ctypes.c_int32(status)) == result
