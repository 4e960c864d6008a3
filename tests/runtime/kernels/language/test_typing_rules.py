"""Literals beside numbers: each operator, each width, and what stays numba's own."""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types
from numba.core.registry import cpu_target

from irsan.errors import InternalError
from irsan.runtime.kernels.language import compiling
from irsan.runtime.kernels.language.compiling import compile_kernel
from irsan.runtime.kernels.language.kernel_text import kernel_text
from irsan.runtime.kernels.language.typing_rules import OPERATORS, literals_like_neighbours
from irsan.runtime.kernels.scalars import u64

SEVEN = 7
WIDTHS = (types.uint8, types.uint16, types.uint32, types.uint64, types.int32, types.int64)
OPTIONS = {"error_model": "numpy", "boundscheck": False}
N_RESULTS = 31
BIG = (1 << 60) + 1


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 200


class Wide(enum.IntEnum):
    SMALL = 1
    BIG = 1 << 40


def resolved(name: str, *arguments: Any) -> Any:
    return cpu_target.typing_context.resolve_function_type(getattr(operator, name), arguments, {})


def compiled(function: Callable[..., Any], signature: Any) -> Any:
    kernel = compile_kernel(function, signature, OPTIONS)
    kernel.ready()
    return kernel


@pytest.mark.parametrize("width", WIDTHS, ids=str)
@pytest.mark.parametrize("name", OPERATORS)
def test_a_literal_has_the_type_of_the_number_beside_it(name: str, width: Any) -> None:
    with literals_like_neighbours():
        wanted = resolved(name, width, width)
        assert resolved(name, width, types.literal(SEVEN)) == wanted
        assert resolved(name, types.literal(SEVEN), width) == wanted


def every_operator(x: Any, out: Any) -> None:
    out[0], out[1], out[2], out[3] = x + 7, x - 7, x * 7, x // 7
    out[4], out[5], out[6], out[7] = x % 7, x & 7, x | 7, x ^ 7
    out[8], out[9], out[10], out[11] = x << 3, x >> 3, 7 + x, 120 - x
    out[12], out[13], out[14], out[15] = 7 * x, 120 & x, 120 | x, 120 ^ x
    out[16], out[17], out[18] = x == 7, x != 7, x < 7
    out[19], out[20], out[21] = x <= 7, x > 7, x >= 7
    out[22], out[23] = 7 < x, x + SEVEN  # noqa: SIM300
    y = x
    y += 7
    out[24] = y
    y = x
    y -= 7
    out[25] = y
    y = x
    y *= 7
    out[26] = y
    y = x
    y //= 7
    out[27] = y
    y = x
    y &= 100
    out[28] = y
    y = x
    y |= 100
    out[29] = y
    y = x
    y ^= 100
    out[30] = y


KERNELS = {
    width: compiled(every_operator, types.void(width, types.Array(types.int64, 1, "C")))
    for width in WIDTHS
}


@pytest.mark.parametrize("width", WIDTHS, ids=str)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_results_are_those_of_numpy(width: Any, data: st.DataObject) -> None:
    x = data.draw(st.integers(int(width.minval), int(width.maxval)))
    found, wanted = np.zeros((2, N_RESULTS), np.int64)
    KERNELS[width](x, found)
    # Results of numba have 64 bits, whatever the operands have.
    wide = np.int64(x) if width.signed else np.uint64(x)
    target = wanted if width.signed else wanted.view(np.uint64)
    with np.errstate(over="ignore"):
        every_operator(wide, target)
    assert found.tolist() == wanted.tolist()


def test_what_does_not_fit_stays_numbas() -> None:
    before = resolved("eq", types.uint8, types.literal(300))
    with literals_like_neighbours():
        assert resolved("eq", types.uint8, types.literal(300)) == before
        assert resolved("add", types.uint8, types.literal(-1)).return_type == types.int64


def test_members_of_an_enumeration_are_literals_if_all_fit() -> None:
    with literals_like_neighbours():
        assert resolved("and_", types.uint64, numba.typeof(Colour.RED)).return_type == types.uint64
        assert resolved("eq", types.uint8, numba.typeof(Colour.RED)).args == (types.uint8,) * 2
        assert resolved("eq", types.uint32, numba.typeof(Wide.BIG)).args != (types.uint32,) * 2


def test_a_kernel_uses_members_of_an_enumeration() -> None:
    def is_blue(x: Any) -> Any:
        return (x | Colour.BLUE) == Colour.BLUE

    made = compiled(is_blue, types.boolean(types.uint64))
    assert made(0) and made(200) and not made(1)


@pytest.mark.parametrize("name", ["add", "and_", "lt", "eq", "isub", "floordiv"])
@pytest.mark.parametrize("signed", [types.int32, types.int64, types.literal(-1)], ids=str)
def test_a_u64_beside_a_signed_number_is_refused(name: str, signed: Any) -> None:
    with literals_like_neighbours():
        with pytest.raises(InternalError, match="cast one of them"):
            resolved(name, types.uint64, signed)
        with pytest.raises(InternalError, match="cast one of them"):
            resolved(name, signed, types.uint64)


def count_signed(n: Any) -> Any:
    i = 0
    while i < n:
        i += 1
    return i


def count_unsigned(n: Any) -> Any:
    i = u64(0)
    while i < n:
        i += 1
    return i


def test_a_counter_that_begins_as_a_bare_literal_is_refused() -> None:
    with pytest.raises(InternalError, match="cast one of them"):
        compiled(count_signed, types.uint64(types.uint64))
    assert compiled(count_unsigned, types.uint64(types.uint64))(9) == 9


def test_kernels_that_are_only_linked_have_the_rule_too() -> None:
    with pytest.raises(InternalError, match="cast one of them"):
        kernel_text(count_signed, types.uint64(types.uint64), "count_signed", False)


def test_other_code_keeps_numbas_rules() -> None:
    compiled(count_unsigned, types.uint64(types.uint64))

    def add_seven(x: Any) -> Any:
        return x + 7

    made: Any = numba.njit(add_seven)
    assert made(np.uint64(1)) == 8
    [signature] = made.nopython_signatures
    assert signature.return_type == types.int64
    assert resolved("add", types.uint64, types.literal(7)).return_type == types.int64
    assert resolved("lt", types.uint64, types.int64).args == (types.float64,) * 2


def test_the_rules_are_taken_away_when_a_kernel_does_not_compile() -> None:
    functions = [cpu_target.typing_context.resolve_value_type(operator.add)]
    before = [one.templates for one in functions]
    with pytest.raises(InternalError):
        compiled(count_signed, types.uint64(types.uint64))
    assert [one.templates for one in functions] == before


def test_numba_still_asks_the_templates_of_an_operator_in_their_order() -> None:
    """The private part that the rules lean on."""
    for name in OPERATORS:
        function: Any = cpu_target.typing_context.resolve_value_type(getattr(operator, name))
        assert isinstance(function.templates, tuple) and function.templates
    with literals_like_neighbours():
        assert resolved("lt", types.uint64, types.literal(7)).args == (types.uint64,) * 2


def test_a_kernel_that_another_one_calls_leaves_the_rules_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is compiled while the caller is: the caller's literals behind the call have them, too."""
    monkeypatch.setattr(compiling, "_full_disks", [OSError("nothing is to come from the cache")])
    signature = types.uint64(types.uint64)
    callee = compile_kernel(lambda x: x + SEVEN, signature, OPTIONS)

    def caller(x: Any) -> Any:
        return callee(x) + SEVEN if x < SEVEN else x - SEVEN

    kernel = compile_kernel(caller, signature, OPTIONS)
    assert not callee.overloads
    assert kernel(BIG) == BIG - SEVEN, "numba alone would calculate with floats"
    assert callee.overloads
    assert kernel(1) == 15


def test_rules_are_there_until_the_outermost_kernel_is_compiled() -> None:
    pair = (types.uint64, types.literal(SEVEN))
    with literals_like_neighbours():
        with literals_like_neighbours():
            assert resolved("add", *pair).return_type == types.uint64
        assert resolved("add", *pair).return_type == types.uint64
    assert resolved("add", *pair).return_type != types.uint64
