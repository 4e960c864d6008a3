"""Modules lowered for the interpreter: their text, and the operations of their first function."""

from __future__ import annotations

import re

from llvmlite import binding as llvm

from irsan.engine.interp.module_lowering import lower_module
from irsan.ir.reading import parse_ir_text

HEADER = 'target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'


def lowered(text: str) -> str:
    """The lowered text, which LLVM has verified."""
    made = lower_module(parse_ir_text(HEADER + text))
    llvm.parse_assembly(made).verify()
    return made


def first_code(text: str) -> set[int]:
    """Numbers of the operations of the first function, and of what else its words begin with."""
    words = re.search(r"@irsan\.code\.0 = .*? \[(.*?)\], align", lowered(text))
    assert words is not None
    return {int(word) & 0xFFFF for word in re.findall(r"i64 (-?\d+)", words[1])}
