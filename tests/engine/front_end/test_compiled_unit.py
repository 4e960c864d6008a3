"""Units whose bitcode is read late, and what is asked of it at each run."""

from __future__ import annotations

import hashlib
from pathlib import Path

from irsan.engine.front_end.compiled_unit import CompiledUnit, Traits

BITCODE = (
    b"..clang version 19.1.7\0..__tsan_default_options..__asan_default_options.."
    b"rustc version 1.2"
)


def test_traits_are_those_of_the_bitcode() -> None:
    traits = Traits.of(BITCODE)
    assert traits.key == hashlib.sha256(BITCODE).hexdigest()
    assert traits.defaults == ("asan", "tsan")
    assert traits.producers == ("clang version 19.1.7",)
    unit = CompiledUnit(Path("a.c"), BITCODE, "c", traits.key)
    assert unit.bitcode == BITCODE and unit.traits == traits


def test_bitcode_with_known_traits_is_read_when_it_is_asked_for() -> None:
    reads: list[str] = []

    def read() -> bytes:
        reads.append("read")
        return BITCODE

    unit = CompiledUnit(Path("a.c"), read, "c", "key", known=Traits("key", ("asan",), ()))
    assert unit.traits.defaults == ("asan",) and not reads
    assert unit.bitcode == BITCODE and reads == ["read"]
