"""The table of interceptors: each name once, each kernel there with what its prototype says."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.glue.text import LLVM_TYPES
from irsan.engine.run.host_routines import host_routines
from irsan.interceptors import registry
from irsan.interceptors.registry import Export, host_exports, kernel_exports
from irsan.runtime.kernels.kernel import REGISTRY

KERNEL_EXPORTS = list(kernel_exports())
HOST_EXPORTS = list(host_exports())
EXPORTS = [*KERNEL_EXPORTS, *HOST_EXPORTS]
PLAIN = [e for e in KERNEL_EXPORTS if not e.then_real and not e.real_first]
WORDS = {"ptr": "i64", "...": "i64"}  # how kernels take C pointers


def as_kernel_types(kinds: tuple[str, ...]) -> list[str]:
    return [WORDS.get(kind, LLVM_TYPES[kind]) for kind in kinds]


def test_a_prototype_is_read() -> None:
    export = Export("i32 snprintf(ptr, u64, ptr, ...)", kernel="k")
    assert (export.name, export.result) == ("snprintf", "i32")
    assert export.arguments == ("ptr", "u64", "ptr", "...")
    assert Export("void abort()").arguments == ()


def test_names_are_there_once() -> None:
    names = [export.name for export in EXPORTS]
    assert len(set(names)) == len(names)


def test_what_a_file_exports_is_exported() -> None:
    room = Path(registry.__file__).parent
    known = {export.name for export in (*kernel_exports(), *host_exports())}
    for path in room.rglob("*.py"):
        name = ".".join(path.relative_to(room).with_suffix("").parts)
        module = importlib.import_module(f"irsan.interceptors.{name}")
        missing = {export.name for export in getattr(module, "EXPORTS", ())} - known
        assert not missing, name


def test_one_routine_does_each() -> None:
    for export in EXPORTS:
        assert bool(export.kernel) != bool(export.host), export.name
        assert not (export.then_real and export.real_first), export.name
        assert {export.result, *export.arguments} <= {*LLVM_TYPES}, export.name


@pytest.mark.parametrize("export", PLAIN, ids=lambda export: export.name)
def test_a_kernel_takes_what_its_prototype_says(export: Export) -> None:
    kernel = REGISTRY[export.kernel]
    assert kernel.argument_types[0] == "ctx"
    n_taken = 1 + len(export.arguments)
    types = [LLVM_TYPES[kind] for kind in kernel.argument_types[1:n_taken]]
    assert types == as_kernel_types(export.arguments)
    assert len(kernel.argument_types) == n_taken + len(export.constants)
    if export.result != "void":
        (wanted,) = as_kernel_types((export.result,))
        given = LLVM_TYPES[kernel.return_type]
        assert wanted == given or int(wanted[1:]) < int(given[1:])


def test_kernels_around_real_functions_take_the_first_arguments() -> None:
    for export in KERNEL_EXPORTS:
        if export in PLAIN:
            continue
        kernel = REGISTRY[export.kernel]
        n_taken = len(kernel.argument_types) - 1 - len(export.constants)
        has_word = export.real_first and export.result not in ("void", "f32", "f64", "f80")
        assert n_taken - has_word <= len(export.arguments), export.name
        answers = ("b1", "i64") if export.then_real else ("void",)
        assert kernel.return_type in answers, export.name


@pytest.mark.parametrize("export", [e for e in KERNEL_EXPORTS if e.instead], ids=lambda e: e.name)
def test_a_kernel_stands_for_the_whole_function(export: Export) -> None:
    kernel = REGISTRY[export.instead]
    types = [LLVM_TYPES[kind] for kind in kernel.argument_types[1:]]
    assert export.real_first and types == as_kernel_types(export.arguments)
    assert LLVM_TYPES[kernel.return_type] == LLVM_TYPES[export.result]


def test_quick_kernels_never_leave_an_action() -> None:
    for export in KERNEL_EXPORTS:
        if export.quick:
            source = inspect.getsource(REGISTRY[export.kernel].dispatcher.py_func)
            assert "action" not in source and "block_current" not in source, export.name


def test_every_host_routine_is_there() -> None:
    rows = [
        {"number": n, "name": export.name, "kernel": "", "host": export.host}
        for n, export in enumerate(HOST_EXPORTS, start=1)
    ]
    assert set(host_routines(rows)) == {row["number"] for row in rows}


def test_host_families_import_no_numba() -> None:
    code = (
        "import sys\nfrom irsan.interceptors.registry import host_exports\n"
        "list(host_exports())\nassert 'numba' not in sys.modules\nassert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
