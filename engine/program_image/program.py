"""From compiled units to a program image: instrumented, optimised, native, and cached.

    units --unit_image.py--> objects with their sites and names --> one image

An image is what a warm run needs and nothing more: objects, the site table, thread-local layout.
Its key is a hash of the bitcode, the sanitizers, the optimisation level and the runtime's sources.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from irsan.engine.cache import Cache
from irsan.engine.front_end.frontend import CompiledUnit
from irsan.engine.headed_bytes import join_head, read_head
from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.program_image.unit_image import UnitBuilder, UnitImage
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    instrument_sources_hash,
    interp_sources_hash,
    runtime_sources_hash,
)
from irsan.instrument.sites.sites import join_sites


@dataclass(frozen=True, slots=True)
class ProgramImage:
    """Native objects in link order, what reports need to name places, seconds spent, a cache flag.

    sites, globals, odr: JSON texts of the site table, of the source names of globals, and of
    conflicting definitions (instrument.odr).
    key: hash of everything that shaped the program.
    """

    objects: tuple[bytes, ...]
    sites: str
    globals: str
    key: str
    is_cxx: bool
    odr: str = "[]"
    instrument_s: float = 0.0
    codegen_s: float = 0.0
    is_cached: bool = False
    plan: LinkPlan = field(default_factory=LinkPlan)  # what comes beside; not kept in the cache


def load_or_build_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    cache: Cache,
    progress: Callable[[str], None],
    engine: str = "jit",
    plan: LinkPlan | None = None,
) -> ProgramImage:
    """The image of a program, from the cache when nothing that shapes it has changed."""
    is_alone = plan is None or not plan.was_linked
    image = _cached_program(units, sanitizers, runtime, cache, progress, engine, is_alone=is_alone)
    return image if plan is None else replace(image, plan=plan)


def _cached_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    cache: Cache,
    progress: Callable[[str], None],
    engine: str,
    *,
    is_alone: bool,
) -> ProgramImage:
    # Looking for leaks puts nothing into the program.
    key = _program_key(units, sanitizers - {"leak"}, is_alone=is_alone)
    place = _place_of(key, engine)
    stored = cache.get("program", place)
    if stored is not None:
        return _decode(stored)
    image = build_program(
        units, sanitizers, runtime, key, progress, engine, cache, is_alone=is_alone
    )
    if engine == "interp":
        from irsan.engine.interp.machine import load_or_build_machine

        image = replace(image, objects=(*image.objects, load_or_build_machine(cache, progress)))
    if are_unchanged():
        cache.put("program", place, _encode(image))
    return image


def build_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    key: str,
    progress: Callable[[str], None] = lambda _text: None,
    engine: str = "jit",
    cache: Cache | None = None,
    *,
    is_alone: bool = True,
    taken: Sequence[tuple[int, int]] = (),
) -> ProgramImage:
    """Put the images of all units together; those that the cache has are not made again.

    taken: site numbers [lo, hi) of the program that opens these units.
    """
    from irsan.instrument.globals.odr import find_conflicts

    builder = UnitBuilder(sanitizers, runtime, engine, cache, progress)
    images = builder.images(units, is_alone=is_alone, taken=taken)
    derived = _derived_unit(images)
    if derived is not None:
        images += builder.images_behind(images, [derived])
    objects = [one.object for one in images]
    is_cxx = any(unit.language == "c++" for unit in units) or _mentions_cxx(objects)
    names = {name: what for one in images for name, what in one.names.items()}
    return ProgramImage(
        tuple(objects), join_sites([one.sites for one in images]), json.dumps(names), key, is_cxx,
        json.dumps(find_conflicts([one.definitions for one in images])),
        builder.instrument_s, builder.codegen_s,
    )  # fmt: skip


def _derived_unit(images: Sequence[UnitImage]) -> CompiledUnit | None:
    """What the standard derives from operators that the program replaces."""
    from irsan.engine.program_image.derived_operators import derived_operators

    functions = {name for one in images for name in one.functions}
    text = derived_operators(functions, images[0].triple, images[0].data_layout)
    if not text:
        return None
    from irsan.ir.reading import current_bitcode

    name = "derived operators"
    bitcode = current_bitcode(text.encode(), name)
    return CompiledUnit(Path(name), bitcode, "c++", hashlib.sha256(bitcode).hexdigest())


def _mentions_cxx(objects: Sequence[bytes]) -> bool:
    return any(b"__gxx_personality_v0" in raw or b"_ZTV" in raw for raw in objects)


def _program_key(
    units: Sequence[CompiledUnit], sanitizers: frozenset[str], *, is_alone: bool
) -> str:
    """The same for both engines: a replay token of one is good for the other."""
    digest = hashlib.sha256(b"" if is_alone else b"joined")
    sources = [runtime_sources_hash(), instrument_sources_hash()]
    for word in (*sources, *sorted(sanitizers)):
        digest.update(word.encode() + b"\0")
    for unit in units:
        digest.update(" ".join((unit.key, unit.language, *sorted(unit.marked))).encode())
    return digest.hexdigest()


def _place_of(key: str, engine: str) -> str:
    """Where the cache keeps the program for an engine."""
    if engine != "interp":
        return key
    return hashlib.sha256(f"{key} {interp_sources_hash()}".encode()).hexdigest()


def _encode(image: ProgramImage) -> bytes:
    head = {
        "sizes": [len(raw) for raw in image.objects],
        "is_cxx": image.is_cxx,
        "sites": image.sites,
        "globals": image.globals,
        "key": image.key,
        "odr": image.odr,
    }
    text = json.dumps(head).encode()
    return join_head(text, *image.objects)


def _decode(raw: bytes) -> ProgramImage:
    text, at = read_head(raw)
    head = json.loads(text)
    objects = []
    for length in head["sizes"]:
        objects.append(raw[at : at + length])
        at += length
    return ProgramImage(
        tuple(objects), head["sites"], head["globals"], head["key"], head["is_cxx"], head["odr"],
        is_cached=True,
    )  # fmt: skip
