"""Response files: the words of `@FILE` stand in its place, as gcc, clang and linkers read them.

Words are separated by white space, may be quoted by ' or ", and a backslash takes the next
character as it is, also between quotes: not what a shell does.

Source: the manual of gcc, "Overall Options", @file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from irsan.errors import UsageError

_QUOTES: Final = ("'", '"')
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
            found = list(_words_of(Path(word[1:]).read_text(errors="surrogateescape")))
        except (OSError, ValueError) as error:
            raise UsageError(f"{word}: cannot be read: {error}") from None
        yield from expanded(found, depth + 1)


def _words_of(text: str) -> Iterator[str]:
    word: list[str] | None = None
    quote, characters = "", iter(text)
    for one in characters:
        if not quote and one.isspace():
            if word is not None:
                yield "".join(word)
            word = None
            continue
        word = [] if word is None else word
        if one == "\\":
            word.append(next(characters, ""))
        elif quote == one:
            quote = ""
        elif not quote and one in _QUOTES:
            quote = one
        else:
            word.append(one)
    if quote:
        raise ValueError("No closing quotation")
    if word is not None:
        yield "".join(word)
