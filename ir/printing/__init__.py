"""The printer: a module as LLVM text.

print_module(module) -> str            the whole text module_lines(module) -> Iterator[str]  the
same in pieces, without building one big string print_function(module, function)       one function,
for people
"""

from __future__ import annotations

from irsan.ir.printing.module import module_lines, print_function, print_module

__all__ = ["module_lines", "print_function", "print_module"]
