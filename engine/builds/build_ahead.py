"""What the first run of a linked program would wait for, done when it is linked.

Each unit that an executable or a library carries is instrumented and compiled into the cache,
unless it is there already: the run then only links. Links that a build runs side by side work side
by side. Whatever stands in the way is said by the run, not by the build, which has its output by
now. `IRSAN_AHEAD=off` leaves it to the run.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_OFF: Final = ("off", "0")


def build_ahead(linked: Path) -> None:
    """Put the units of an executable or a library into the cache."""
    if os.environ.get("IRSAN_AHEAD", "") in _OFF:
        return
    try:
        _build(linked)
    except Exception:  # also a full disk, or a bug of ours: the run meets it again, and says so
        return


def _build(linked: Path) -> None:
    from irsan.engine.builds.carried import read_carried
    from irsan.engine.cache import open_cache
    from irsan.engine.jit.build import load_or_build_runtime
    from irsan.engine.jit.unit_image import UnitBuilder
    from irsan.engine.options import DEFAULT_SANITIZERS
    from irsan.engine.program_defaults import program_defaults
    from irsan.engine.program_parts import carried_units
    from irsan.engine.progress import standard_progress
    from irsan.engine.session import checks_to_insert

    cache = open_cache(os.environ)
    records = read_carried(linked)
    units = carried_units(records, cache)
    if not units:
        return
    named = frozenset(name for one in records for name in one.sanitize)
    checks = checks_to_insert(named or DEFAULT_SANITIZERS, os.environ, program_defaults(units))
    progress = standard_progress(os.environ)
    runtime = load_or_build_runtime(cache, progress)
    progress("")
    UnitBuilder(checks, runtime, cache=cache).images(units, is_alone=False)
