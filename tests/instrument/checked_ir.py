"""What the tests of passes share: IR in, instrumented text out, verified by LLVM.

text = instrumented("define i32 @f(ptr %p) { ... }", "thread")
check(body(text, "f"), "call void @__tsan_read4(ptr %p)", "load i32")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from irsan.instrument.pipeline import instrument_module
from irsan.instrument.sites.sites import SiteTable
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text

LAYOUT = (
    'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-'
    'n8:16:32:64-S128"\ntarget triple = "x86_64-unknown-linux-gnu"\n'
)


def instrumented(
    text: str,
    sanitizers: str = "address,thread",
    *,
    portable: bool = True,
    sites: SiteTable | None = None,
    keep_debug: bool = False,
    marked: str = "",
) -> str:
    """`text` (without layout) through the pipeline; what LLVM refuses is an error.

    marked: sanitizers whose marks our own front end is to have made.
    """
    import llvmlite.binding as llvm

    module = parse_ir_text(LAYOUT + text)
    wanted = frozenset(sanitizers.split(","))
    made = frozenset(marked.split(",")) - {""}
    instrument_module(
        module, wanted, portable=portable, sites=sites, keep_debug=keep_debug, marked=made
    )
    output = print_module(module)
    parsed = llvm.parse_assembly(output)
    parsed.verify()
    return output


def body(text: str, function: str) -> str:
    """The definition of one function."""
    found = re.search(
        rf"^define [^\n]*@{re.escape(function)}\(.*?^}}", text, re.MULTILINE | re.DOTALL
    )
    assert found is not None, f"no definition of {function}"
    return found[0]


def check(text: str, *expected: str) -> None:
    """Each of `expected` occurs behind the one before."""
    at = 0
    for words in expected:
        found = text.find(words, at)
        assert found >= 0, f"{words!r} is missing behind position {at} of\n{text}"
        at = found + len(words)


def hooks_in(text: str) -> list[str]:
    """Names of the hooks called, in order, without site numbers."""
    names = re.findall(r"(?:call|invoke)[^\n]*? @(__(?:asan|tsan|irsan)_\w+)\(", text)
    return [name for name in names if name != "__irsan_site"]


def checks_in(text: str, function: str) -> list[str]:
    """Hooks of one function without its frame hooks."""
    names = hooks_in(body(text, function))
    return [name for name in names if "_func_" not in name and "_frame_" not in name]


@contextmanager
def native(module: Any) -> Iterator[Callable[[str], int]]:
    """Machine code of an llvmlite module: a function from names to addresses."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    try:
        yield engine.get_function_address
    finally:
        engine.close()
