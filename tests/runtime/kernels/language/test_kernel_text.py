"""Kernels as LLVM text: they compute what numba's functions do."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numba
import pytest
from numba import types
from numba.core import errors

from irsan.errors import InternalError
from irsan.runtime.kernels.language.linked_kernel import LinkedKernel
from irsan.runtime.kernels.scalars import u64
from tests.runtime.kernels.text_functions import EDGES, FUNCTIONS


def linked(function: Any) -> LinkedKernel:
    """A kernel that is not registered, of two numbers; the function itself stays what it is."""
    copy = FunctionType(function.__code__, dict(function.__globals__), function.__name__)
    copy.__module__ = function.__module__
    number: Any = types.uint64
    symbol = f"kernel.{function.__name__}"
    made = LinkedKernel(
        copy, number(number, number), symbol, symbol, inlined=False, callee=lambda _symbol: None
    )
    copy.__globals__[function.__name__] = made  # one of them calls itself
    return made


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_text_computes_what_numba_computes(function: Any) -> None:
    njit: Any = numba.njit
    numbas = njit("uint64(uint64, uint64)", error_model="numpy")(function)
    made = linked(function)
    expected = [int(numbas(a, b)) for a in EDGES for b in EDGES]
    assert [made(a, b) for a in EDGES for b in EDGES] == expected
    assert len(set(expected)) > 1


def sorted_first(a: u64, b: u64) -> u64:
    return sorted((a, b))[0]


def unknown_name(a: u64, b: u64) -> u64:
    return a + b + unknown  # type: ignore[name-defined, no-any-return]  # noqa: F821


@pytest.mark.parametrize(
    ("function", "error", "says"),
    [
        (sorted_first, InternalError, "kernel.sorted_first calls "),
        (unknown_name, errors.TypingError, "name 'unknown' is not defined"),
    ],
)
def test_what_cannot_be_done_is_said(function: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        _ = linked(function).text
