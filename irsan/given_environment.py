"""The environment that this process was given: the program's own, as it would find it natively.

Python changes it before any code runs: in the C locale it sets LC_CTYPE to C.UTF-8 (PEP 538). The
kernel still has what was given.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_GIVEN: Final = Path("/proc/self/environ")
_CHANGED: Final = "LC_CTYPE"


def given_environment() -> dict[str, str]:
    """Variables by name. Where /proc is missing, as Python has them."""
    now = dict(os.environ)
    try:
        texts = [os.fsdecode(one) for one in _GIVEN.read_bytes().split(b"\0")]
    except OSError:
        return now
    given = dict(reversed([one.split("=", 1) for one in texts if "=" in one[1:]]))
    if _CHANGED in given:
        now[_CHANGED] = given[_CHANGED]
    else:
        now.pop(_CHANGED, None)
    return now
