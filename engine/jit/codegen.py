"""From instrumented LLVM text to an object: the hot hooks inlined, then LLVM's code generator."""

from __future__ import annotations

from typing import Any

from irsan.engine.jit.build import target_machine


def text_to_object(text: str, hot_text: str) -> bytes:
    """Compile instrumented LLVM text to an object, with the hot hooks inlined."""
    import llvmlite.binding as llvm

    machine = target_machine()
    module = llvm.parse_assembly(text)
    module.verify()  # or the code generator would end this process
    module.link_in(llvm.parse_assembly(hot_text))
    _inline_hooks(module, machine)
    return bytes(machine.emit_object(module))


def _inline_hooks(module: Any, machine: Any) -> None:
    """Inline what is marked always-inline and clean up after it; never a whole -O pipeline."""
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
