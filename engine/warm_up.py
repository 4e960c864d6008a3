"""`irsan warm-up`: everything that the first run on a machine builds, built beforehand."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from irsan.engine.cache import open_cache
from irsan.engine.progress import standard_progress
from irsan.errors import UsageError


def warm_up_engines(engines: Sequence[str], environment: Mapping[str, str], out: TextIO) -> None:
    """Build what each engine needs, and what the bundled compiler does; say what was done."""
    from irsan.engine.interp.machine import load_or_build_machine
    from irsan.engine.jit.build import load_or_build_runtime

    cache = open_cache(environment)
    progress = standard_progress(environment)
    steps: list[tuple[str, Callable[[], object]]] = [
        ("runtime", lambda: load_or_build_runtime(cache, progress)),
    ]
    if "interp" in engines:
        steps.append(("interpreter", lambda: load_or_build_machine(cache, progress)))
    steps.append(("compiler", lambda: _compiler(environment)))
    for name, act in steps:
        started = time.monotonic()
        act()
        progress("")
        out.write(f"{name}: ready ({time.monotonic() - started:.1f} s)\n")
        out.flush()
    if cache.root is not None:
        out.write(f"kept in {cache.root}\n")


def _compiler(environment: Mapping[str, str]) -> None:
    """What irsan-cc adds to native code; nothing where there is no compiler."""
    from irsan.engine.builds.native_parts import native_parts
    from irsan.engine.builds.toolchain import find_toolchain

    try:
        native_parts(find_toolchain(environment))
    except UsageError:
        return
