"""From instrumented LLVM text to an object: the hot hooks inlined, then LLVM's code generator.

    up to 50,000 bytes of text     LLVM's usual generator
    more                           less those of its steps whose work the passes of the compiler
                                   have done before, or that take long (below): 0.57 of its time,
                                   and code that is as fast (sqlite3)
    with functions marked as hot   the steps for loops stay (instrument/access/hot_functions.py)
    a function of 6 MB and more    FastISel with the allocator of -O0: the usual one takes time by
                                   the square of a function (12 MB, a test case of a C++ project:
                                   59 s; 2.7 s so).  Its frame is twice as large

Small units are generated at once anyway.  FastISel for all big units took 0.9 of that time, and
its code 1.16 of the time (sqlite3).
Some instructions have code in the usual generator only: `codegen_apart.py` asks it when the other
fails.

Soundness: all make the same checks, and which one is used depends on the text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from irsan.engine.target import target_machine
from irsan.instrument.access.hot_functions import HOT
from irsan.instrument.check_names import UBSAN_HANDLERS

_QUICK_BYTES: Final = 50_000
_HUGE_FUNCTION_BYTES: Final = 6_000_000
#: Steps that big units do without: what is computed again stays so, instructions in their order.
_LONG_STEPS: Final = (
    "disable-copyprop", "disable-early-taildup", "disable-post-ra", "disable-tail-duplicate",
)  # fmt: skip
_LOOP_STEPS: Final = (
    "disable-cgp", "disable-lsr", "disable-machine-cse", "disable-machine-licm",
    "disable-machine-sink", "disable-postra-machine-licm",
)  # fmt: skip
#: Other switches that say what big units do without, and LLVM's own values. A live range is split
#: along regions of so many blocks at most, as the search takes longest in big functions: with none,
#: a sum of floats in a loop beside a call would lie on the stack in every turn.
_VALUES: Final = {
    "enable-misched": ("false", "true"),
    "grow-region-complexity-budget": ("100", "10000"),
}
#: By default LLVM follows where each variable of the source lies, for debuggers: a seventh of the
#: generator's time (sqlite3). irsan's objects tell lines only, and no byte of them changes.
_NO_VARIABLE_LOCATIONS: Final = "experimental-debug-variable-locations=false"
#: Loop strength reduction keeps a pointer of its own for each address of shadow in a loop, more
#: than there are registers (the product of matrices took 1.4 of its time): now only where LLVM
#: counts less work with it.
_FEWER_POINTERS: Final = {"lsr-drop-solution=true": "lsr-drop-solution=false"}
_PLAIN_ALLOCATION: Final = "optimize-regalloc=false"
_USUAL_ALLOCATION: Final = "optimize-regalloc=true"  # what _quick_machine has asked for
_HOT_MARK: Final = f'"{HOT}"'
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
    _follow_no_variables()
    module = llvm.parse_assembly(text)
    module.verify()  # or the code generator would end this process
    module.link_in(_parsed(hot_text), preserve=True)
    _inline_hooks(module, machine, folds=UBSAN_HANDLERS not in text)
    generator, switches = machine, _FEWER_POINTERS
    if may_be_quick and is_quick(text):
        generator, switches = _quicker(text)
    with _switched(switches):
        return bytes(generator.emit_object(module))


def _quicker(text: str) -> tuple[Any, dict[str, str]]:
    """The generator of a big unit, and the switches to set for it."""
    if has_huge_function(text):
        return _quick_machine(), {_PLAIN_ALLOCATION: _USUAL_ALLOCATION}
    return _lean_machine(), _fewer_steps(has_loops=_HOT_MARK in text)


def get_ready(hot_text: str) -> None:
    """Do the part that is the same for all texts, in a process whose children make objects."""
    target_machine()
    _quick_machine()
    _lean_machine()
    _parsed(hot_text)


@functools.lru_cache(maxsize=1)
def _parsed(hot_text: str) -> Any:
    import llvmlite.binding as llvm

    return llvm.parse_assembly(hot_text)


@functools.cache
def _follow_no_variables() -> None:
    _set_options((_NO_VARIABLE_LOCATIONS,))


@functools.cache
def _quick_machine() -> Any:
    """A generator without its passes over machine code, but for the allocation of registers.

    LLVM takes the option once per process, and it means what holds above -O0 anyway.
    """
    import llvmlite.binding as llvm

    llvm.set_option("irsan", "-optimize-regalloc")
    return target_machine(0)


@functools.cache
def _lean_machine() -> Any:
    return target_machine(1)


def _fewer_steps(*, has_loops: bool) -> dict[str, str]:
    """Switches of LLVM for units that are big, with what puts each back.

    has_loops: some functions spend their time in loops of their own.
    """
    left_out = _LONG_STEPS if has_loops else (*_LONG_STEPS, *_LOOP_STEPS)
    switches = {f"{name}=true": f"{name}=false" for name in left_out} | _FEWER_POINTERS
    return switches | {f"{name}={ours}": f"{name}={own}" for name, (ours, own) in _VALUES.items()}


@contextmanager
def _switched(switches: Mapping[str, str]) -> Iterator[None]:
    """LLVM's switches are the process's: set until the end of the block, then put back."""
    _set_options(switches)
    try:
        yield
    finally:
        _set_options(switches.values())


def _set_options(options: Iterable[str]) -> None:
    import llvmlite.binding as llvm

    for option in options:
        llvm.set_option("irsan", f"-{option}")


def _inline_hooks(module: Any, machine: Any, *, folds: bool) -> None:
    """Inline always-inline functions and clean up after it; never a whole -O pipeline.

    folds: branches that always go one way go, as those of a strip whose shadow is a constant. What
    tells it is constants, but also what the compiler promised (`!range`, `nonnull`): where checks
    doubt promises, none of their branches may go.
    """
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    if folds:
        passes.add_sccp_pass()
        passes.add_dead_code_elimination_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
