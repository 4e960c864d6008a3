"""The process that irsan-cc goes on from: where it lies (irsan.saved_start), when it is saved.

Behind a compilation that had to start the slow way, once the runtime is built: it costs about a
second, and each compilation that follows starts in a tenth of the time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from irsan import saved_start
from irsan.engine.builds.native_parts import restorer
from irsan.engine.builds.toolchain import find_toolchain
from irsan.engine.cache import open_cache
from irsan.engine.runtime_image.hot_text import kept_hot_text
from irsan.engine.snapshot.boot import source_root
from irsan.engine.snapshot.kept import has_just_failed, is_current, renew_snapshot, why_not
from irsan.engine.snapshot.take import COMPILER
from irsan.sealed import read_own, write_atomically

_MODE = 0o700


def renew_compiler(environment: Mapping[str, str], *, is_patient: bool = False) -> bool:
    """Save the compiler unless that is done; whether there is a saved one now.

    is_patient: try again what has just failed.
    """
    place = saved_start.restorer_of(environment)
    cache = open_cache(environment)
    if place is None or cache.base is None or saved_start.is_switched_off(environment):
        return False
    path = Path(place)
    if has_just_failed(path.parent) and not is_patient:
        return False
    if is_current(path):
        return True
    if kept_hot_text(cache) is None or not _is_made(path, environment):
        return False
    return renew_snapshot(
        path, source_root(), str(cache.base), is_patient=is_patient, module=COMPILER
    )


def why_no_compiler(environment: Mapping[str, str]) -> str:
    """Why there is no saved compiler, in words."""
    place = saved_start.restorer_of(environment)
    if place is None:
        return "the cache folder or Python has no name that it could be found by"
    if saved_start.is_switched_off(environment):
        return "switched off by the environment"
    return why_not(Path(place).parent) or "it changes while it is made, or cannot be linked"


def _is_made(path: Path, environment: Mapping[str, str]) -> bool:
    """Make the restorer anew, as its sources may have changed; whether it can be linked here."""
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
        content = restorer(
            find_toolchain(environment), saved_start.boot_text(), path.parent, Path(folder)
        )
    if content and read_own(path) != content:
        write_atomically(path, (content,), mode=_MODE)
    return bool(content)
