"""Kernels of numba under irsan: bounds and races with their line of Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, prange
from numpy.typing import NDArray

import irsan
from irsan.engine.producers.numba.arguments import pack_arguments
from irsan.errors import UnsupportedError, UsageError


@njit
def running_sum(values: Any, scale: float, out: Any) -> float:
    total = 0.0
    for at in range(values.shape[0]):
        total += values[at] * scale
        out[at] = total
    return total


@njit
def one_too_far(values: Any) -> float:
    total = 0.0
    for at in range(values.shape[0] + 1):
        total += values[at]  # one element behind the last
    return total


@njit(parallel=True)
def histogram(values: Any, counts: Any) -> None:
    for at in prange(values.shape[0]):
        counts[values[at] % 3] += 1  # two threads count in one place


@njit(parallel=True)
def squares(values: Any, out: Any) -> float:
    for at in prange(values.shape[0]):
        out[at] = values[at] * values[at]
    total = 0.0
    for at in prange(values.shape[0]):
        total += out[at]
    return total


@njit
def scaled(x: float) -> float:
    return np.sqrt(x) + 1.0


@njit
def allocates(n: int, out: Any) -> Any:
    rows = [1, 2, 3]
    for at in range(n):
        rows.append(at)
    made = np.empty(n)
    for at in range(n):
        made[at] = scaled(float(rows[at + 3]))
    out[:] = made[: out.shape[0]]
    return made


@njit(parallel=True)
def in_two_dimensions(left: Any, right: Any, out: Any) -> None:
    both = left * 2.0 + right
    for at in prange(left.shape[0]):
        for column in range(left.shape[1]):
            out[at, column] = both[at, column]


@njit
def says(values: Any) -> None:
    print(values[0])


@njit
def divides(values: Any, number: int) -> int:
    return int(values[0]) // number


def _lines(finding: dict[str, Any]) -> Iterator[str]:
    source = Path(__file__).read_text().splitlines()
    for stack in finding["stacks"]:
        for frame in stack["frames"]:
            if Path(frame.get("file", "")).name == Path(__file__).name:
                yield source[frame["line"] - 1]


def test_a_clean_kernel_does_its_work() -> None:
    values, out = np.arange(6.0), np.zeros(6)
    checked = irsan.check(running_sum, values, 2.0, out)
    assert checked
    assert not checked.text
    assert out.tolist() == [0.0, 2.0, 6.0, 12.0, 20.0, 30.0]


def test_an_element_behind_the_last_one() -> None:
    checked = irsan.check(one_too_far, np.arange(4.0))
    assert [one["kind"] for one in checked.findings] == ["heap-buffer-overflow"]
    assert any("one element behind" in line for line in _lines(checked.findings[0]))
    assert "heap-buffer-overflow" in checked.text


def test_a_race_of_a_parallel_loop() -> None:
    checked = irsan.check(histogram, np.arange(60), np.zeros(3, np.int64))
    assert {one["kind"] for one in checked.findings} == {"data race"}
    assert any("two threads count" in line for line in _lines(checked.findings[0]))


def test_a_clean_parallel_loop() -> None:
    out = np.zeros(32)
    assert irsan.check(squares, np.arange(32.0), out)
    assert out.tolist() == [float(one * one) for one in range(32)]


def test_a_kernel_that_allocates_and_calls_others() -> None:
    out = np.zeros(5)
    assert irsan.check(allocates, 40, out)
    assert out.tolist() == [float(np.sqrt(at) + 1.0) for at in range(5)]


def test_arrays_of_two_dimensions_and_other_orders() -> None:
    left, right, out = np.arange(12.0).reshape(3, 4), np.ones((4, 3)).T, np.zeros((3, 4))
    assert irsan.check(in_two_dimensions, left, right, out)
    assert out.tolist() == (left * 2.0 + right).tolist()


def test_a_kernel_that_raises() -> None:
    checked = irsan.check(divides, np.arange(2), 0)
    assert checked
    assert checked.raised


def test_a_kernel_that_needs_python_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="calls Python"):
        irsan.check(says, np.arange(3.0))


@pytest.mark.parametrize(
    ("jitted", "arguments", "words"),
    [
        (len, (np.zeros(1),), "takes a function that numba"),
        (running_sum, ("text", 1.0, np.zeros(1)), "argument 0 is a str"),
        (running_sum, (np.zeros(1), 1.0, 5), "numba does not compile it"),
    ],
)
def test_what_cannot_be_checked(jitted: Any, arguments: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        irsan.check(jitted, *arguments)


@given(
    st.integers(1, 20), st.integers(0, 19), st.integers(0, 19), st.sampled_from([-3, -1, 1, 2, 4])
)
def test_views_share_the_bytes_that_they_reach(n: int, lo: int, hi: int, step: int) -> None:
    base = np.arange(float(n))
    view: NDArray[Any] = base[lo:hi][::step]
    packed = pack_arguments((base, view, 3))
    assert len(packed.blocks) == (1 if view.size else 2) or view.size == 0
    block, offset = packed.words[4]
    assert packed.blocks[block - 1][0] + offset == base.ctypes.data
    if view.size:
        block, offset = packed.words[7 + 4]
        assert packed.blocks[block - 1][0] + offset == view.ctypes.data
        assert packed.words[7 + 6] == (0, view.strides[0])
    assert packed.words[-1] == (0, 3)


def test_words_are_those_of_numbas_model() -> None:
    """As many words as numba's own model has parts."""
    for argument in (np.zeros((2, 3)), 5, 2.5, True, 1j, (1, 2.0), (np.zeros(1), 3)):
        model = numba.core.registry.cpu_target.target_context.data_model_manager[
            numba.typeof(argument)
        ]
        parts = model.get_argument_type()
        assert len(pack_arguments((argument,)).words) == _n_leaves(parts)


def _n_leaves(parts: Any) -> int:
    if isinstance(parts, tuple):
        return sum(map(_n_leaves, parts))
    return len(getattr(parts, "elements", (0,)))
