"""`irsan link`: several programs' modules as one file of bitcode or LLVM text.

LLVM parses and verifies the result before it is written.

Which functions are checked is decided for each module from the marks in it (`sanitize_address` and
its like; `irsan.instrument.policy`). One module is decided about once. So sources are compiled with
marks, and where only some modules have marks, all functions of the others get them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.front_end.frontend import check_readable_program, compile_to_ir
from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.options import FrontendOptions
from irsan.errors import InternalError, OutputError, UsageError

if TYPE_CHECKING:
    from irsan.ir.module import Module

_MARKED_FOR: Final = ("address", "thread", "memory")
_N_NAMED: Final = 5


def link_to_file(
    programs: Sequence[Path], output: Path, options: FrontendOptions, *, as_text: bool
) -> None:
    """Write the one module of `programs` to `output`, as text or as bitcode.

    Raises UsageError for programs that cannot be read or do not fit together, OutputError when
    the output cannot be written, InternalError when LLVM rejects the result.
    """
    for program in programs:
        check_readable_program(program)
    text, warnings = linked_text(programs, options)
    try:
        bitcode = text_to_bitcode(text.encode(), output)
    except UsageError as error:
        raise InternalError(f"LLVM rejects the linked program: {error}") from None
    for warning in warnings:
        print(f"irsan: warning: {warning}", file=sys.stderr)
    try:
        output.write_bytes(text.encode() if as_text else bitcode)
    except OSError as error:
        raise OutputError(f"{output} cannot be written: {error.strerror}") from None


def linked_text(
    programs: Sequence[Path], options: FrontendOptions
) -> tuple[str, tuple[str, ...]]:
    """The one module as LLVM text, and warnings."""
    units = compile_to_ir(programs, replace(options, marks_races=True))
    from irsan.ir.linker.linking import link_modules
    from irsan.ir.printing import print_module

    named = [(str(unit.path), _module_of(unit)) for unit in units]
    warnings = tuple(_instrumented_in_part(named))
    for sanitizer in _MARKED_FOR:
        modules = [module for _, module in named]
        _mark_alike(modules, [sanitizer in unit.marked for unit in units], f"sanitize_{sanitizer}")
    linked = link_modules(named)
    return print_module(linked.module), (*warnings, *linked.warnings)


def _module_of(unit: CompiledUnit) -> Module:
    """The unit's module, without what marking has left in it."""
    from irsan.instrument.border.front_end_attributes import FrontEndMarks
    from irsan.ir.bitcode.reader import read_bitcode

    module = read_bitcode(unit.bitcode)
    if unit.marked:
        FrontEndMarks(unit.marked).apply(module)
    return module


def _mark_alike(modules: Sequence[Module], is_settled: Sequence[bool], mark: str) -> None:
    """Marks all functions of modules without this mark, if there are others with it.

    is_settled: for each module, whether it has all the marks that it should have, be it none.
    """
    from irsan.ir.attributes import Attribute

    has_any = [
        any(function.attributes.has_function(mark) for function in module.functions)
        for module in modules
    ]
    for module, is_marked, settled in zip(modules, has_any, is_settled, strict=True):
        if any(has_any) and not is_marked and not settled:
            for function in module.functions:
                if not function.is_declaration:
                    function.attributes = function.attributes.with_function((Attribute(mark),))


def _instrumented_in_part(named: Sequence[tuple[str, Module]]) -> Iterator[str]:
    """What goes unchecked, as a module that has a sanitizer's calls gets no more of them."""
    from irsan.instrument.policy import preinstrumented_for

    present = [(name, preinstrumented_for(module)) for name, module in named]
    for sanitizer in sorted(set[str]().union(*[found for _, found in present])):
        have = [name for name, found in present if sanitizer in found]
        lack = [name for name, found in present if sanitizer not in found]
        if lack:
            yield (
                f"{_listed(have)} was compiled with -fsanitize={sanitizer} and {_listed(lack)} "
                "was not: irsan will not add those checks to the result"
            )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _N_NAMED} more" if len(names) > _N_NAMED else ""
    return ", ".join(names[:_N_NAMED]) + more
