"""From the records that files carry to units of this LLVM's bitcode."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, cast

from irsan.engine.cache import Cache
from irsan.engine.front_end.compiled_unit import CompiledUnit, Language, Traits
from irsan.engine.front_end.ir_input import bitcode_to_bitcode
from irsan.engine.inputs.carried import CarriedUnit
from irsan.installed import installed_version

_BITCODE: Final = "carried-bitcode"
_TRAITS: Final = "carried-traits"
_PROGRAM: Final = "program-traits"


def carried_units(records: Sequence[CarriedUnit], cache: Cache) -> list[CompiledUnit]:
    """The units of IR among records, as bitcode of this LLVM.

    Their bitcode is read when it is compiled.
    """
    carried = [one for one in records if one.kind == "ir"]
    reads = [_Bitcode(one, cache) for one in carried]
    traits = _all_traits(carried, reads, cache)
    return [
        CompiledUnit(
            Path(one.path), read, cast(Language, one.language), known.key, one.marked, known
        )
        for one, read, known in zip(carried, reads, traits, strict=True)
    ]


def _all_traits(
    carried: Sequence[CarriedUnit], reads: Sequence[Callable[[], bytes]], cache: Cache
) -> list[Traits]:
    """What is remembered of the units of a program: one entry, as each start asks for all."""
    key = _key([one.key for one in carried])
    stored = cache.get(_PROGRAM, key)
    if stored is not None:
        return [_traits(facts) for facts in json.loads(stored)]
    found = [_known_traits(one, cache, read) for one, read in zip(carried, reads, strict=True)]
    cache.put(_PROGRAM, key, json.dumps(found).encode())
    return found


def _known_traits(one: CarriedUnit, cache: Cache, read: Callable[[], bytes]) -> Traits:
    key = _key(one.key)
    stored = cache.get(_TRAITS, key)
    if stored is not None:
        return _traits(json.loads(stored))
    traits = Traits.of(read())
    cache.put(_TRAITS, key, json.dumps(traits).encode())
    return traits


def _traits(facts: Sequence[Any]) -> Traits:
    name, *lists = facts
    return Traits(name, *map(tuple, lists))


class _Bitcode:
    """Bitcode of this LLVM, read when it is called for the first time."""

    __slots__ = ("_cache", "_known", "_unit")

    def __init__(self, unit: CarriedUnit, cache: Cache) -> None:
        self._unit, self._cache = unit, cache
        self._known: bytes | None = None

    def __call__(self) -> bytes:
        if self._known is None:
            self._known = self._current()
        return self._known

    def _current(self) -> bytes:
        key = _key(self._unit.key)
        known = self._cache.get(_BITCODE, key)
        if known is None:
            known = bitcode_to_bitcode(self._unit.body, Path(self._unit.path))
            self._cache.put(_BITCODE, key, known)
        return known


def _key(what: str | list[str]) -> str:
    """What the cache knows a record by, or all of a program: their own keys, llvmlite's version."""
    facts = (installed_version("llvmlite"), what)
    return hashlib.sha256(repr(facts).encode()).hexdigest()
