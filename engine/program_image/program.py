"""From compiled units to a program image: instrumented, optimised, native, and cached.

    units --unit_image.py--> objects with their sites and names --> one image

An image is what a warm run needs and nothing more: objects, the site tables, thread-local layout.
It is mapped in one piece, of which objects and tables are views: a big program starts often.
Its key is a hash of the bitcode, the sanitizers, the optimisation level and the runtime's sources.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irsan.engine.cache import Cache
from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker.link_plan import LinkPlan
from irsan.engine.program_image.source_names import SourceName
from irsan.engine.program_image.unit_image import UnitBuilder, UnitImage
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    instrument_sources_hash,
    interp_sources_hash,
    runtime_sources_hash,
)
from irsan.file_mapping import view_file
from irsan.instrument.sites.sites import StoredSites
from irsan.sealed import Kept


@dataclass(frozen=True, slots=True)
class ProgramImage:
    """Native objects in link order, what reports need to name places, seconds spent, a cache flag.

    sites: the site tables of its units.
    globals: JSON text of the source names of globals and functions (source_names).
    odr: JSON text of definitions that may be in conflict (find_copies in instrument.odr).
    key: hash of everything that shaped the program.
    digest: of what the cache keeps of it; "" when it keeps nothing.
    opens: whether its units call dlopen.
    """

    objects: tuple[Buffer, ...]
    sites: tuple[StoredSites, ...]
    globals: Buffer
    key: str
    is_cxx: bool
    opens: bool
    odr: str = "[]"
    instrument_s: float = 0.0
    codegen_s: float = 0.0
    is_cached: bool = False
    digest: str = ""
    plan: LinkPlan = field(default_factory=LinkPlan)  # what comes beside; not kept in the cache

    def source_names(self) -> dict[str, SourceName]:
        """Names in the source of its globals and functions, by linkage name."""
        names: dict[str, SourceName] = json.loads(bytes(self.globals))
        return names

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the cache keeps it, as views cannot be; hosts of runs are sent images."""
        head, parts = encoded(self)
        return _received, (head, b"".join(parts), self.plan)


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
    stored = cache.open_parts("program", place)
    if stored is not None:
        head, body = stored
        return _decoded_and_closed(head, body)
    image = build_program(
        units, sanitizers, runtime, key, progress, engine, cache, is_alone=is_alone
    )
    if engine == "interp":
        from irsan.engine.interp.machine import load_or_build_machine

        image = replace(image, objects=(*image.objects, load_or_build_machine(cache, progress)))
    if are_unchanged():
        digest = cache.put_parts("program", place, *encoded(image))
        image = replace(image, digest=digest)
    return image


def _decoded_and_closed(head: memoryview, body: Kept) -> ProgramImage:
    try:
        image = decoded(bytes(head), view_file(body.descriptor, body.size_bytes))
    finally:
        body.close()
    return replace(image, is_cached=True, digest=body.digest.hex())


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
    from irsan.instrument.globals.odr import find_copies

    builder = UnitBuilder(sanitizers, runtime, engine, cache, progress)
    images = builder.images(units, is_alone=is_alone, taken=taken)
    derived = _derived_unit(images)
    if derived is not None:
        images += builder.images_behind(images, [derived])
    objects = [one.object for one in images]
    is_cxx = any(unit.language == "c++" for unit in units) or _mentions_cxx(objects)
    names = {name: what for one in images for name, what in one.names.items()}
    return ProgramImage(
        tuple(objects), tuple([one.stored_sites() for one in images]),
        json.dumps(names).encode(), key, is_cxx, calls_dlopen(objects),
        json.dumps(find_copies([one.definitions for one in images])),
        builder.instrument_s, builder.codegen_s,
    )  # fmt: skip


def calls_dlopen(objects: Iterable[Buffer]) -> bool:
    """Whether one of these objects has a symbol dlopen.  O(bytes)."""
    return any(b"\0dlopen\0" in bytes(raw) for raw in objects)


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


def encoded(image: ProgramImage) -> tuple[bytes, list[Buffer]]:
    """Head and body for the cache."""
    head = {
        "objects": [len(raw) for raw in image.objects],
        "sites": [(one.first_site, one.n_sites, len(one.json)) for one in image.sites],
        "is_cxx": image.is_cxx,
        "opens": image.opens,
        "globals": len(image.globals),
        "key": image.key,
        "odr": image.odr,
    }
    parts = [*image.objects, *(one.json for one in image.sites), image.globals]
    return json.dumps(head).encode(), parts


def _received(head: bytes, body: bytes, plan: LinkPlan) -> ProgramImage:
    return replace(decoded(head, memoryview(body)), is_cached=True, plan=plan)


def decoded(text: bytes, body: memoryview) -> ProgramImage:
    """The image that `encoded` wrote; objects, tables and names are views of the body."""
    head = json.loads(text)
    sites = head["sites"]
    sizes = [*head["objects"], *(n_bytes for *_, n_bytes in sites), head["globals"]]
    *parts, names = _cut(body, sizes)
    n_objects = len(head["objects"])
    tables = [
        StoredSites(first, n_sites, part)
        for (first, n_sites, _), part in zip(sites, parts[n_objects:], strict=True)
    ]
    return ProgramImage(
        tuple(parts[:n_objects]), tuple(tables), names, head["key"], head["is_cxx"],
        head["opens"], head["odr"],
    )  # fmt: skip


def _cut(raw: memoryview, sizes: Sequence[int]) -> Iterator[memoryview]:
    """Pieces of these sizes in bytes, one behind the other."""
    at = 0
    for size in sizes:
        yield raw[at : at + size]
        at += size
