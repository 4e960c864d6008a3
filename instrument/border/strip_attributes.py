"""Takes `sanitize_address` and `sanitize_thread` off functions that are checked now.

    define void @f() sanitize_address    ->    define void @f()

A compiler that links portable output with `-fsanitize=address` would check what is marked once
more, and take our writes to the shadow for the program's.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.ir.module import Module

_MARKS = {"address": "sanitize_address", "thread": "sanitize_thread"}


@dataclass(frozen=True, slots=True)
class MarksOff:
    """Run it behind every pass that asks the policy; `sanitizers`: whose marks go."""

    sanitizers: frozenset[str]

    def apply(self, module: Module) -> None:
        """Clean all functions."""
        marks = [mark for name, mark in _MARKS.items() if name in self.sanitizers]
        for function in module.functions:
            if any(function.attributes.has_function(mark) for mark in marks):
                function.attributes = function.attributes.without_function(marks)
