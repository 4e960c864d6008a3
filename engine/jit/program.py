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
from dataclasses import dataclass
from typing import Any

from irsan.engine.cache import Cache
from irsan.engine.frontend import CompiledUnit
from irsan.engine.jit.build import RuntimeImage, target_machine
from irsan.engine.jit.source_hash import instrument_sources_hash, runtime_sources_hash


@dataclass(frozen=True, slots=True)
class ProgramImage:
    """Native objects in link order, what reports need to name places, seconds spent, a cache flag.

    sites, globals: JSON texts of the site table and of the source names of globals.
    key: hash of everything that shaped the program.
    """

    objects: tuple[bytes, ...]
    sites: str
    globals: str
    key: str
    is_cxx: bool
    instrument_s: float = 0.0
    codegen_s: float = 0.0
    is_cached: bool = False


def load_or_build_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    cache: Cache,
    progress: Callable[[str], None],
) -> ProgramImage:
    """The image of a program, from the cache when nothing that shapes it has changed."""
    key = _program_key(units, sanitizers)
    stored = cache.get("program", key)
    if stored is not None:
        return _decode(stored)
    image = build_program(units, sanitizers, runtime, key, progress)
    cache.put("program", key, _encode(image))
    return image


def build_program(
    units: Sequence[CompiledUnit],
    sanitizers: frozenset[str],
    runtime: RuntimeImage,
    key: str,
    progress: Callable[[str], None] = lambda _text: None,
) -> ProgramImage:
    """Instrument every unit and generate its object."""
    from irsan.instrument.global_names import global_names
    from irsan.instrument.pipeline import instrument_module
    from irsan.instrument.sites import SiteTable
    from irsan.ir.printing import print_module
    from irsan.ir.reading import parse_ir_bitcode

    sites = SiteTable()
    names: dict[str, tuple[str, str, int]] = {}
    objects, instrument_s, codegen_s = [], 0.0, 0.0
    for unit in units:
        progress(f"instrumenting {unit.path}")
        started = time.perf_counter()
        module = parse_ir_bitcode(unit.bitcode)
        names.update(global_names(module))
        instrument_module(module, sanitizers, portable=False, sites=sites)
        text = print_module(module)
        between = time.perf_counter()
        progress(f"generating code for {unit.path}")
        objects.append(text_to_object(text, runtime.hot_text))
        instrument_s += between - started
        codegen_s += time.perf_counter() - between
    is_cxx = any(unit.language == "c++" for unit in units) or _mentions_cxx(objects)
    return ProgramImage(
        tuple(objects), sites.to_json(), json.dumps(names), key, is_cxx, instrument_s, codegen_s
    )


def text_to_object(text: str, hot_text: str) -> bytes:
    """Compile instrumented LLVM text to an object, with the hot hooks inlined."""
    import llvmlite.binding as llvm

    machine = target_machine()
    module = llvm.parse_assembly(text)
    module.link_in(llvm.parse_assembly(hot_text))
    _inline_hooks(module, machine)
    return bytes(machine.emit_object(module))


def _inline_hooks(module: Any, machine: Any) -> None:
    """Inline what is marked always-inline and clean up after it; never a whole -O pipeline."""
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)


def _mentions_cxx(objects: Sequence[bytes]) -> bool:
    return any(b"__gxx_personality_v0" in raw or b"_ZTV" in raw for raw in objects)


def _program_key(units: Sequence[CompiledUnit], sanitizers: frozenset[str]) -> str:
    digest = hashlib.sha256()
    for word in (runtime_sources_hash(), instrument_sources_hash(), *sorted(sanitizers)):
        digest.update(word.encode() + b"\0")
    for unit in units:
        digest.update(unit.key.encode() + unit.language.encode() + b"\0")
    return digest.hexdigest()


def _encode(image: ProgramImage) -> bytes:
    head = {
        "sizes": [len(raw) for raw in image.objects],
        "is_cxx": image.is_cxx,
        "sites": image.sites,
        "globals": image.globals,
        "key": image.key,
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
        tuple(objects), head["sites"], head["globals"], head["key"], head["is_cxx"], is_cached=True
    )
