"""Kernels as LLVM text: the same functions as numba makes, in a process that only links."""

from __future__ import annotations

import json
from typing import Any

import numba
import pytest

from tests.runtime.kernels.text_functions import EDGES, FUNCTIONS
from tests.support.jit import run_snippet

RUN_TEXTS = """
import ctypes, inspect, json, os
os.environ["IRSAN_LINK_ONLY_KERNELS"] = "1"
import llvmlite.binding as llvm
from irsan.engine.runtime_image.kernel_link import joined
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.scalars import u64
from tests.runtime.kernels.text_functions import EDGES, FUNCTIONS
for one in FUNCTIONS:
    one.__annotations__ = dict.fromkeys([*inspect.signature(one).parameters, "return"], u64)
made = {one.__name__: kernel(one) for one in FUNCTIONS}
text = joined(one.text for one in made.values())
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
keep = [f"define i64 @run.{name}(i64 %a, i64 %b) {{ %v = call i64 @kernel.{name}(i64 %a, i64 %b)"
        " ret i64 %v }" for name in made]
module = llvm.parse_assembly(text + " ".join(keep))
module.verify()
machine = llvm.Target.from_default_triple().create_target_machine()
engine = llvm.create_mcjit_compiler(module, machine)
engine.finalize_object()
word = ctypes.c_uint64
found = {}
for name in made:
    call = ctypes.CFUNCTYPE(word, word, word)(engine.get_function_address(f"run.{name}"))
    found[name] = [call(a, b) for a in EDGES for b in EDGES]
print(json.dumps(found))
"""
ALONE = """
import os
os.environ["IRSAN_LINK_ONLY_KERNELS"] = "1"
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.scalars import u64
def one(a, b):
    return BODY
one.__annotations__ = {"a": u64, "b": u64, "return": u64}
kernel(one)(1, 2)
"""


@pytest.fixture(scope="module")
def found() -> dict[str, list[int]]:
    answer = run_snippet(RUN_TEXTS)
    assert answer.returncode == 0, answer.stderr
    results: dict[str, list[int]] = json.loads(answer.stdout)
    return results


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_text_computes_what_numba_computes(function: Any, found: dict[str, list[int]]) -> None:
    njit: Any = numba.njit
    numbas = njit("uint64(uint64, uint64)", error_model="numpy")(function)
    expected = [int(numbas(a, b)) for a in EDGES for b in EDGES]
    assert found[function.__name__] == expected
    assert len(set(expected)) > 1


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("a + b", "InternalError: kernel one is only linked in this process"),
        ("sorted((a, b))[0]", "InternalError: kernel.one calls "),
        ("a + unknown", "NameError: name 'unknown' is not defined"),
    ],
)
def test_what_cannot_be_done_is_said(body: str, error: str) -> None:
    answer = run_snippet(ALONE.replace("BODY", body))
    assert answer.returncode == 1
    assert error in answer.stderr
