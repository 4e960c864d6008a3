"""Commands that start a module of irsan in a Python process of its own.

`python -m` looks for modules in the working folder first, which is the user's: one with the name of
a module of Python's own would take its place there.
"""

from __future__ import annotations

import sys
from typing import Final

_START: Final = (
    "import sys; sys.path[:1] = [p for p in sys.path[:1] if p]; import runpy; "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def module_command(module: str, *words: str) -> list[str]:
    """The command line that runs a module as `python -m` does, but for the working folder.

    module: as `irsan.explore.playing.host`;  words: its arguments
    """
    return [sys.executable, "-c", _START, module, *words]
