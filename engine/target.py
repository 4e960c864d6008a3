"""The machine that code is made for, and how hard LLVM works on it."""

from __future__ import annotations

from typing import Any

TRIPLE = "x86_64-unknown-linux-gnu"


def target_machine(level: int = 2) -> Any:
    """Generic x86-64, static relocations, small code model, so that objects are portable.

    level: how hard its passes work, 0 to 3, as of -O.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=level, reloc="static", codemodel="small")


def optimise(module: Any, machine: Any, level: int) -> None:
    """Run LLVM's module pipeline of an -O level over a module, in place."""
    import llvmlite.binding as llvm

    options = llvm.PipelineTuningOptions(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
