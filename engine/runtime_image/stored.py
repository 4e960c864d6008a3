"""The built runtime: found in the cache, brought along by the package, or built now."""

from __future__ import annotations

import json
from collections.abc import Callable

from irsan.engine.cache import Cache
from irsan.engine.packaged import RUNTIME, packaged
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    portable_hash,
    runtime_sources_hash,
)

_BUILDING = "building the runtime (once per version)"


def load_or_build_runtime(cache: Cache, progress: Callable[[str], None]) -> RuntimeImage:
    """The runtime from the cache, or built now (tens of seconds, announced through `progress`)."""
    key = runtime_sources_hash()
    found = _stored_runtime(cache, key)
    if found is not None:
        return found
    shipped = packaged(RUNTIME, portable_hash(RUNTIME))
    if shipped is not None:
        image = RuntimeImage.decoded(shipped)
        _store_runtime(cache, key, image)
        return image
    progress(_BUILDING)
    with cache.alone(key):
        found = _stored_runtime(cache, key)
        if found is not None:  # another irsan was building it
            return found
        image = build_runtime(progress)
        _store_runtime(cache, key, image)
    return image


def _store_runtime(cache: Cache, key: str, image: RuntimeImage) -> None:
    if not are_unchanged():
        return
    cache.put("runtime", key + "0b", image.object_bytes)
    cache.put("runtime", key + "b1", image.hot_text.encode())
    cache.put("runtime", key + "c2", json.dumps(image.routines).encode())


def _stored_runtime(cache: Cache, key: str) -> RuntimeImage | None:
    stored = [cache.get("runtime", key + kind) for kind in ("0b", "b1", "c2")]
    if any(part is None for part in stored):
        return None
    return _decode(stored[0] or b"", stored[1] or b"", stored[2] or b"")


def _decode(object_bytes: bytes, hot: bytes, names: bytes) -> RuntimeImage:
    return RuntimeImage(object_bytes, hot.decode(), tuple(json.loads(names)))


def build_runtime(progress: Callable[[str], None] = lambda _: None) -> RuntimeImage:
    """Compile all kernels with numba, generate the glue, link, optimise and emit.

    In a process of its own (runtime_maker.py).
    """
    from irsan.engine.runtime_image.runtime_maker import made_elsewhere

    return RuntimeImage.decoded(made_elsewhere(lambda text: progress(f"{_BUILDING}: {text}")))
