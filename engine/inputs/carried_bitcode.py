"""From the records that files carry to units of this LLVM's bitcode."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, cast

from irsan.engine.cache import Cache
from irsan.engine.front_end.compiled_unit import CompiledUnit, Language, Traits
from irsan.engine.front_end.ir_input import bitcode_to_bitcode
from irsan.engine.inputs.carried import CarriedUnit
from irsan.installed import installed_version

_BITCODE: Final = "carried-bitcode"
_TRAITS: Final = "carried-traits"


def carried_units(records: Sequence[CarriedUnit], cache: Cache) -> list[CompiledUnit]:
    """The units of IR among records, as bitcode of this LLVM."""
    return [_unit(one, cache) for one in records if one.kind == "ir"]


def _unit(one: CarriedUnit, cache: Cache) -> CompiledUnit:
    """Its bitcode is read when it is compiled; its traits are remembered by the same key."""
    read = functools.cache(partial(_current, one, cache))
    traits = _known_traits(one, cache, read)
    language = cast(Language, one.language)
    return CompiledUnit(Path(one.path), read, language, traits.key, one.marked, traits)


def _known_traits(one: CarriedUnit, cache: Cache, read: Callable[[], bytes]) -> Traits:
    key = _key(one)
    stored = cache.get(_TRAITS, key)
    if stored is not None:
        name, *lists = json.loads(stored)
        return Traits(name, *map(tuple, lists))
    traits = Traits.of(read())
    cache.put(_TRAITS, key, json.dumps(traits).encode())
    return traits


def _current(one: CarriedUnit, cache: Cache) -> bytes:
    """Bitcode of this LLVM."""
    key = _key(one)
    known = cache.get(_BITCODE, key)
    if known is None:
        known = bitcode_to_bitcode(one.body, Path(one.path))
        cache.put(_BITCODE, key, known)
    return known


def _key(one: CarriedUnit) -> str:
    """What the cache knows a record by: its own key, and llvmlite's version."""
    facts = (installed_version("llvmlite"), one.key)
    return hashlib.sha256(repr(facts).encode()).hexdigest()
