"""The tables of exports: names, arities and types fit the kernels and the host's functions."""

from __future__ import annotations

import pytest

from irsan.engine.glue.exports import export_glue
from irsan.engine.glue.templates import join, template
from irsan.engine.glue.text import PROFILE_METADATA
from irsan.engine.linker.native_symbols import host_symbol
from irsan.engine.runtime_image.kernel_link import kernel_wrappers
from irsan.interceptors.registry import Export, kernel_exports
from irsan.runtime.kernels.kernel import REGISTRY
from irsan.runtime.kernels.threads import handlers, turns
from tests.support.library_calls import all_exports


def test_names_are_unique_over_all_families() -> None:
    names = [export.name for export in kernel_exports()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("export", all_exports().values(), ids=lambda export: export.name)
def test_an_export_fits_its_kernel(export: Export) -> None:
    kernel = REGISTRY[export.kernel]
    n_parameters = len(kernel.argument_types) - 1 - len(export.constants)
    if export.takes:
        has_result = export.real_first and export.result not in ("void", "f32", "f64", "f80")
        assert n_parameters == len(export.takes) + has_result
        assert max(export.takes) < len(export.arguments)
    if export.then_real:
        assert kernel.return_type == "b1" and n_parameters <= len(export.arguments)
    elif export.real_first:
        assert kernel.return_type == "void" and n_parameters <= len(export.arguments) + 1
    else:
        assert n_parameters == len(export.arguments)
    if export.then_real or export.real_first:
        name = export.name if export.real.startswith("irsan_") else export.real or export.name
        assert host_symbol(name.removeprefix("__isoc23_")) or host_symbol(name)


def test_the_glue_is_llvm_text_that_parses() -> None:
    import llvmlite.binding as llvm

    text = export_glue(all_exports().values(), REGISTRY)
    named = {
        name
        for export in all_exports().values()
        for name in (export.kernel, export.before, export.instead, export.counted)
    }
    named |= {"begin_sorting", "end_sorting", handlers.judge_unsafe_call.__name__}
    named |= {turns.system_call_point.__name__}
    kernels = sorted(named - {""})
    wrappers = kernel_wrappers({name: REGISTRY[name] for name in kernels})
    act = "declare i32 @__irsan_act()\ndeclare void @__irsan_act_if_asked()\n"
    use = "declare preserve_mostcc void @__irsan_uninit_use(ptr, i64, i32)\n"
    stacks = "declare i32 @irsan_sigaltstack(ptr, ptr)\ndeclare ptr @irsan_dlopen(ptr, i32)\n"
    made = map(template, ("sorting", "tell"))
    parts = [wrappers, act, use, stacks, *made, text, PROFILE_METADATA]
    module = llvm.parse_assembly(join(parts))
    module.verify()
    defined = {function.name for function in module.functions if not function.is_declaration}
    assert {f"__interceptor_{name}" for name in all_exports()} <= defined
