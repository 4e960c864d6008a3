"""The built runtime: everything that programs and the host call is in it, under its number."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest

from irsan.engine.cache import Cache, open_cache
from irsan.engine.glue.checks.hooks import hot_hook_names
from irsan.engine.linker.elf import ObjectFile
from irsan.engine.runtime_image import build, stored
from irsan.engine.runtime_image.build import HOST_KERNELS
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.stored import load_or_build_runtime
from irsan.instrument.hooks import HOOKS
from irsan.interceptors.registry import host_exports, kernel_exports
from irsan.runtime.kernels.kernel import KERNEL_PREFIX

EXPORTED_GROUPS = ("exported", "stack")  # hooks that are interceptors' exports


@pytest.fixture(scope="module")
def image() -> RuntimeImage:
    """The runtime of these sources, built when the cache has none."""
    return load_or_build_runtime(open_cache(os.environ), lambda _: None)


@pytest.fixture(scope="module")
def defined(image: RuntimeImage) -> set[str]:
    elf = ObjectFile.parse(image.object_bytes, "runtime")
    is_defined = (elf.symbol_sections != 0).tolist()
    return {elf.symbol_name(i) for i, found in enumerate(is_defined) if found}


def test_every_export_has_an_interceptor_and_its_number(
    image: RuntimeImage, defined: set[str]
) -> None:
    exports = [*kernel_exports(), *host_exports()]
    assert [row["name"] for row in image.routines] == [export.name for export in exports]
    assert [row["number"] for row in image.routines] == list(range(1, len(exports) + 1))
    assert {f"__interceptor_{export.name}" for export in exports} - defined == set()


IN_PROGRAMS_ALONE = ("compact", "mixed")


def test_every_hook_and_host_kernel_is_there(defined: set[str]) -> None:
    elsewhere = {*EXPORTED_GROUPS, *IN_PROGRAMS_ALONE}
    names = {h.name for h in HOOKS.values() if h.group not in elsewhere}
    exported = {f"__interceptor_{h.name}" for h in HOOKS.values() if h.group in EXPORTED_GROUPS}
    assert (names | exported) - defined == set()
    assert {f"irsan_k_{name}" for name in HOST_KERNELS} - defined == set()


def test_what_assembly_calls_is_there(image: RuntimeImage, defined: set[str]) -> None:
    called = set(re.findall(r"callq (\w+)", image.hot_text))
    assert len(called) == sum(hook.group == "compact" for hook in HOOKS.values())
    assert called - defined == set()


def test_what_assembly_calls_calls_only_what_keeps_vector_registers(image: RuntimeImage) -> None:
    """A kernel that is not inlined there costs a fault: registers are stored to aligned memory."""
    elf = ObjectFile.parse(image.object_bytes, "runtime")
    names = [elf.symbol_name(n) for n in range(len(elf.symbols))]
    relocations = elf.relocations
    saves_none = ("__irsan_asked_", "__irsan_renewed_")
    called = set()
    for n in [n for n, name in enumerate(names) if name.startswith(saves_none)]:
        first, size = int(elf.symbols[n]["value"]), int(elf.symbols[n]["size"])
        is_inside = (relocations.section == elf.symbol_sections[n]) & (
            (relocations.offset >= first) & (relocations.offset < first + size)
        )
        called |= {names[symbol] for symbol in relocations.symbol[is_inside]}
    assert any(name.startswith("__irsan_renewed_") for name in called)
    keeping = ("__irsan_saved_", "__irsan_renewed_")
    assert {name for name in called if not name.startswith(keeping)} == set()


def test_the_hot_hooks_are_there_to_be_inlined_and_nothing_else(image: RuntimeImage) -> None:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(image.hot_text)
    module.verify()
    bodies = {f.name for f in module.functions if not f.is_declaration}
    assert bodies == set(hot_hook_names())
    linkages = {f.linkage for f in module.functions if not f.is_declaration}
    assert linkages == {llvm.Linkage.available_externally}
    calls = set(re.findall(r"call [^@\n]*@([\w.]+)\(", image.hot_text))
    outside = {name for name in calls if not name.startswith(("__irsan_", "llvm."))}
    assert outside == {name for name, hook in HOOKS.items() if hook.group == "memory"}


def test_the_hot_hooks_call_nothing_that_was_left_behind(image: RuntimeImage) -> None:
    module = llvm.parse_assembly(image.hot_text)
    declared = {function.name for function in module.functions if function.is_declaration}
    assert [name for name in declared if name.startswith(KERNEL_PREFIX)] == []


def test_a_second_load_comes_from_the_cache(
    tmp_path: Path, image: RuntimeImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []

    def build_once(_progress: object) -> RuntimeImage:
        built.append("built")
        return image

    monkeypatch.setattr(stored, "build_runtime", build_once)
    cache = Cache(tmp_path)
    for _ in range(3):
        assert load_or_build_runtime(cache, built.append) == image
    assert len(built) == 2  # the announcement and the build


def test_a_damaged_entry_is_built_again(
    tmp_path: Path, image: RuntimeImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "build_runtime", lambda _progress: image)
    cache = Cache(tmp_path)
    load_or_build_runtime(cache, lambda _: None)
    for path in _entries(tmp_path):
        path.write_bytes(path.read_bytes()[:-1])
        assert load_or_build_runtime(cache, lambda _: None) == image


def _entries(folder: Path) -> Iterator[Path]:
    found = [path for path in folder.rglob("*") if path.is_file() and len(path.name) > 30]
    yield from [path for path in found if path.suffix != ".lock"]


def test_only_named_functions_stay_and_become_available_externally() -> None:
    text = """\
; ModuleID = 'x'
target triple = "t"
@.const = internal global i64 0
define void @keep(ptr %p) {
  %v = load i64, ptr %p, !noalias !3
  ret void
}

define internal void @drop() {
  ret void
}
declare void @other()
!1 = distinct !{!1, !2}
"""
    kept: Any = build._as_available_externally(text, ["keep"])
    assert "define available_externally void @keep(ptr %p) {" in kept
    assert "noalias" not in kept and "@drop" not in kept and ".const" not in kept
    assert "declare void @other()" in kept


def test_kernels_called_through_kernels_are_all_found() -> None:
    module = llvm.parse_assembly(
        "define void @kernel.a() {\n  call void @kernel.b()\n  call void @kernel.d()\n"
        "  ret void\n}\n"
        "define void @kernel.b() {\n  call void @kernel.c()\n  call void @plain()\n  ret void\n}\n"
        "define void @kernel.c() {\n  call void @kernel.a()\n  ret void\n}\n"
        "define void @plain() {\n  ret void\n}\n"
        "declare void @kernel.d()\n"
    )
    assert build.called_from(module, {"kernel.a"}) == {"kernel.a", "kernel.b", "kernel.c"}
