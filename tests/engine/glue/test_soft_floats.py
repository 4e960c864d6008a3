"""Conversions of half and bfloat against the definition of the formats."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.glue.soft_floats import (
    BFLOAT,
    HALF,
    NAMES,
    PREFIX,
    SINGLE,
    WIDER,
    Format,
    soft_float_glue,
)
from irsan.engine.glue.templates import join, template
from tests.oracles.soft_floats import narrowed, value_of

Convert = Callable[[int], int]
_PAIRS = list(product(WIDER, (HALF, BFLOAT)))


def _caller(name: str, source: Format, target: Format) -> str:
    return f"""define void @call{name}(ptr %from, ptr %to) {{
  %x = load {source.llvm}, ptr %from
  %y = call {target.llvm} @{PREFIX}{name}({source.llvm} %x)
  store {target.llvm} %y, ptr %to
  ret void
}}"""


@pytest.fixture(scope="module")
def conversions() -> dict[str, Convert]:
    """By name: pattern in, pattern out."""
    import llvmlite.binding as llvm

    from irsan.engine.target import target_machine

    shapes = {f"__trunc{wide.letters}{to.letters}2": (wide, to) for wide, to in _PAIRS}
    shapes |= {f"__extendhf{wide.letters}2": (HALF, wide) for wide in WIDER}
    shapes["__extendbfsf2"] = (BFLOAT, SINGLE)
    assert shapes.keys() == NAMES
    target_machine()
    callers = [_caller(name, *kinds) for name, kinds in shapes.items()]
    module = llvm.parse_assembly(join([soft_float_glue(), template("soft_floats"), *callers]))
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    _KEPT.append(engine)
    return {
        name: _converting(engine.get_function_address(f"call{name}"), kinds[1])
        for name, kinds in shapes.items()
    }


_KEPT: list[object] = []


def _converting(address: int, target: Format) -> Convert:
    native = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)(address)

    def convert(bits: int) -> int:
        room = ctypes.create_string_buffer(32)
        native(ctypes.create_string_buffer(bits.to_bytes(16, "little"), 32), room)
        return int.from_bytes(room.raw[: target.bits // 8], "little")

    return convert


def _pattern(form: Format, sign: int, exponent: int, fraction: int) -> int:
    lead = 1 << form.fraction if form.explicit and exponent else 0
    return sign << (form.bits - 1) | exponent << (form.fraction + form.explicit) | lead | fraction


def _check(conversions: dict[str, Convert], wide: Format, to: Format, bits: int) -> None:
    found = conversions[f"__trunc{wide.letters}{to.letters}2"](bits)
    wanted = narrowed(bits, wide, to)
    if wanted is None:
        assert value_of(found, to) == "nan"
        assert found >> 15 == bits >> (wide.bits - 1)
    else:
        assert found == wanted, hex(bits)


@pytest.mark.parametrize(("wide", "to"), _PAIRS, ids=lambda form: form.letters)
def test_narrowing_at_the_edges(conversions: dict[str, Convert], wide: Format, to: Format) -> None:
    """Zero, both ends of the range, ties and their neighbours, infinities, NaNs."""
    lost = wide.fraction - to.fraction
    tie, all_ones = 1 << (lost - 1), (1 << wide.exponent) - 1
    least, most = wide.bias - to.bias, wide.bias + to.bias
    exponents = {0, 1, all_ones - 1, all_ones, least, least + 1, most, most + 1,
                 least - to.fraction, least - to.fraction - 1, least - to.fraction + 1}  # fmt: skip
    fractions = {0, 1, tie - 1, tie, tie + 1, 3 * tie, 3 * tie + 1, (1 << wide.fraction) - 1,
                 (1 << wide.fraction) - tie, (1 << wide.fraction) - tie - 1}  # fmt: skip
    for sign, exponent, fraction in product((0, 1), exponents, fractions):
        if 0 <= exponent <= all_ones:
            _check(conversions, wide, to, _pattern(wide, sign, exponent, fraction))


@settings(max_examples=300)
@given(st.sampled_from(_PAIRS), st.integers(0, 1), st.data())
def test_narrowing_anywhere(
    conversions: dict[str, Convert], pair: tuple[Format, Format], sign: int, data: st.DataObject
) -> None:
    wide, to = pair
    middle = wide.bias + data.draw(st.integers(-to.bias - to.fraction - 3, to.bias + 2))
    exponent = min(max(middle, 0), (1 << wide.exponent) - 1)
    fraction = data.draw(st.integers(0, (1 << wide.fraction) - 1))
    _check(conversions, wide, to, _pattern(wide, sign, exponent, fraction))


@pytest.mark.parametrize("wide", WIDER, ids=lambda form: form.letters)
def test_every_half_widens_to_itself(conversions: dict[str, Convert], wide: Format) -> None:
    convert = conversions[f"__extendhf{wide.letters}2"]
    for bits in range(1 << 16):
        found = convert(bits)
        assert found >> (wide.bits - 1) == bits >> 15
        assert value_of(found, wide) == value_of(bits, HALF)


def test_every_bfloat_widens_to_itself(conversions: dict[str, Convert]) -> None:
    assert all(conversions["__extendbfsf2"](bits) == bits << 16 for bits in range(1 << 16))
