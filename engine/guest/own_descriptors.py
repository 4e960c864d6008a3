"""Descriptors of irsan's own while a program runs: out of the program's way, and never closed by
it.

Reports go to a copy of standard error, which stays when the program closes or redirects its own.
Its number is one that the program is not given: above the soft limit if the hard one has room.
The program's close, close_range and dup2 leave it alone (interceptors/files/own_descriptors.py).
"""

from __future__ import annotations

import io
import sys
from typing import Any, Final

from irsan.streams import forgiving_text, out_of_the_way

_STDERR: Final = 2


def own_standard_error() -> int | None:
    """Make sys.stderr a copy of standard error; its number, None when it is no standard error."""
    if not isinstance(sys.stderr, io.TextIOWrapper) or sys.stderr.fileno() != _STDERR:
        return None
    descriptor = out_of_the_way(_STDERR)
    if descriptor is None:
        return None
    sys.stderr.flush()
    sys.stderr = forgiving_text(descriptor, sys.stderr.encoding)
    return descriptor


def tell_kernels(ctx: Any, descriptor: int) -> None:
    """A descriptor is irsan's: the program's calls leave it alone."""
    words = ctx["outside"]["own_descriptors"]
    for index in range(len(words)):
        if not int(words[index]):
            words[index] = descriptor + 1
            return
