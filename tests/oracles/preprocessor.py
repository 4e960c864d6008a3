"""A preprocessor so small that it is plainly right: the twin of the compilation cache.

The text of a source is its lines with every `include "name"` line replaced by the text of the
first file of that name, looked for beside the including file and then in the search folders.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def preprocess(source: Path, search: Sequence[Path]) -> tuple[str, list[Path]]:
    """The full text and every file that was read. A missing header reads as `missing <name>`."""
    read: list[Path] = []
    return _text(source, search, read, depth=0), read


def _text(path: Path, search: Sequence[Path], read: list[Path], depth: int) -> str:
    read.append(path)
    if depth > 4:
        return "too deep\n"
    parts: list[str] = []
    for line in path.read_text().splitlines():
        if not line.startswith("include "):
            parts.append(f"{line}\n")
            continue
        name = line.removeprefix("include ").strip('"')
        found = [folder / name for folder in (path.parent, *search) if (folder / name).is_file()]
        if found:
            parts.append(_text(found[0], search, read, depth + 1))
        else:
            parts.append(f"missing {name}\n")
    return "".join(parts)
