"""What the first run of a linked program would wait for, done when it is built.

    compiling    the object's unit is instrumented and compiled into the cache, by the process that
                 compiled it: as many work side by side as the build runs
    linking      what is not there yet: objects from elsewhere (ccache, another cache), other checks

The run then only links. Whatever stands in the way is said by the run, not by the build, which has
its output by now; an entry is there whole or not at all. `IRSAN_AHEAD=off` leaves it to the run.

The process from which programs start is saved when a program is linked, too, and the one from which
irsan-cc starts behind the first compilation, once for each version (engine/snapshot).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from pathlib import Path

from irsan import saved_start
from irsan.engine.inputs.carried import CarriedUnit, read_carried


def build_ahead(linked: Path, members: Sequence[str] = ()) -> bool:
    """Put the units of an executable or a library into the cache; whether the runtime is there.

    members: of the C++ library that were linked, whose checked twins a run will take.
    """
    if saved_start.is_ahead_off(os.environ):
        return False
    try:
        records = read_carried(linked)
        has_runtime = _build(records)
        if has_runtime and members:
            _make_library(linked, records, members)
        return has_runtime
    except Exception:  # also a full disk, or a bug of ours: the run meets it again, and says so
        return False


def snapshot_ahead(restorer: Path) -> None:
    """Save the process from which programs start, unless that is done; the runtime is there."""
    try:
        _snapshot(restorer)
    except Exception:  # as above; programs start the slow way
        return


def _snapshot(restorer: Path) -> None:
    from irsan.cachedir import cache_base
    from irsan.engine.snapshot.boot import source_root
    from irsan.engine.snapshot.kept import is_switched_off, renew_snapshot

    cache = cache_base(os.environ)
    if cache is not None and not is_switched_off(os.environ):
        renew_snapshot(restorer, source_root(), str(cache))


def compiler_ahead() -> None:
    """Save the process that the next compilations go on from, unless that is done; nothing while
    the runtime is not there."""
    if saved_start.is_ahead_off(os.environ):
        return
    try:
        from irsan.engine.builds.saved_processes import renew_saved

        renew_saved(saved_start.COMPILER, os.environ)
    except Exception:  # as above; compilations start the slow way
        return


def compile_ahead(record: CarriedUnit, *, is_last: bool = False) -> None:
    """Put the unit of an object into the cache.

    is_last: the process compiles nothing behind it and ends.  It leaves collecting to the system:
    to free the objects of a big unit takes a twentieth of the time.
    """
    if record.kind == "ir" and not saved_start.is_ahead_off(os.environ):
        gc.disable()  # there is nothing to collect: imports and one unit, all of it in use
        try:
            _build([record])
        except Exception:  # as above
            return
        finally:
            if not is_last:
                gc.enable()


def _build(records: Sequence[CarriedUnit]) -> bool:
    """Whether there was a unit to build."""
    from irsan.engine.cache import open_cache
    from irsan.engine.front_end.program_defaults import program_defaults
    from irsan.engine.inputs.carried_bitcode import carried_units
    from irsan.engine.options import DEFAULT_SANITIZERS
    from irsan.engine.program_image.unit_image import UnitBuilder
    from irsan.engine.progress import standard_progress
    from irsan.engine.run.prepared import checks_to_insert
    from irsan.engine.runtime_image.hot_text import runtime_for_units

    cache = open_cache(os.environ)
    units = carried_units(records, cache)
    if not units:
        return False
    named = frozenset(name for one in records for name in one.sanitize)
    checks = checks_to_insert(named or DEFAULT_SANITIZERS, os.environ, program_defaults(units))
    progress = standard_progress(os.environ)
    runtime = runtime_for_units(cache, progress)
    progress("")
    UnitBuilder(checks, runtime, cache=cache).images(units, is_alone=False)
    return True


def _make_library(linked: Path, records: Sequence[CarriedUnit], members: Sequence[str]) -> None:
    """Make what is missing of the checked C++ library."""
    from irsan.engine.cache import open_cache
    from irsan.engine.options import DEFAULT_SANITIZERS, RunOptions
    from irsan.engine.progress import standard_progress
    from irsan.engine.run.cxx_library import RunCxxLibrary
    from irsan.engine.runtime_image.hot_text import runtime_for_units

    levels = [one.opt_level for one in records if one.stdlib]
    if not levels:
        return
    cache = open_cache(os.environ)
    named = frozenset(name for one in records for name in one.sanitize)
    options = RunOptions((linked,), sanitize=named or DEFAULT_SANITIZERS)
    runtime = runtime_for_units(cache, standard_progress(os.environ))
    RunCxxLibrary(options, cache, runtime, max(levels)).make_members(members)


def import_for_units() -> None:
    """Import what making a unit needs, for any checks, so that no process pays for it."""
    from irsan.instrument.passes import PASS_NAMES, find_pass

    for name in PASS_NAMES:
        find_pass(name)
