"""The processes that irsan-cc and `irsan run` go on from: where they lie is irsan.saved_start's,
when they are saved is here.

    the compiler   behind a compilation that had to start the slow way
    a run          beside a run that had to start the slow way (engine/commands/run_ahead.py)

Both once the runtime is built.  It costs a second or two, and each start that follows takes a tenth
of the time.

    python -m irsan.engine.builds.saved_processes      saves the run
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from irsan import saved_start
from irsan.engine.builds.native_parts import restorer
from irsan.engine.builds.toolchain import find_toolchain
from irsan.engine.cache import open_cache
from irsan.engine.runtime_image.hot_text import kept_hot_text
from irsan.engine.snapshot import take
from irsan.engine.snapshot.boot import source_root
from irsan.engine.snapshot.kept import has_just_failed, is_current, renew_snapshot, why_not
from irsan.sealed import read_own, write_atomically

_MODE: Final = 0o700
_MODULES: Final = {saved_start.COMPILER: take.COMPILER, saved_start.RUN: take.RUN}


def renew_saved(saved: str, environment: Mapping[str, str], *, is_patient: bool = False) -> bool:
    """Save a process unless that is done; whether there is a saved one now.

    saved: saved_start.COMPILER or RUN.  is_patient: try again what has just failed.
    Raises UsageError where there is no compiler.
    """
    place = saved_start.restorer_of(environment, saved)
    cache = open_cache(environment)
    if place is None or cache.base is None or saved_start.is_switched_off(environment):
        return False
    path = Path(place)
    if has_just_failed(path.parent) and not is_patient:
        return False
    if is_current(path):
        return True
    if kept_hot_text(cache) is None or not _is_made(path, saved, environment):
        return False
    return renew_snapshot(
        path, source_root(), str(cache.base), is_patient=is_patient, module=_MODULES[saved]
    )


def why_not_saved(saved: str, environment: Mapping[str, str]) -> str:
    """Why there is no saved process, in words."""
    place = saved_start.restorer_of(environment, saved)
    if place is None:
        return "the cache folder or Python has no name that it could be found by"
    if saved_start.is_switched_off(environment):
        return "switched off by the environment"
    return why_not(Path(place).parent) or "it changes while it is made, or cannot be linked"


def _is_made(path: Path, saved: str, environment: Mapping[str, str]) -> bool:
    """Make the restorer anew, as its sources may have changed; whether it can be linked here."""
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
        content = restorer(
            find_toolchain(environment), saved_start.boot_text(saved), path.parent, Path(folder)
        )
    if content and read_own(path) != content:
        write_atomically(path, (content,), mode=_MODE)
    return bool(content)


if __name__ == "__main__":
    renew_saved(saved_start.RUN, os.environ)
