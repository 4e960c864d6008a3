"""A name for a bug that stays the same from run to run, so that tools can tell new from known.

Hashed: the tool, the kind, and for each side (access, previous) the top frames as
(function, base name of the file, line). Left out: addresses, thread numbers, pids, seeds,
directories and modules. The sides are sorted first, so it does not matter which of two racing
threads came second.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Sequence

N_FRAMES = 8
ID_DIGITS = 16


def stable_fingerprint(
    tool: str, kind: str, sides: Sequence[Sequence[tuple[str, str, int]]]
) -> str:
    """Hash a finding: `sides` are stacks of (function, file, line), innermost first.

    Returns 16 hexadecimal digits.
    """
    parts = sorted("\n".join(_normalised(frame) for frame in side[:N_FRAMES]) for side in sides)
    text = "\0".join([tool, kind, *parts])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:ID_DIGITS]


def _normalised(frame: tuple[str, str, int]) -> str:
    function, file, line = frame
    return f"{function}|{posixpath.basename(file)}|{line}"
