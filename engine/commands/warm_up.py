"""`irsan warm-up`: everything that the first run on a machine builds, built beforehand."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from irsan.engine.cache import open_cache
from irsan.engine.progress import standard_progress
from irsan.errors import UsageError
from irsan.saved_start import COMPILER, RUN


def warm_up_engines(engines: Sequence[str], environment: Mapping[str, str], out: TextIO) -> None:
    """Build what each engine needs, and what the bundled compiler does; say what was done."""
    from irsan.engine.interp.machine import load_or_build_machine
    from irsan.engine.runtime_image.stored import load_or_build_runtime

    cache = open_cache(environment)
    progress = standard_progress(environment)
    steps: list[tuple[str, Callable[[], str | None]]] = [
        ("runtime", lambda: _built(load_or_build_runtime(cache, progress))),
    ]
    if "interp" in engines:
        steps.append(("interpreter", lambda: _built(load_or_build_machine(cache, progress))))
    steps.append(("compiler", lambda: _compiler(environment)))
    steps.append(("fast start", lambda: _fast_start(environment)))
    steps.append(("fast compiler", lambda: _saved(COMPILER, environment)))
    steps.append(("fast run", lambda: _saved(RUN, environment)))
    for name, act in steps:
        started = time.monotonic()
        said = act()
        said = said if isinstance(said, str) else "ready"
        progress("")
        out.write(f"{name}: {said} ({time.monotonic() - started:.1f} s)\n")
        out.flush()
    if cache.root is not None:
        out.write(f"kept in {cache.root}\n")


def _built(_image: object) -> None:
    """The built files are in the cache; nothing is printed."""


def _fast_start(environment: Mapping[str, str]) -> str | None:
    """What programs of irsan-cc start from; why not, where there is none."""
    from irsan.cachedir import cache_base
    from irsan.engine.builds.native_parts import native_parts
    from irsan.engine.builds.toolchain import find_toolchain
    from irsan.engine.snapshot.boot import source_root
    from irsan.engine.snapshot.kept import renew_snapshot, why_not

    cache = cache_base(environment)
    if cache is None:
        return "not kept without a cache"
    try:
        restorer = native_parts(find_toolchain(environment)).restore
    except UsageError:
        return "not without a compiler"
    if renew_snapshot(restorer, source_root(), str(cache), is_patient=True):
        return None
    return f"not possible here: {why_not(restorer.parent) or 'it changes while it is made'}"


def _saved(saved: str, environment: Mapping[str, str]) -> str | None:
    """What irsan-cc itself or `irsan run` starts from; why not, where there is none."""
    from irsan.engine.builds.saved_processes import renew_saved, why_not_saved

    try:
        is_saved = renew_saved(saved, environment, is_patient=True)
    except UsageError:
        return "not without a compiler"
    return None if is_saved else f"not possible here: {why_not_saved(saved, environment)}"


def _compiler(environment: Mapping[str, str]) -> None:
    """What irsan-cc adds to native code; nothing where there is no compiler."""
    from irsan.engine.builds.native_parts import native_parts
    from irsan.engine.builds.toolchain import find_toolchain

    try:
        native_parts(find_toolchain(environment))
    except UsageError:
        return
