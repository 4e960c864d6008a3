"""`irsan dump-ir`: the model of a module as LLVM text."""

from __future__ import annotations

from collections.abc import Iterator

from irsan.ir.module import Module


def dump_ir(module: Module) -> Iterator[str]:
    """The module's text, line by line, without newlines."""
    from irsan.ir.printing import module_lines

    for piece in module_lines(module):
        yield from piece.split("\n")
