"""What a wheel brings along built: the runtime of both engines, as the first run would build it.

    irsan/built/runtime-KEY     object, hot code and tables       irsan/built/machine-KEY

KEY is a hash of the sources alone: the result is code for any x86-64, whichever Python and numba
made it. A file of another key is of other sources and is not looked at; a checkout has none.

    python -m irsan.engine.packaged FOLDER      writes both files; hatch_build.py calls it
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import irsan

_FOLDER: Final = "built"
RUNTIME, MACHINE = "runtime", "machine"


def packaged(kind: str, key: str) -> bytes | None:
    """The content of a file that came with the package; None when there is none for these sources.

    kind: RUNTIME or MACHINE.
    """
    try:
        return (Path(irsan.__file__).parent / _FOLDER / f"{kind}-{key}").read_bytes()
    except OSError:
        return None


def write_packaged(folder: Path) -> None:
    """Build both and write them, for a wheel."""
    import os

    from irsan.engine.cache import open_cache
    from irsan.engine.interp.machine import load_or_build_machine
    from irsan.engine.jit.build import load_or_build_runtime
    from irsan.engine.jit.source_hash import portable_hash
    from irsan.engine.progress import standard_progress

    cache, progress = open_cache(os.environ), standard_progress(os.environ)
    runtime = load_or_build_runtime(cache, progress)
    machine = load_or_build_machine(cache, progress)
    progress("")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{RUNTIME}-{portable_hash(RUNTIME)}").write_bytes(runtime.encoded())
    (folder / f"{MACHINE}-{portable_hash(MACHINE)}").write_bytes(machine)


if __name__ == "__main__":
    write_packaged(Path(sys.argv[1]))
