"""Glue text: every shape is LLVM that verifies, with the tests and stores its module promises."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest

from irsan.engine.glue import exports as glue_exports
from irsan.engine.glue import leaks
from irsan.engine.glue.checks import atomics, outlined
from irsan.engine.glue.checks import hooks as glue_hooks
from irsan.engine.glue.templates import INLINED, join, names, template
from irsan.engine.glue.text import LLVM_TYPES, PROFILE_METADATA, context_field, return_value
from irsan.errors import InternalError
from irsan.instrument.hooks import HOOKS
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import Kernel
from irsan.runtime.layout import memory_map
from irsan.runtime.records.context import CONTEXT_DTYPE
from tests.meta.test_kernel_language import files, kernels

SUPPORT = """
declare i32 @__irsan_act()
declare void @__irsan_act_if_asked()
declare void @irsan_judge_unsafe_call(i32, i8)
declare void @__irsan_tell(ptr)
declare void @__irsan_leave_errno()
declare void @__irsan_to_host()
declare void @llvm.va_start.p0(ptr)
"""


def kernel(name: str, signature: str) -> Kernel:
    return Kernel(name, signature, None)


def declared(kernels: list[Kernel]) -> str:
    lines = []
    for one in kernels:
        types = ", ".join(LLVM_TYPES[kind] for kind in one.argument_types if kind != "ctx")
        lines.append(f"declare {LLVM_TYPES[one.return_type]} @k.{one.name}({types})")
    return "\n".join(lines)


def verified(text: str, *kernels: Kernel) -> Any:
    """The module of some glue text. Raises RuntimeError with LLVM's words when it is wrong."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(join([text, declared(list(kernels)), PROFILE_METADATA]))
    module.verify()
    return module


SHAPES = [
    (Export("i32 f(ptr,i32,u64)", kernel="k"), "i32(ctx,u64,i32,u64)"),
    (Export("ptr f(u64)", kernel="k"), "u64(ctx,u64)"),
    (Export("void f()", kernel="k"), "void(ctx)"),
    (Export("void f(ptr)", kernel="k"), "i32(ctx,u64)"),
    (Export("i32 f(ptr)", kernel="k"), "u64(ctx,u64)"),
    (Export("u64 f()", kernel="k", quick=True), "u64(ctx)"),
    (Export("void f(u32)", kernel="k", quick=True), "void(ctx,u32)"),
    (Export("i32 f(ptr,...)", kernel="k"), "i32(ctx,u64,u64)"),
    (Export("ptr f(ptr,ptr,u64)", kernel="k", then_real=True), "b1(ctx,u64,u64)"),
    (Export("f64 f(f64)", kernel="k", then_real=True), "b1(ctx)"),
    (Export("f80 f(ptr)", kernel="k", then_real=True), "b1(ctx,u64)"),
    (Export("void f(ptr)", kernel="k", then_real=True), "b1(ctx,u64)"),
    (Export("i32 f(i32,ptr)", kernel="k", real_first=True), "void(ctx,u64,u64)"),
    (Export("f32 f(ptr,ptr)", kernel="k", real_first=True), "void(ctx,u64)"),
    (Export("void f(ptr)", kernel="k", real_first=True), "void(ctx,u64)"),
    (Export("i32 f(i32,u32,u64,ptr)", host="h"), ""),
    (Export("ptr f(f64,i64,b1,u8,u16)", host="h"), ""),
    (Export("void f()", host="h"), ""),
]


@pytest.mark.parametrize(("export", "signature"), SHAPES)
def test_every_shape_of_export_verifies(export: Export, signature: str) -> None:
    kernels = {"k": kernel("k", signature)} if signature else {}
    text = glue_exports.export_glue([export], kernels)
    module = verified(text + SUPPORT, *kernels.values())
    function = module.get_function("__interceptor_f")
    assert not function.is_declaration
    begins, ends = (f"store i32 {n}, {context_field('routine')}" for n in (1, 0))
    assert begins in text and ends in text
    assert ("@__irsan_act()" in text) == (not export.quick)


@pytest.mark.parametrize("before", ["", "b"])
def test_a_kernel_may_stand_for_the_real_function(before: str) -> None:
    export = Export(
        "i64 f(i32,ptr,u64)", kernel="k", real_first=True, before=before, instead="i", takes=(1,)
    )
    kernels = {
        "k": kernel("k", "void(ctx,i64,u64)"),
        "b": kernel("b", "void(ctx,i32)"),
        "i": kernel("i", "i64(ctx,i32,u64,u64)"),
    }
    text = glue_exports.export_glue([export], kernels)
    verified(text + SUPPORT, *kernels.values())
    assert "call i64 @k.i(" in text and "call i64 @__irsan_real_f" not in text


def test_a_host_export_passes_at_most_15_words() -> None:
    words = ",".join(["u64"] * 17)
    with pytest.raises(ValueError, match="more than 15"):
        glue_exports.export_glue([Export(f"void f({words})", host="h")], {})


def test_a_kernel_that_takes_something_else_is_an_error_of_irsan() -> None:
    export = Export("i32 f(f64)", kernel="k", then_real=True)
    with pytest.raises(InternalError, match="takes u64, not f64"):
        glue_exports.export_glue([export], {"k": kernel("k", "b1(ctx,u64)")})


def test_numbers_count_from_one_in_order() -> None:
    exports = [Export(f"void f{n}()", kernel="k") for n in range(3)]
    text = glue_exports.export_glue(exports, {"k": kernel("k", "void(ctx)")})
    numbers = re.findall(r"@__interceptor_f(\d).*?store i32 (\d),", text, re.DOTALL)
    assert numbers == [("0", "1"), ("1", "2"), ("2", "3")]


@pytest.mark.parametrize("name", CONTEXT_DTYPE.names)
def test_context_fields_are_constant_addresses(name: str) -> None:
    found = re.fullmatch(r"ptr inttoptr \(i64 (\d+) to ptr\)", context_field(name))
    assert found is not None
    assert int(found[1]) == memory_map.CONTEXT_ADDR + CONTEXT_DTYPE.fields[name][1]


def test_results_are_narrowed_and_pointers_made() -> None:
    assert return_value("void", "u64", "%v") == ["ret void"]
    assert return_value("i32", "i32", "%v") == ["ret i32 %v"]
    assert return_value("u32", "u64", "%v")[-1] == "ret i32 %as.c"
    assert return_value("ptr", "u64", "%v")[-1] == "ret ptr %as.ptr"


def all_glue() -> str:
    parts = [
        glue_hooks.hot_hooks(), glue_hooks.access_hooks(),
        atomics.atomic_hooks(), outlined.outlined_hooks(), leaks.leak_glue(),
        glue_exports.export_glue([], {}),
        *(template(name) for name in names() if not name.startswith(INLINED)),
    ]  # fmt: skip
    return "\n".join(parts)


def test_kernels_are_called_by_the_type_that_they_have() -> None:
    """LLVM takes a call of another type, which is undefined."""
    types = {
        one.name: str(ast.unparse(one.returns)) if one.returns else ""
        for path in files()
        for one in kernels(ast.parse(path.read_text()))
    }
    calls = set(re.findall(r"call (?:\w+cc )?(\w+) @k\.(\w+)\(", all_glue()))
    assert len(calls) > 100
    words = {"None": "void", "b1": "i8", "bool": "i8", **LLVM_TYPES}
    assert {(name, kind) for kind, name in calls if words[types[name]] != kind} == set()


def test_all_glue_together_defines_every_hook_and_what_it_calls() -> None:
    text = all_glue()
    called = set(re.findall(r"@(__(?:irsan|interceptor)_[\w.]+)\(", text))
    made = set(re.findall(r"^define [^@\n]*@([\w.$]+)\(", text, re.MULTILINE))
    # The first are exports of interceptors, see test_build; the others are in programs alone.
    elsewhere = ("unsupported", "exported", "stack", "compact", "mixed")
    hooks = {name for name, hook in HOOKS.items() if hook.group not in elsewhere}
    assert hooks - made == set()
    outside = {name for name in called - made if "_real_" not in name}
    assert all(name.startswith("__interceptor_") for name in outside), outside


def test_hot_hooks_call_only_fast_kernels_and_outlined_slow_paths() -> None:
    text = glue_hooks.hot_hooks() + glue_hooks.hot_declarations()
    called = set(re.findall(r"call [^@\n]*@([\w.]+)\(", text))
    called = {name for name in called if not name.startswith("llvm.")}  # instructions by a name
    made = set(re.findall(r"^define [^@\n]*@([\w.]+)\(", text, re.MULTILINE))
    slow = {name for name in called - made if not name.startswith("k.")}
    declared_names = set(re.findall(r"^declare [^@\n]*@([\w.]+)\(", text, re.MULTILINE))
    assert slow == {name for name in declared_names if not name.startswith("k.")}
    kernels_called = {name.removeprefix("k.") for name in called - slow - made}
    assert kernels_called == set(glue_hooks.hot_kernel_names())
