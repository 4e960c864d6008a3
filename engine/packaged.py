"""What a wheel brings along built: the runtime of both engines, as the first run would build it.

    irsan/built/runtime-KEY     object, hot code and tables       irsan/built/machine-KEY
    irsan/built/cxx-KEY         the C++ library of the bundled compiler
                                (engine/native_libraries/zig_runtime.py)
    irsan/built/members-KEY     the same compiled with the default checks
                                (engine/cxx_library/shipped.py)

KEY is a hash of the sources alone: the result is code for any x86-64, whichever Python and numba
made it. A file of another key is of other sources and is not looked at; a checkout has none.

engine/commands/package_runtime.py writes the files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import irsan

_FOLDER: Final = "built"
RUNTIME, MACHINE, CXX, MEMBERS = "runtime", "machine", "cxx", "members"


def packaged(kind: str, key: str) -> bytes | None:
    """The content of a file that came with the package; None when there is none for these sources.

    kind: RUNTIME, MACHINE, CXX or MEMBERS.
    """
    try:
        return (Path(irsan.__file__).parent / _FOLDER / f"{kind}-{key}").read_bytes()
    except OSError:
        return None
