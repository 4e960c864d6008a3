"""Builds what a wheel brings along (engine/packaged.py).

    python -m irsan.engine.package_runtime FOLDER      as hatch_build.py calls it
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from irsan.engine.cache import open_cache
from irsan.engine.interp.machine import load_or_build_machine
from irsan.engine.jit.build import load_or_build_runtime
from irsan.engine.jit.source_hash import portable_hash
from irsan.engine.packaged import MACHINE, RUNTIME
from irsan.engine.progress import standard_progress


def write_packaged(folder: Path) -> None:
    """Build both and write them, for a wheel."""
    cache, progress = open_cache(os.environ), standard_progress(os.environ)
    runtime = load_or_build_runtime(cache, progress)
    machine = load_or_build_machine(cache, progress)
    progress("")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{RUNTIME}-{portable_hash(RUNTIME)}").write_bytes(runtime.encoded())
    (folder / f"{MACHINE}-{portable_hash(MACHINE)}").write_bytes(machine)


if __name__ == "__main__":
    write_packaged(Path(sys.argv[1]))
