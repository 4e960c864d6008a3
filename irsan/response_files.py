"""Response files: the words of `@FILE` stand in its place, as gcc, clang and linkers read them.

Source: the manual of gcc, "Overall Options", @file.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from irsan.errors import UsageError

_MAX_DEPTH: Final = 16  # of files that name others


def expanded(words: Iterable[str], depth: int = 0) -> Iterator[str]:
    """Words with those of `@FILE` in its place, files in files too; a word that names no file
    stays as it is.

    UsageError for a file that cannot be read.
    """
    for word in words:
        if not word.startswith("@") or not Path(word[1:]).is_file():
            yield word
            continue
        if depth == _MAX_DEPTH:
            raise UsageError(f"{word}: response files name each other without an end")
        try:
            found = shlex.split(Path(word[1:]).read_text(errors="surrogateescape"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{word}: cannot be read: {error}") from None
        yield from expanded(found, depth + 1)
