"""What -fopenmp needs beyond the word itself: omp.h of irsan, behind all other folders.

The pip-installed compiler has none.

Deviation: GNU's OpenMP library (-fopenmp=libgomp) has no IR of clang's; the word is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

_HEADERS: Final = Path(__file__).parent / "include"
_ON: Final = ("-fopenmp", "-fopenmp=libomp", "-fopenmp=libiomp5")


def has_openmp(words: Sequence[str]) -> bool:
    """Whether the last word about OpenMP turns it on."""
    said = [word for word in words if word in _ON or word == "-fno-openmp"]
    return bool(said) and said[-1] != "-fno-openmp"


def with_openmp(words: Sequence[str]) -> tuple[str, ...]:
    """The user's words for the compiler, and the folder of headers that -fopenmp needs."""
    if not has_openmp(words):
        return tuple(words)
    return (*words, "-idirafter", str(_HEADERS))
