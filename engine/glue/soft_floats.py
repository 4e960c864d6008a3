"""Conversions of half and bfloat that the processor does not have and not every libgcc has.

    __truncsfhf2  __truncdfhf2  __truncxfhf2  __trunctfhf2      to half from 32, 64, 80, 128 bits
    __truncsfbf2  __truncdfbf2  __truncxfbf2  __trunctfbf2      to bfloat
    __extendhfsf2 __extendhfdf2 __extendhfxf2 __extendhftf2     from half
    __extendbfsf2

LLVM calls them for arithmetic on `_Float16` and `__bf16`.  Programs bind to the host's where it has
them (half: gcc 12, bfloat: gcc 13), else to these, which are made of operations on integers.

Those from half and bfloat are templates/soft_floats.ll.

A number narrows like this: its significand, with the hidden bit, loses the bits that the target
has no room for (more of them below the target's smallest normal number), is rounded to
nearest, ties to even, and is added to its exponent, so that a carry out of the significand counts
the exponent up, to infinity in the end.  NaNs keep their upper bits and become quiet.

Source: IEEE 754-2019, sections 3.4 and 4.3.1; the names: GCC's internals manual, "Routines for
floating point emulation".  Deviation: to nearest, whatever `fesetround` has set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PREFIX: Final = "__irsan_soft"  # in front of a routine's name


@dataclass(frozen=True, slots=True)
class Format:
    """A binary floating-point format; `fraction` bits without the leading one.

    explicit: whether the leading bit of the significand is stored (x87).
    """

    llvm: str
    letters: str
    bits: int
    exponent: int
    fraction: int
    explicit: bool = False

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1


HALF: Final = Format("half", "hf", 16, 5, 10)
BFLOAT: Final = Format("bfloat", "bf", 16, 8, 7)
SINGLE: Final = Format("float", "sf", 32, 8, 23)
DOUBLE: Final = Format("double", "df", 64, 11, 52)
EXTENDED: Final = Format("x86_fp80", "xf", 80, 15, 63, explicit=True)
QUAD: Final = Format("fp128", "tf", 128, 15, 112)
WIDER: Final = (SINGLE, DOUBLE, EXTENDED, QUAD)

NAMES: Final = frozenset([
    *[f"__trunc{wide.letters}{to.letters}2" for wide in WIDER for to in (HALF, BFLOAT)],
    *[f"__extendhf{wide.letters}2" for wide in WIDER], "__extendbfsf2",
])  # fmt: skip


def soft_float_glue() -> str:
    """LLVM text of the conversions to half and bfloat, under PREFIX."""
    return "\n".join(_narrowing(wide, to) for wide in WIDER for to in (HALF, BFLOAT))


def _narrowing(wide: Format, to: Format) -> str:
    """The conversion of the module's text, in integers of the wide format's size."""
    word = f"i{wide.bits}"
    stored = wide.fraction + wide.explicit
    least = wide.fraction - to.fraction  # bits that a normal number loses
    quiet = ((1 << to.exponent) - 1) << to.fraction | 1 << (to.fraction - 1)
    infinity = ((1 << to.exponent) - 1) << to.fraction
    all_ones = (1 << wide.exponent) - 1
    return f"""define {to.llvm} @{PREFIX}__trunc{wide.letters}{to.letters}2({wide.llvm} %x) {{
  %bits = bitcast {wide.llvm} %x to {word}
  %high = lshr {word} %bits, {stored}
  %exponent = and {word} %high, {all_ones}
  %fraction = and {word} %bits, {(1 << wide.fraction) - 1}
  %sign.low = lshr {word} %bits, {wide.bits - 16}
  %sign = and {word} %sign.low, 32768
  %is.special = icmp eq {word} %exponent, {all_ones}
  %is.number = icmp eq {word} %fraction, 0
  %kept = lshr {word} %fraction, {least}
  %nan = or {word} %kept, {quiet}
  %special = select i1 %is.number, {word} {infinity}, {word} %nan
  %is.small = icmp eq {word} %exponent, 0
  %own = select i1 %is.small, {word} 1, {word} %exponent
  %lead = select i1 %is.small, {word} 0, {word} {1 << wide.fraction}
  %significand = or {word} %fraction, %lead
  %moved = sub {word} %own, {wide.bias - to.bias}
  %is.normal = icmp sgt {word} %moved, 0
  %missing = sub {word} {least + 1}, %moved
  %is.gone = icmp sgt {word} %missing, {wide.fraction + 2}
  %most = select i1 %is.gone, {word} {wide.fraction + 2}, {word} %missing
  %lost = select i1 %is.normal, {word} {least}, {word} %most
  %down = lshr {word} %significand, %lost
  %back = shl {word} %down, %lost
  %rest = sub {word} %significand, %back
  %last = sub {word} %lost, 1
  %tie = shl {word} 1, %last
  %is.above = icmp ugt {word} %rest, %tie
  %is.tie = icmp eq {word} %rest, %tie
  %odd = trunc {word} %down to i1
  %to.even = and i1 %is.tie, %odd
  %goes.up = or i1 %is.above, %to.even
  %one = zext i1 %goes.up to {word}
  %rounded = add {word} %down, %one
  %before = sub {word} %moved, 1
  %scaled = shl {word} %before, {to.fraction}
  %base = select i1 %is.normal, {word} %scaled, {word} 0
  %made = add {word} %rounded, %base
  %fits = icmp ult {word} %made, {infinity}
  %finite = select i1 %fits, {word} %made, {word} {infinity}
  %value = select i1 %is.special, {word} %special, {word} %finite
  %signed = or {word} %value, %sign
  %short = trunc {word} %signed to i16
  %result = bitcast i16 %short to {to.llvm}
  ret {to.llvm} %result
}}"""
