"""How Python is started to run an executable: `python -E -Xutf8 -c BOOT CACHE PATH ARGV...`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import irsan

_BOOT: Final = (
    "import sys; sys.path[0] = {root!r}; from irsan.built_program import main; "
    "sys.exit(main(sys.argv[1:]))"
)


def source_root() -> str:
    """The folder from which irsan is imported."""
    return str(Path(irsan.__file__).parent.parent)


def boot_text() -> str:
    """The program that Python is given."""
    return _BOOT.format(root=source_root())
