"""The kernel decorator: types, the registry, and what calls of kernels from Python do."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest

from irsan.errors import InternalError
from irsan.runtime.kernels.kernel import REGISTRY, kernel, outlined_symbol, symbol_to_kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import f64, i32, u8, u32, u64
from irsan.runtime.records.context import CONTEXT_DTYPE


@pytest.fixture(autouse=True)
def _same_registry() -> Iterator[None]:
    """What a test registers is no kernel of the runtime."""
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def add_one(number: u64) -> u64:
    return number + 1


def test_a_kernel_is_registered_with_its_types() -> None:
    made = kernel(add_one)
    assert made(41) == 42
    found = REGISTRY["add_one"]
    assert (found.return_type, found.argument_types) == ("u64", ("u64",))
    assert not found.is_outlined


def test_unsigned_arithmetic_wraps_and_nothing_raises() -> None:
    assert kernel(add_one)(2**64 - 1) == 0


def test_an_outlined_kernel_can_be_called_from_python_and_from_kernels() -> None:
    outlined = kernel(outlined=True)(add_one)

    def add_two(number: u64) -> u64:
        return outlined(outlined(number))

    assert outlined(1) == 2
    assert kernel(add_two)(1) == 3
    assert outlined_symbol("add_one") in REGISTRY["add_two"].dispatcher.text


def test_the_types_of_a_kernel_are_its_annotations() -> None:
    @kernel
    def set_site(ctx: Context, site: u32) -> bool:
        ctx.site = site
        return ctx.site > 3

    found = REGISTRY["set_site"]
    assert (found.return_type, found.argument_types) == ("b1", ("ctx", "u32"))
    ctx = np.zeros(1, CONTEXT_DTYPE)
    assert set_site(ctx[0], 4) and not set_site(ctx[0], 3)
    assert ctx[0]["site"] == 3


def test_options_stand_in_brackets() -> None:
    @kernel(outlined=True)
    def add_three(number: u64) -> u64:
        return number + 3

    assert add_three(4) == 7
    assert REGISTRY["add_three"].is_outlined


def test_an_argument_without_a_type_is_an_error() -> None:
    def untyped(number) -> u64:  # type: ignore[no-untyped-def]
        return number

    with pytest.raises(InternalError, match="kernel untyped has no annotation"):
        kernel(untyped)


def test_a_type_that_no_kernel_has_is_an_error() -> None:
    def takes_text(text: str) -> u64:
        return u64(len(text))

    with pytest.raises(InternalError, match="kernel takes_text: no argument or result is a"):
        kernel(takes_text)


def test_two_files_cannot_have_a_kernel_of_one_name() -> None:
    kernel(add_one)
    again = types.FunctionType(add_one.__code__, globals(), "add_one")
    again.__annotations__ = add_one.__annotations__
    again.__module__ = "irsan.runtime.kernels.checks.access"
    with pytest.raises(InternalError, match="two kernels are called add_one"):
        kernel(again)


def test_a_symbol_leads_to_its_kernel() -> None:
    made = kernel(outlined=True)(add_one)
    assert symbol_to_kernel("kernel.add_one") is symbol_to_kernel("__irsan_out_add_one") is made
    assert symbol_to_kernel("kernel.no_such") is symbol_to_kernel("add_one") is None


def test_numbers_have_the_widths_of_the_types() -> None:
    @kernel
    def widest(a: u8, b: i32, c: bool) -> u64:
        return u64(a) if c else u64(i32(b))

    @kernel
    def halved(number: f64) -> f64:
        return number / 2

    assert widest(0x1FF, 0, True) == 0xFF
    assert widest(0, -1, False) == widest(0, np.uint32(2**32 - 1), np.bool_(False)) == 2**64 - 1
    assert (halved(3), halved(np.float64(0.5))) == (1.5, 0.25)


@pytest.mark.parametrize("arguments", [(), (1, 2)])
def test_a_wrong_number_of_arguments_is_an_error(arguments: tuple[int, ...]) -> None:
    call: Any = kernel(add_one)
    with pytest.raises(TypeError, match=f"of 1 arguments got {len(arguments)}"):
        call(*arguments)


@kernel
def count_down(number: u64) -> u64:
    """Two for each number below this one, by a kernel that is defined later."""
    return count_two(number - 1) if number else u64(0)


@kernel(outlined=True)
def count_two(number: u64) -> u64:
    """Two more than `count_down` of the number."""
    return count_down(number) + 2


def test_kernels_may_call_each_other() -> None:
    assert count_down(5) == 10
    assert count_two(5) == 12


def test_code_that_numba_compiles_for_this_process_can_call_kernels() -> None:
    add = kernel(outlined=True)(add_one)

    @numba.njit  # type: ignore[untyped-decorator]
    def add_often(number: int, n: int) -> int:
        for _ in range(n):
            number = add(np.uint64(number))
        return number

    assert add_often(np.uint64(1), 5) == 6


def test_a_kernel_that_takes_the_place_of_another_is_the_one_that_is_called() -> None:
    first = kernel(add_one)
    assert first(1) == 2
    code = (lambda number: number + 7).__code__
    again = types.FunctionType(code, globals(), "add_one")
    again.__annotations__, again.__module__ = add_one.__annotations__, add_one.__module__
    assert kernel(again)(1) == 8
    assert first(1) == 2
