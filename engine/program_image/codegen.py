"""From instrumented LLVM text to an object: the hot hooks inlined, then LLVM's code generator.

    up to 50,000 bytes of text     LLVM's usual generator
    more                           FastISel with the usual register allocator, less two of its
                                   steps (below), but for functions that are marked as hot
                                   (instrument/access/hot_functions.py): a quarter of the time, and
                                   code that runs some 10% slower (lua)
    a function of 6 MB and more    FastISel with the allocator of -O0: the usual one takes time by
                                   the square of a function (12 MB, a test case of a C++ project:
                                   59 s; 2.7 s so).  Its frame is twice as large

Small units are generated at once anyway.  `optnone` is LLVM's mark for FastISel; it comes last, as
LLVM's passes would leave such functions alone.
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
from irsan.instrument.access.hot_functions import HOT

_QUICK_BYTES: Final = 50_000
_HUGE_FUNCTION_BYTES: Final = 6_000_000
#: Steps that quick code does without: instructions stay in their order, and no live range is split
#: along a region, whose search takes longest in big functions. A quarter of the generator's time;
#: lua ran as fast without them. LLVM has these switches for the whole process alone.
_WITHOUT_STEPS: Final = ("-enable-misched=false", "-grow-region-complexity-budget=0")
_WITH_STEPS: Final = ("-enable-misched=true", "-grow-region-complexity-budget=10000")  # LLVM's own
_PLAIN_ALLOCATION: Final = "-optimize-regalloc=false"
_USUAL_ALLOCATION: Final = "-optimize-regalloc=true"  # what _quick_machine has asked for
_HOT_MARK: Final = f'"{HOT}"'
#: of functions that stay as they are: hot ones, and attributes that `optnone` does not go with
_KEPT: Final = frozenset({_HOT_MARK.encode(), b"alwaysinline", b"optsize", b"minsize"})
_END_OF_FUNCTION: Final = "\n}\n"


def is_quick(text: str) -> bool:
    """Whether FastISel is asked first."""
    return len(text) > _QUICK_BYTES


def has_huge_function(text: str) -> bool:
    """Whether a function is so large that its registers are allocated block by block.  O(n)."""
    return len(text) >= _HUGE_FUNCTION_BYTES and any(
        len(part) >= _HUGE_FUNCTION_BYTES for part in text.split(_END_OF_FUNCTION)
    )


def text_to_object(text: str, hot_text: str, *, may_be_quick: bool = True) -> bytes:
    """Compile instrumented LLVM text to an object, with the hot hooks inlined."""
    import llvmlite.binding as llvm

    machine = target_machine()
    module = llvm.parse_assembly(text)
    module.verify()  # or the code generator would end this process
    module.link_in(_parsed(hot_text), preserve=True)
    _inline_hooks(module, machine)
    if not (may_be_quick and is_quick(text)):
        return bytes(machine.emit_object(module))
    is_huge = has_huge_function(text)
    is_mixed = not is_huge and _HOT_MARK in text
    quick = _quick_machine()  # which says first how registers are allocated
    if is_mixed:
        _mark_cold(module)
    with _fewer_steps(is_huge):
        return bytes((machine if is_mixed else quick).emit_object(module))


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
def _fewer_steps(is_huge: bool = False) -> Iterator[None]:
    """Leave the steps of `_WITHOUT_STEPS` out, until the end of the block."""
    _set_options((*_WITHOUT_STEPS, _PLAIN_ALLOCATION if is_huge else _USUAL_ALLOCATION))
    try:
        yield
    finally:
        _set_options((*_WITH_STEPS, _USUAL_ALLOCATION))


def _set_options(options: tuple[str, ...]) -> None:
    import llvmlite.binding as llvm

    for option in options:
        llvm.set_option("irsan", option)


def _mark_cold(module: Any) -> None:
    """Ask for quick code of all functions but the hot ones."""
    for function in module.functions:
        words = b" ".join(function.attributes).split()
        if not (function.is_declaration or _KEPT.intersection(words)):
            function.add_function_attribute("optnone")
            function.add_function_attribute("noinline")


def _inline_hooks(module: Any, machine: Any) -> None:
    """Inline always-inline functions and clean up after it; never a whole -O pipeline."""
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
