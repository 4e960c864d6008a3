"""One input file as current, verified bitcode, and what every run asks of it.

A start of a big program would spend most of its time on reading bitcode that nothing compiles
again. So bitcode may be read late, and what every run asks of it (`Traits`) is kept beside it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

Language = Literal["c", "c++", "ir"]

# In bitcode other strings follow at once, so what a maker adds to the numbers cannot be separated.
_PRODUCER: Final = re.compile(rb"(?:clang|rustc|flang|LDC|ldc) version \d+\.\d+\.\d+")
_DEFAULTS: Final = re.compile(rb"__(asan|tsan|lsan|ubsan|msan)_default_options")


class Traits(NamedTuple):
    """What a run asks of bitcode.

    key: its sha256, hexadecimal: names everything derived from it.
    defaults: tools whose `__asan_default_options` and the like it mentions.
    producers: the compilers that it names.
    """

    key: str
    defaults: tuple[str, ...]
    producers: tuple[str, ...]

    @classmethod
    def of(cls, bitcode: bytes) -> Traits:
        """The traits of bitcode.  O(bytes)."""
        return cls(
            hashlib.sha256(bitcode).hexdigest(),
            _found(_DEFAULTS, bitcode), _found(_PRODUCER, bitcode),
        )  # fmt: skip


def _found(pattern: re.Pattern[bytes], bitcode: bytes) -> tuple[str, ...]:
    return tuple(sorted({found.decode() for found in pattern.findall(bitcode)}))


@dataclass(frozen=True, slots=True)
class CompiledUnit:
    """One input file as current, verified bitcode.

    path: as the user wrote it.
    source: the bitcode, or what reads it; it answers more than once.
    key: sha256 of the bitcode, hexadecimal: names everything derived from it.
    marked: sanitizers for which the compiler has marked every function that is to be checked.
    known: the bitcode's traits, where they are kept beside it.
    """

    path: Path
    source: bytes | Callable[[], bytes]
    language: Language
    key: str
    marked: frozenset[str] = frozenset()
    known: Traits | None = None

    @property
    def bitcode(self) -> bytes:
        """The bitcode itself."""
        return self.source if isinstance(self.source, bytes) else self.source()

    @property
    def traits(self) -> Traits:
        """What a run asks of the bitcode."""
        return self.known or Traits.of(self.bitcode)
