"""`irsan link`: several programs' modules as one file of bitcode or LLVM text.

LLVM parses and verifies the result before it is written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from irsan.engine.front_end.frontend import check_readable_program, compile_to_ir
from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.options import FrontendOptions
from irsan.errors import InternalError, OutputError, UsageError


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
    units = compile_to_ir(programs, options)
    from irsan.ir.bitcode.reader import read_bitcode
    from irsan.ir.linker.linking import link_modules
    from irsan.ir.printing import print_module

    linked = link_modules([(str(unit.path), read_bitcode(unit.bitcode)) for unit in units])
    return print_module(linked.module), linked.warnings
