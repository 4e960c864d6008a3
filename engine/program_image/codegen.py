"""From instrumented LLVM text to an object: the hot hooks inlined, then LLVM's code generator.

    up to 50,000 bytes of text     LLVM's usual generator
    more                           FastISel with the usual register allocator, less two of its
                                   steps (below): a quarter of the time, and code that runs some 10%
                                   slower (lua)

Small units are generated at once anyway, and programs measured for their speed are mostly small.
Some instructions have code in the usual generator only: `codegen_apart.py` asks it when the other
fails.

Soundness: both make the same checks, and which one is used depends on the text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from irsan.engine.target import TRIPLE, target_machine

_QUICK_BYTES: Final = 50_000
#: Steps that quick code does without: instructions stay in their order, and no live range is split
#: along a region, whose search takes longest in big functions. A quarter of the generator's time;
#: lua ran as fast without them. LLVM has these switches for the whole process alone.
_WITHOUT_STEPS: Final = ("-enable-misched=false", "-grow-region-complexity-budget=0")
_WITH_STEPS: Final = ("-enable-misched=true", "-grow-region-complexity-budget=10000")  # LLVM's own


def is_quick(text: str) -> bool:
    """Whether FastISel is asked first."""
    return len(text) > _QUICK_BYTES


def text_to_object(text: str, hot_text: str, *, may_be_quick: bool = True) -> bytes:
    """Compile instrumented LLVM text to an object, with the hot hooks inlined."""
    import llvmlite.binding as llvm

    machine = target_machine()
    module = llvm.parse_assembly(text)
    module.verify()  # or the code generator would end this process
    module.link_in(_parsed(hot_text), preserve=True)
    _inline_hooks(module, machine)
    if may_be_quick and is_quick(text):
        with _fewer_steps():
            return bytes(_quick_machine().emit_object(module))
    return bytes(machine.emit_object(module))


def get_ready(hot_text: str) -> None:
    """Do the part that is the same for all texts, in a process whose children make objects."""
    target_machine()
    _quick_machine()
    _parsed(hot_text)


@functools.lru_cache(maxsize=1)
def _parsed(hot_text: str) -> Any:
    import llvmlite.binding as llvm

    return llvm.parse_assembly(hot_text)


@functools.cache
def _quick_machine() -> Any:
    """A generator without its passes over machine code, but for the allocation of registers.

    LLVM takes the option once per process, and it means what holds above -O0 anyway.
    """
    import llvmlite.binding as llvm

    llvm.set_option("irsan", "-optimize-regalloc")
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=0, reloc="static", codemodel="small")


@contextmanager
def _fewer_steps() -> Iterator[None]:
    """Leave the steps of `_WITHOUT_STEPS` out, until the end of the block."""
    _set_options(_WITHOUT_STEPS)
    try:
        yield
    finally:
        _set_options(_WITH_STEPS)


def _set_options(options: tuple[str, ...]) -> None:
    import llvmlite.binding as llvm

    for option in options:
        llvm.set_option("irsan", option)


def _inline_hooks(module: Any, machine: Any) -> None:
    """Inline always-inline functions and clean up after it; never a whole -O pipeline."""
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
