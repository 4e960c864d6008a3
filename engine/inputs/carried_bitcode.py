"""From the records that files carry to units of this LLVM's bitcode."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from irsan.engine.cache import Cache
from irsan.engine.front_end.frontend import CompiledUnit, Language
from irsan.engine.front_end.ir_input import bitcode_to_bitcode
from irsan.engine.inputs.carried import CarriedUnit
from irsan.installed import installed_version


def carried_units(records: Sequence[CarriedUnit], cache: Cache) -> list[CompiledUnit]:
    """The units of IR among records, as bitcode of this LLVM."""
    units = []
    for one in records:
        if one.kind != "ir":
            continue
        bitcode = _current(one, cache)
        key = hashlib.sha256(bitcode).hexdigest()
        language = cast(Language, one.language)
        units.append(CompiledUnit(Path(one.path), bitcode, language, key, one.marked))
    return units


def _current(one: CarriedUnit, cache: Cache) -> bytes:
    """Bitcode of this LLVM; remembered by the record's key and llvmlite's version."""
    facts = (installed_version("llvmlite"), one.key)
    key = hashlib.sha256(repr(facts).encode()).hexdigest()
    known = cache.get("carried-bitcode", key)
    if known is None:
        known = bitcode_to_bitcode(one.body, Path(one.path))
        cache.put("carried-bitcode", key, known)
    return known
