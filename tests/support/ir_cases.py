"""IR files with a function for each case: a program that calls the one whose number it is given."""

from __future__ import annotations

from collections.abc import Sequence


def whole_text(text: str, functions: Sequence[str]) -> str:
    """The program: `text` with a branch to each of `functions` for CASES and BLOCKS."""
    cases, blocks = [], []
    for number, name in enumerate(functions):
        cases.append(f"i64 {number}, label %case{number}")
        blocks.append(f"case{number}:\n  call void @{name}(ptr %block, i64 %far)\n  br label %end")
    return text.replace("CASES", " ".join(cases)).replace("BLOCKS", "\n".join(blocks))
