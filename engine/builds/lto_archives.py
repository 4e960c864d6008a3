"""Static libraries with objects for LTO, for a linker that takes native objects.

    archives = NativeArchives(compilation, folder)
    archives.words(words)          the linker's words, with copies in the place of such archives
    archives.shown("COPY(m.o)")    the user's name of what the linker's trace names

Such an object is bitcode. A copy of the archive has it compiled, with its record, under the same
name and at the same place, and an index of symbols. So the linker chooses members as ever
(--whole-archive too), and the program carries the IR of those that it has taken. What was compiled
is kept in irsan's cache: many programs link one library.

An archive is named by its path, within -Wl, or by -l, which is looked for in the folders of -L and
LIBRARY_PATH as the linker does it, a shared library first.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

from irsan.engine.builds.compile_step import Compilation, StepFailed, compile_source
from irsan.engine.builds.words import LINK, Input, Words, parse_words
from irsan.engine.inputs.ar_file import BITCODE_MAGICS, has_bitcode, read_members

_STATIC: Final = ("-static", "-Bstatic", "-dn", "-non_shared")
_DYNAMIC: Final = ("-Bdynamic", "-dy", "-call_shared")
_NAMESPACE: Final = "lto-member"
_LEFT_OUT: Final = ("-M", "-save-temps", "--save-temps", "-Wl,", "-l", "-L")


class NativeArchives:
    """The archives of one link."""

    def __init__(self, one: Compilation, folder: Path) -> None:
        self._folder = folder
        self._one = replace(one, words=_compiling(one.words))
        self._copies: dict[Path, str] = {}
        self._places: tuple[Path, ...] = ()
        self._is_static = False

    def words(self, words: Iterable[str]) -> list[str]:
        """The words with copies of archives. Raises as `compile_source`."""
        given = list(words)
        places = [*_folders(given), *filter(None, os.environ.get("LIBRARY_PATH", "").split(":"))]
        self._places = tuple(map(Path, places))
        made: list[str] = []
        for word in given:
            if word.startswith("-Wl,"):
                made.append(",".join([self._one_word(piece) for piece in word.split(",")]))
            elif made and made[-1] == "-l":
                copy = self._library(word)
                made[-1:] = [copy] if copy else ["-l", word]
            else:
                made.append(self._one_word(word))
        return made

    def shown(self, name: str) -> str:
        """A name as the user knows it."""
        for archive, copy in self._copies.items():
            if copy and copy in name:
                return name.replace(copy, str(archive))
        return name

    def _one_word(self, word: str) -> str:
        if word in _STATIC or word in _DYNAMIC:
            self._is_static = word in _STATIC
        elif word.startswith("-l") and len(word) > 2:
            return self._library(word[2:]) or word
        elif word and not word.startswith("-"):
            return self._copy(Path(word)) or word
        return word

    def _library(self, name: str) -> str:
        """The copy of what -l names, \"\" when it needs none."""
        files = [f"lib{name}.a"] if self._is_static else [f"lib{name}.so", f"lib{name}.a"]
        for folder in self._places:
            for file in [name[1:]] if name.startswith(":") else files:
                if (folder / file).is_file():
                    return self._copy(folder / file)
        return ""

    def _copy(self, path: Path) -> str:
        if path not in self._copies:
            self._copies[path] = self._made(path) if has_bitcode(path) else ""
        return self._copies[path]

    def _made(self, path: Path) -> str:
        from irsan.engine.builds.ar_writing import archive_bytes

        folder = self._folder / f"archive-{len(self._copies)}"
        folder.mkdir()
        names, parts = zip(*read_members(path), strict=True)
        titles = [f"{path}({name})" for name in names]
        places = [folder / str(at) for at in range(len(names))]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:  # each waits for a compiler
            objects = list(pool.map(self._native, titles, parts, places))
        copy = folder / path.name
        members = zip([Path(name).name for name in names], objects, strict=True)
        copy.write_bytes(archive_bytes(list(members)))
        return str(copy)

    def _native(self, title: str, raw: bytes, place: Path) -> bytes:
        """A member as the linker takes it; place: where its files go."""
        from irsan.engine.cache import open_cache

        if raw[:4] not in BITCODE_MAGICS:
            return raw
        one, cache = self._one, open_cache(os.environ)
        facts = (title, hashlib.sha256(raw).hexdigest(), one.words.words, one.toolchain, one.checks,
                 one.parts.stubs)  # fmt: skip
        key = hashlib.sha256(repr(facts).encode()).hexdigest()
        known = cache.get(_NAMESPACE, key)
        if known is None:
            source, target = place.with_suffix(".lto"), place.with_suffix(".o")
            source.write_bytes(raw)
            try:
                compile_source(one, Input(0, str(source), "ir"), target, title)
            except StepFailed:  # the compiler has named a temporary file
                print(f"irsan-cc: {title}: is not compiled", file=sys.stderr)
                raise
            known = target.read_bytes()
            cache.put(_NAMESPACE, key, known)
        return known


def _compiling(words: Words) -> Words:
    """The words that a link's members are compiled with."""
    kept = [word for word in words.options() if not word.startswith(_LEFT_OUT)]
    found = parse_words(kept)
    found.mode = LINK
    return found


def _folders(words: list[str]) -> Iterator[str]:
    """The folders of -L, also within -Wl,."""
    pieces = [piece for word in words for piece in (word.split(",") if "-Wl," in word else [word])]
    for at, piece in enumerate(pieces):
        if piece in ("-L", "--library-path") and at + 1 < len(pieces):
            yield pieces[at + 1]
        elif piece.startswith("--library-path="):
            yield piece.partition("=")[2]
        elif piece.startswith("-L") and len(piece) > 2:
            yield piece[2:]
