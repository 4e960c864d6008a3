"""Types of shadow are as wide as what they shadow; only undef and poison constants have bits."""

from __future__ import annotations

from irsan.instrument.uninitialised.shadow_types import (
    ShadowTypes,
    clean,
    constant_shadow,
    poisoned,
)
from irsan.ir.constants import ConstantAggregate, ConstantInt, Poison, Undef
from irsan.ir.reading import parse_ir_text
from tests.support.shadow_runs import LAYOUT


def shadow_types() -> ShadowTypes:
    return ShadowTypes(parse_ir_text(LAYOUT))


def test_sizes_stay_the_same() -> None:
    module = parse_ir_text(LAYOUT)
    types, found = module.types, ShadowTypes(module)
    struct = types.struct([types.i8, types.double, types.array(types.x86_fp80, 2)])
    for kind in (types.i1, types.ptr_default, types.float, types.vector(types.half, 4), struct):
        shadow = found.of(kind)
        assert shadow is not None
        assert found.size_bytes(shadow) == found.size_bytes(kind)


def test_types_without_shadow() -> None:
    module = parse_ir_text(LAYOUT)
    types, found = module.types, ShadowTypes(module)
    for kind in (types.void, types.token, types.vector(types.i8, 4, True), types.ptr(3)):
        assert found.of(kind) is None


def test_constants() -> None:
    module = parse_ir_text(LAYOUT)
    types = module.types
    pair = types.struct([types.i8, types.i8])
    half = ConstantAggregate(pair, [ConstantInt(types.i8, 3), Undef(types.i8)])
    shadow = constant_shadow(half, pair)
    assert shadow is not None
    assert shadow.ref == "{ i8 0, i8 -1 }"
    assert constant_shadow(ConstantInt(types.i8, 3), types.i8) is None
    assert constant_shadow(Poison(types.i8), types.i8).ref == poisoned(types.i8).ref == "-1"
    assert clean(pair).ref == "zeroinitializer"
