"""Variables that lie among irsan's own and that programs address by the names of a library.

    __cpu_model, __cpu_features2   of libgcc: cpu_model.py
    __libc_single_threaded         of the C library, read by libstdc++:
                                   glue/templates/threads/once.ll

To checked code everything else of irsan's own is an unknown address (arena_gaps.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from irsan.engine.glue.cpu import PREFIX, VARIABLE_BYTES

#: multiples of 8, as the shadow has one byte for so many
_BYTES: Final = {**VARIABLE_BYTES, "__libc_single_threaded": 8}


def shown_variables(symbols: Mapping[str, int]) -> list[tuple[int, int]]:
    """First and last address of each."""
    places = ((symbols[f"{PREFIX}{name}"], size) for name, size in _BYTES.items())
    return [(place, place + size) for place, size in places]
