"""From compiled units to a program image: instrumented, optimised, native, and cached.

    unit bitcode -> ir.Module -> instrument -> text -> LLVM (+ hot hooks inlined) -> object bytes

An image is what a warm run needs and nothing more: objects, the site table, thread-local layout.
Its key is a hash of the bitcode, what is checked, the optimisation level and the runtime's sources.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.cache import Cache
from irsan.engine.frontend import CompiledUnit
from irsan.engine.jit.build import RuntimeImage
from irsan.engine.jit.link_plan import LinkPlan
from irsan.engine.jit.source_hash import (
    instrument_sources_hash,
    interp_sources_hash,
    runtime_sources_hash,
)

if TYPE_CHECKING:
    from concurrent.futures import Future

    from irsan.instrument.odr import Definition
    from irsan.instrument.sites import SiteTable


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
    image = _cached_program(units, sanitizers, runtime, cache, progress, engine)
    return image if plan is None else replace(image, plan=plan)


def _cached_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    cache: Cache,
    progress: Callable[[str], None],
    engine: str,
) -> ProgramImage:
    # Looking for leaks puts nothing into the program.
    key = _program_key(units, sanitizers - {"leak"}, engine)
    stored = cache.get("program", key)
    if stored is not None:
        return _decode(stored)
    image = build_program(units, sanitizers, runtime, key, progress, engine)
    if engine == "interp":
        from irsan.engine.interp.machine import load_or_build_machine

        image = replace(image, objects=(*image.objects, load_or_build_machine(cache, progress)))
    cache.put("program", key, _encode(image))
    return image


def build_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    key: str,
    progress: Callable[[str], None] = lambda _text: None,
    engine: str = "jit",
) -> ProgramImage:
    """Instrument every unit and generate its object.

    The interpreter's object has stubs and code for the machine in the place of native bodies.

    Code of the units so far is generated while the next one is instrumented, so the seconds of code
    generation are those that instrumentation did not hide.
    """
    from irsan.engine.jit.code_workers import code_generator
    from irsan.instrument.odr import find_conflicts
    from irsan.instrument.sites import SiteTable

    sites = SiteTable()
    facts = _ModuleFacts()
    started, instrument_s = time.perf_counter(), 0.0
    waiting = []
    n_bytes = sum(len(unit.bitcode) for unit in units)
    with code_generator(runtime.hot_text, len(units), n_bytes) as generate:
        for unit in units:
            progress(f"instrumenting {unit.path}")
            before = time.perf_counter()
            text = _instrumented_text(unit, sanitizers, sites, facts, engine)
            instrument_s += time.perf_counter() - before
            progress(f"generating code for {unit.path}")
            waiting.append(generate(text))
        derived = _derived_unit(facts)
        if derived is not None:
            units = [*units, derived]
            waiting.append(generate(_instrumented_text(derived, sanitizers, sites, facts, engine)))
        objects = [_result(one, unit) for one, unit in zip(waiting, units, strict=True)]
    codegen_s = time.perf_counter() - started - instrument_s
    is_cxx = any(unit.language == "c++" for unit in units) or _mentions_cxx(objects)
    return ProgramImage(
        tuple(objects), sites.to_json(), json.dumps(facts.names), key, is_cxx,
        json.dumps(find_conflicts(facts.definitions)), instrument_s, codegen_s,
    )  # fmt: skip


def _result(generated: Future[bytes], unit: CompiledUnit) -> bytes:
    """The unit's object; where LLVM has given up, the error names the instruction."""
    from irsan.engine.jit.codegen_apart import AssemblyError, CodegenError

    try:
        return generated.result()
    except (AssemblyError, CodegenError) as refusal:
        from irsan.engine.jit.unselectable import explained

        raise explained(refusal, unit.bitcode) from None


@dataclass(frozen=True, slots=True)
class _ModuleFacts:
    """What modules say of their globals: source names of all, definitions of each.

    functions: linkage names of those that modules define for others.
    target: triple and data layout of each module.
    """

    names: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    definitions: list[list[Definition]] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    target: list[tuple[str, str]] = field(default_factory=list)


def _derived_unit(facts: _ModuleFacts) -> CompiledUnit | None:
    """What the standard derives from operators that the program replaces."""
    from irsan.engine.jit.derived_operators import derived_operators
    from irsan.ir.reading import current_bitcode

    text = derived_operators(facts.functions, *facts.target[0])
    if not text:
        return None
    name = "derived operators"
    return CompiledUnit(Path(name), current_bitcode(text.encode(), name), "c++", "")


def _instrumented_text(
    unit: CompiledUnit,
    sanitizers: frozenset[str],
    sites: SiteTable,
    facts: _ModuleFacts,
    engine: str,
) -> str:
    """LLVM text of a unit with its checks; its places go to `sites`, its globals to `facts`."""
    from irsan.engine.module_limits import check_module
    from irsan.instrument.global_names import global_names
    from irsan.instrument.odr import definitions_of
    from irsan.instrument.pipeline import instrument_module
    from irsan.ir.printing import print_module
    from irsan.ir.reading import parse_ir_bitcode

    module = parse_ir_bitcode(unit.bitcode)
    check_module(module)
    facts.names.update(global_names(module))
    facts.definitions.append(list(definitions_of(module)))
    facts.target.append((module.target_triple, module.data_layout))
    facts.functions.update(
        one.name for one in module.functions
        if not one.is_declaration and not one.has_local_linkage
    )  # fmt: skip
    instrument_module(
        module, sanitizers, portable=False, sites=sites, marked=unit.marked,
        keep_debug=engine == "interp",
    )  # fmt: skip
    if engine == "interp":
        from irsan.engine.interp.module_lowering import lower_module

        return lower_module(module)
    return print_module(module)


def _mentions_cxx(objects: Sequence[bytes]) -> bool:
    return any(b"__gxx_personality_v0" in raw or b"_ZTV" in raw for raw in objects)


def _program_key(
    units: Sequence[CompiledUnit], sanitizers: frozenset[str], engine: str
) -> str:
    digest = hashlib.sha256()
    sources = [runtime_sources_hash(), instrument_sources_hash()]
    if engine == "interp":
        sources.append(interp_sources_hash())
    for word in (*sources, *sorted(sanitizers)):
        digest.update(word.encode() + b"\0")
    for unit in units:
        digest.update(" ".join((unit.key, unit.language, *sorted(unit.marked))).encode())
    return digest.hexdigest()


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
    return len(text).to_bytes(8, "little") + text + b"".join(image.objects)


def _decode(raw: bytes) -> ProgramImage:
    size = int.from_bytes(raw[:8], "little")
    head = json.loads(raw[8 : 8 + size])
    objects, at = [], 8 + size
    for length in head["sizes"]:
        objects.append(raw[at : at + length])
        at += length
    return ProgramImage(
        tuple(objects), head["sites"], head["globals"], head["key"], head["is_cxx"], head["odr"],
        is_cached=True,
    )  # fmt: skip
