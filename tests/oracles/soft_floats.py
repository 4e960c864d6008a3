"""Narrow floating-point formats by their definition: all numbers in order, and the nearest one."""

from __future__ import annotations

import bisect
import functools
from fractions import Fraction

from irsan.engine.glue.soft_floats import Format


def value_of(bits: int, form: Format) -> Fraction | str:
    """What a pattern stands for: a number, "inf" or "nan"; its sign is dropped."""
    fraction = bits & ((1 << form.fraction) - 1)
    exponent = bits >> (form.fraction + form.explicit) & ((1 << form.exponent) - 1)
    if exponent == (1 << form.exponent) - 1:
        return "nan" if fraction else "inf"
    lead = 1 if exponent else 0
    scale = Fraction(2) ** (max(exponent, 1) - form.bias)
    return (lead + Fraction(fraction, 1 << form.fraction)) * scale


@functools.cache
def _numbers(form: Format) -> list[Fraction]:
    """All finite numbers that are not negative; a number's place is its pattern."""
    patterns = range(((1 << form.exponent) - 1) << form.fraction)
    return [value for value in (value_of(bits, form) for bits in patterns)
            if isinstance(value, Fraction)]  # fmt: skip


def narrowed(bits: int, wide: Format, to: Format) -> int | None:
    """The pattern in format `to` of a pattern in `wide`; None for a NaN."""
    sign = bits >> (wide.bits - 1) << 15
    value = value_of(bits, wide)
    infinity = len(_numbers(to))
    if isinstance(value, str):
        return None if value == "nan" else sign | infinity
    return sign | _nearest(value, to)


def _nearest(value: Fraction, to: Format) -> int:
    numbers = _numbers(to)
    above = bisect.bisect_left(numbers, value)
    if above == 0:
        return 0
    step = numbers[-1] - numbers[-2]
    upper = numbers[above] if above < len(numbers) else numbers[-1] + step
    down, up = value - numbers[above - 1], upper - value
    if down != up:
        return above if up < down else above - 1
    return above if above % 2 == 0 else above - 1
