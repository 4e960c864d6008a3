"""`irsan instrument`: a program with its checks written in, as LLVM text or bitcode.

The output is parsed and verified by LLVM before it is written: what irsan hands out, LLVM reads.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.options import FrontendOptions
from irsan.errors import InternalError, UsageError
from irsan.instrument.check_names import MEMORY, THREAD, UNDEFINED
from irsan.instrument.check_stats import CheckStats


def instrument_to_file(
    program: Path,
    output: Path,
    options: FrontendOptions,
    sanitizers: frozenset[str],
    *,
    portable: bool,
) -> CheckStats:
    """Write the instrumented program to `output`: bitcode when it is named .bc, else text.

    portable: only hooks that compiler-rt has, so that clang can link the output natively.
    Returns what became of checks.
    Raises UsageError when the output cannot be written, InternalError when LLVM rejects it.
    """
    stats = CheckStats()
    text = instrumented_text(program, options, sanitizers, portable=portable, stats=stats)
    try:
        bitcode = text_to_bitcode(text.encode(), output)
    except UsageError as error:
        raise InternalError(f"LLVM rejects the instrumented program: {error}") from None
    try:
        output.write_bytes(bitcode if output.suffix == ".bc" else text.encode())
    except OSError as error:
        raise UsageError(f"{output}: cannot be written: {error.strerror}") from None
    return stats


def write_stats(stats: CheckStats, path: Path) -> None:
    """Write what became of checks as JSON: a list of {tool, fate, reason, checks}.

    Raises UsageError when the file cannot be written.
    """
    names = ("tool", "fate", "reason", "checks")
    rows = [dict(zip(names, row, strict=True)) for row in stats.rows()]
    try:
        path.write_text(json.dumps(rows, indent=1) + "\n")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None


def instrumented_text(
    program: Path,
    options: FrontendOptions,
    sanitizers: frozenset[str],
    *,
    portable: bool,
    stats: CheckStats | None = None,
) -> str:
    """The instrumented program as LLVM text."""
    (unit,) = compile_to_ir([program], replace(
        options, marks_races=THREAD in sanitizers, checks_undefined=UNDEFINED in sanitizers,
        marks_uninitialised=MEMORY in sanitizers and not portable,
    ))  # fmt: skip
    from irsan.instrument.pipeline import instrument_module
    from irsan.instrument.sites.sites import SiteTable
    from irsan.ir.bitcode.reader import read_bitcode
    from irsan.ir.printing import print_module

    module = read_bitcode(unit.bitcode)
    instrument_module(module, sanitizers, portable=portable, sites=SiteTable(),
                      marked=unit.marked, stats=stats)  # fmt: skip
    return print_module(module)
