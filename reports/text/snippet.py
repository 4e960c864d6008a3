"""A few source lines with a caret, for people at a terminal; parsers never see them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

N_LINES_BEFORE = 1


def snippet_lines(
    file: str, line: int, column: int, n_before: int = N_LINES_BEFORE
) -> list[str]:
    """`line` of `file`, `n_before` lines above it, and a caret under `column` (1-based).

    Nothing if the file cannot be read.
    """
    source = _source_lines(file) if file and line > 0 else ()
    if line > len(source):
        return []
    first = max(line - n_before, 1)
    shown = [f"    {n:>6} | {source[n - 1]}" for n in range(first, line + 1)]
    if not 0 < column <= len(source[line - 1]) + 1:
        return shown
    # Tabs are kept, so that the caret stands where the terminal puts the character.
    indent = "".join("\t" if c == "\t" else " " for c in source[line - 1][: column - 1])
    return [*shown, f"    {'':>6} | {indent}^"]


def remember_source(file: str) -> None:
    """Read a file that will be out of reach when its lines are shown."""
    _source_lines(file)


@lru_cache(maxsize=256)
def _source_lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text(errors="replace").splitlines())
    except OSError:
        return ()
