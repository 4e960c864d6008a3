"""The hot hooks alone: all of the built runtime that making a unit needs."""

from __future__ import annotations

from collections.abc import Callable

from irsan.engine.cache import Cache
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.source_hash import runtime_sources_hash
from irsan.engine.runtime_image.stored import load_or_build_runtime


def runtime_for_units(cache: Cache, progress: Callable[[str], None]) -> RuntimeImage:
    """The runtime as far as units are made from it; it is built where there is none."""
    known = kept_hot_text(cache)
    return load_or_build_runtime(cache, progress) if known is None else RuntimeImage(b"", known, ())


def kept_hot_text(cache: Cache) -> str | None:
    """What the cache has; None where the runtime is to be built."""
    found = cache.get("runtime", runtime_sources_hash() + "b1")
    return None if found is None else found.decode()
