"""One unit of a program: instrumented, optimised, native, and cached by itself.

    unit bitcode -> ir.Module -> instrument -> text -> LLVM (+ hot hooks inlined) -> object bytes

A library that twenty test programs link, and a file that did not change, are made once. Code holds
the numbers of its sites, and numbers of one program must differ: a unit of many begins at a slot of
site numbers that its hash chooses; when two of a program meet, the later one is made once more at
another slot. A program of one unit begins at 1.

Code of the units so far is generated while the next one is instrumented, so the seconds of code
generation are those that instrumentation did not hide. Code of a big unit is generated in parts
(`irsan.ir.splitting`), whose objects are joined: how many depends on the unit alone.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.headed_bytes import join_head, read_head
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    instrument_sources_hash,
    interp_sources_hash,
    runtime_sources_hash,
)
from irsan.errors import UnsupportedError
from irsan.instrument.sites.sites import LIBRARY_FIRST_SITE, SiteTable, StoredSites

if TYPE_CHECKING:
    from concurrent.futures import Future

    from irsan.engine.program_image.code_workers import Generate
    from irsan.instrument.globals.odr import Definition
    from irsan.ir.module import Module

_NAMESPACE: Final = "unit"
_SLOT_SITES: Final = 64  # fine: two units meet as seldom as their sizes allow
_N_SLOTS: Final = (LIBRARY_FIRST_SITE - (1 << 21)) // _SLOT_SITES  # with room behind
_MAX_ATTEMPTS: Final = 64
_PART_BYTES: Final = 1_000_000  # of bitcode: about two seconds of code generation
_PART_INSTRUCTIONS: Final = 40_000  # with checks: about as long
_MAX_PARTS: Final = 16


@dataclass(frozen=True, slots=True)
class UnitImage:
    """A unit's object, and what a program must know of it.

    sites: JSON of its site table;  first_site, next_site: the numbers it takes up.
    names: source names of globals by linkage name;  definitions: of its variables, for ODR.
    functions: linkage names of those that it defines for others.
    """

    object: bytes
    sites: str
    first_site: int
    next_site: int
    names: dict[str, tuple[str, str, int]]
    definitions: list[Definition]
    functions: tuple[str, ...]
    triple: str
    data_layout: str

    def stored_sites(self) -> StoredSites:
        """Its site table, as an image of a program keeps it."""
        n_sites = self.next_site - self.first_site
        return StoredSites(self.first_site, n_sites, self.sites.encode())

    def encoded(self) -> bytes:
        """Bytes for the cache."""
        facts = {
            "sites": self.sites, "first_site": self.first_site, "next_site": self.next_site,
            "names": self.names, "definitions": self.definitions, "functions": self.functions,
            "triple": self.triple, "data_layout": self.data_layout,
        }  # fmt: skip
        head = json.dumps(facts).encode()
        return join_head(head, self.object)


def _decoded(raw: bytes) -> UnitImage:
    from irsan.instrument.globals.odr import Definition

    head, begin = read_head(raw)
    facts = json.loads(head)
    facts["names"] = {name: tuple(what) for name, what in facts["names"].items()}
    facts["definitions"] = [Definition(*row) for row in facts["definitions"]]
    facts["functions"] = tuple(facts["functions"])
    return UnitImage(raw[begin:], **facts)


@dataclass(slots=True)
class _Pending:
    """A unit whose object is being made."""

    unit: CompiledUnit
    key: str
    image: UnitImage  # without its object
    generated: list[Future[bytes]]  # of its parts
    local: frozenset[str] = frozenset()  # as in Split
    private: frozenset[str] = frozenset()


class UnitBuilder:
    """Makes the images of units, or takes them from a cache.

    instrument_s, codegen_s: seconds spent so far.
    """

    def __init__(
        self,
        sanitizers: frozenset[str],
        runtime: RuntimeImage,
        engine: str = "jit",
        cache: Cache | None = None,
        progress: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._sanitizers, self._runtime, self._engine = sanitizers, runtime, engine
        self._cache, self._progress = cache, progress
        self._sources = (  # asked once: it reads them all
            runtime_sources_hash(), instrument_sources_hash(),
            interp_sources_hash() if engine == "interp" else "",
        )  # fmt: skip
        self.instrument_s = self.codegen_s = 0.0

    def images(
        self,
        units: Sequence[CompiledUnit],
        *,
        is_alone: bool = True,
        taken: Sequence[tuple[int, int]] = (),
    ) -> list[UnitImage]:
        """The images of a program's units in order, at site numbers that do not meet.

        is_alone: no units of other images will join these.
        taken: numbers [lo, hi) that the program which opens these units has.
        """
        is_one = is_alone and len(units) == 1
        firsts = [1] if is_one else [_slot(unit, 0) for unit in units]
        images = self._made(units, firsts)
        for attempt in range(1, _MAX_ATTEMPTS):
            again = list(_meeting(images, taken))
            if not again:
                break
            later = [units[at] for at in again]
            made = self._made(later, [_slot(unit, attempt) for unit in later])
            for at, image in zip(again, made, strict=True):
                images[at] = image
        else:
            raise UnsupportedError(
                f"{units[again[0]].path}: no room for its site numbers among those of "
                f"{len(units)} units; link fewer, or fewer copies of one"
            )
        return images

    def images_behind(
        self, others: Sequence[UnitImage], units: Sequence[CompiledUnit]
    ) -> list[UnitImage]:
        """Images of further units, at site numbers behind those of others."""
        return self._made(units, [max(one.next_site for one in others)] * len(units))

    def image_at(self, unit: CompiledUnit, first_site: int) -> UnitImage:
        """The image of a unit whose site numbers begin at a given one."""
        (image,) = self._made([unit], [first_site])
        return image

    def _made(self, units: Sequence[CompiledUnit], firsts: Sequence[int]) -> list[UnitImage]:
        keys = [self._key(unit, first) for unit, first in zip(units, firsts, strict=True)]
        stored = [self._stored(key) for key in keys]
        missing = [at for at, image in enumerate(stored) if image is None]
        rows = [(units[at], firsts[at], keys[at]) for at in missing]
        made = dict(zip(missing, self._build(rows), strict=True)) if rows else {}
        return [image if image is not None else made[at] for at, image in enumerate(stored)]

    def _stored(self, key: str) -> UnitImage | None:
        raw = self._cache.get(_NAMESPACE, key) if self._cache is not None else None
        return None if raw is None else _decoded(raw)

    def _key(self, unit: CompiledUnit, first_site: int) -> str:
        facts = (
            *self._sources,
            sorted(self._sanitizers - {"leak"}), unit.key, unit.language, sorted(unit.marked),
            first_site,
        )  # fmt: skip
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def _build(self, rows: Sequence[tuple[CompiledUnit, int, str]]) -> list[UnitImage]:
        from irsan.engine.program_image.code_workers import code_generator
        from irsan.instrument.pipeline import no_garbage_collection

        started, before_s = time.perf_counter(), self.instrument_s
        n_bytes = sum(len(unit.bitcode) for unit, _, _ in rows)
        n_texts = sum(self._most_parts(unit) for unit, _, _ in rows)
        generator = code_generator(self._runtime.hot_text, n_texts, n_bytes, n_units=len(rows))
        with generator as generate:
            waiting = []
            for unit, first_site, key in rows:
                self._progress(f"instrumenting {unit.path}")
                with no_garbage_collection():
                    module, image = self._instrumented(unit, first_site)
                    self._progress(f"generating code for {unit.path}")
                    waiting.append(self._generating(unit, key, image, module, generate))
                    del module
            images = [self._finished(one) for one in waiting]
        self._keep(images, [key for *_, key in rows])
        elapsed_s = time.perf_counter() - started
        self.codegen_s += elapsed_s - (self.instrument_s - before_s)
        return images

    def _finished(self, one: _Pending) -> UnitImage:
        return replace(one.image, object=_result(one))

    def _keep(self, images: Sequence[UnitImage], keys: Sequence[str]) -> None:
        if self._cache is not None and are_unchanged():
            for image, key in zip(images, keys, strict=True):
                self._cache.put(_NAMESPACE, key, image.encoded())

    def _most_parts(self, unit: CompiledUnit) -> int:
        return min(_MAX_PARTS, max(1, len(unit.bitcode) // _PART_BYTES)) if self._is_native else 1

    @property
    def _is_native(self) -> bool:
        return self._engine != "interp"

    def _generating(
        self, unit: CompiledUnit, key: str, image: UnitImage, module: Module, generate: Generate
    ) -> _Pending:
        """A unit, printed, with the promises of the objects of its parts."""
        from irsan.ir.printing import print_module
        from irsan.ir.splitting import count_instructions, split_module

        started = time.perf_counter()
        n_parts = self._most_parts(unit)
        if n_parts > 1:  # a unit may be big by its data
            n_parts = min(n_parts, count_instructions(module) // _PART_INSTRUCTIONS)
        split = split_module(module, n_parts)
        if not self._is_native:
            from irsan.engine.interp.module_lowering import lower_module

            one = _Pending(unit, key, image, [generate(lower_module(module))])
        elif split is None:
            one = _Pending(unit, key, image, [generate(print_module(module))])
        else:
            parts = [generate(text) for text in split.texts()]
            one = _Pending(unit, key, image, parts, split.local, split.private)
        self.instrument_s += time.perf_counter() - started
        return one

    def _instrumented(self, unit: CompiledUnit, first_site: int) -> tuple[Module, UnitImage]:
        """A unit with its checks, and its image without the object."""
        from irsan.engine.front_end.module_limits import check_module
        from irsan.instrument.globals.global_names import global_names
        from irsan.instrument.globals.odr import definitions_of
        from irsan.instrument.pipeline import instrument_module
        from irsan.ir.bitcode.reader import read_bitcode

        started = time.perf_counter()
        module = read_bitcode(unit.bitcode)  # which LLVM has verified
        check_module(module)
        names, definitions = global_names(module), list(definitions_of(module))
        functions = tuple(
            one.name for one in module.functions
            if not one.is_declaration and not one.has_local_linkage
        )  # fmt: skip
        sites = SiteTable(first_site)
        instrument_module(
            module, self._sanitizers, portable=False, sites=sites, marked=unit.marked,
            keep_debug=self._engine == "interp",
        )  # fmt: skip
        image = UnitImage(
            b"", sites.to_json(), first_site, sites.next_site, dict(names), definitions, functions,
            module.target_triple, module.data_layout,
        )  # fmt: skip
        self.instrument_s += time.perf_counter() - started
        return module, image


def _result(one: _Pending) -> bytes:
    """The unit's object; where LLVM has given up, the error names the instruction."""
    from irsan.engine.program_image.codegen_apart import AssemblyError, CodegenError

    try:
        objects = [part.result() for part in one.generated]
    except (AssemblyError, CodegenError) as refusal:
        from irsan.engine.program_image.unselectable import explained

        raise explained(refusal, one.unit.bitcode) from None
    if len(objects) == 1:
        return objects[0]
    from irsan.engine.program_image.joined_objects import joined

    return joined(objects, one.local, one.private)


def _slot(unit: CompiledUnit, attempt: int) -> int:
    """Where the site numbers of a unit begin."""
    digest = hashlib.sha256(f"{unit.key} {attempt}".encode()).digest()
    return 1 + int.from_bytes(digest[:8], "little") % _N_SLOTS * _SLOT_SITES


def _meeting(images: Sequence[UnitImage], others: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Places of images whose site numbers an earlier one has as well."""
    taken = list(others)
    for at, image in enumerate(images):
        if any(image.first_site < hi and lo < image.next_site for lo, hi in taken):
            yield at
        else:
            taken.append((image.first_site, image.next_site))
