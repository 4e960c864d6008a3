"""What clang leaves for a handler of undefined behaviour: static records, and operands as words.

    place   {const char *file; u32 line; u32 column}; column ~0: reported already
    type    {u16 kind; u16 info; char name[]}   the name has its quotes: 'int'
              kind 0   integer: info is log2(width) << 1 | signed
              kind 1   floating point: info is the width
              kind 2   _BitInt: as an integer; u32 behind the name: its own number of bits
              others   nothing is known but the name
    value   a word: integers of up to 64 bits zero-extended, floats of up to 64 bits as their bits;
            a wider value lies in memory at that address

Records are trusted, as the original trusts them: they are the compiler's.

Source: compiler-rt's ubsan_value.h for the layout; clang's EmitCheckValue for values.
Deviations: half, bfloat and __float128 are read, too.
"""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final

TOLD_COLUMN: Final = 0xFFFF_FFFF
COLUMN_OFFSET: Final = 12  # of a place's column
PLACE_BYTES: Final = 16

_INTEGER, _FLOAT, _BIT_INTEGER = 0, 1, 2
_WORD_BITS: Final = 64
_SHOWN_DIGITS: Final = 6  # of %g
# Of formats that are not the processor's own: bits of the exponent, bits behind the leading one.
_X87, _QUAD, _BFLOAT = (15, 63), (15, 112), (8, 7)


def read_u16(addr: int) -> int:
    """Two bytes of guest memory."""
    return ctypes.c_uint16.from_address(addr).value


def read_u32(addr: int) -> int:
    """Four bytes of guest memory."""
    return ctypes.c_uint32.from_address(addr).value


def read_u64(addr: int) -> int:
    """Eight bytes of guest memory."""
    return ctypes.c_uint64.from_address(addr).value


def read_text(addr: int) -> str:
    """A text of the program, "" for none."""
    return ctypes.string_at(addr).decode("utf-8", "replace") if addr else ""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in the source as clang's records have it; the file is "" when it is not known."""

    file: str = ""
    line: int = 0
    column: int = 0


def read_place(addr: int) -> SourcePlace:
    """The place whose record lies at `addr`."""
    return SourcePlace(read_text(read_u64(addr)), read_u32(addr + 8), read_u32(addr + 12))


def mark_told(addr: int) -> None:
    """The place at `addr` has been reported: handlers report nothing more about it."""
    ctypes.c_uint32.from_address(addr + COLUMN_OFFSET).value = TOLD_COLUMN


@dataclass(frozen=True, slots=True)
class TypeRecord:
    """A type: its name in quotes, and what values of it look like."""

    kind: int
    info: int
    name: str
    n_bits: int = 0  # of a _BitInt

    @property
    def is_integer(self) -> bool:
        return self.kind in (_INTEGER, _BIT_INTEGER)

    @property
    def is_float(self) -> bool:
        return self.kind == _FLOAT

    @property
    def is_signed(self) -> bool:
        return self.is_integer and bool(self.info & 1)

    @property
    def width_bits(self) -> int:
        """Bits that a value takes."""
        return 1 << (self.info >> 1) if self.is_integer else self.info


def read_type(addr: int) -> TypeRecord:
    """The type whose record lies at `addr`."""
    kind, info = read_u16(addr), read_u16(addr + 2)
    raw = ctypes.string_at(addr + 4)
    n_bits = read_u32(addr + 4 + len(raw) + 1) if kind == _BIT_INTEGER else 0
    return TypeRecord(kind, info, raw.decode("utf-8", "replace"), n_bits)


def integer_value(type_: TypeRecord, word: int) -> int:
    """The integer that a word stands for, with its sign."""
    width = type_.width_bits
    raw = word if width <= _WORD_BITS else _wide_integer(word, width)
    width = type_.n_bits or width
    raw &= (1 << width) - 1
    return raw - (1 << width) if type_.is_signed and raw >> (width - 1) else raw


def value_text(type_: TypeRecord, word: int) -> str:
    """A value as messages have it; what does not fit 64 bits is hexadecimal."""
    if type_.is_float:
        return float_text(float_bits(type_, word), type_)
    if not type_.is_integer:
        return "<unknown>"
    value = integer_value(type_, word)
    lowest, highest = (-(1 << 63), (1 << 63) - 1) if type_.is_signed else (0, (1 << 64) - 1)
    return str(value) if lowest <= value <= highest else f"0x{value % (1 << 128):032x}"


def float_bits(type_: TypeRecord, word: int) -> int:
    """The bits of a floating-point value, from its word or from where that points."""
    width = type_.width_bits
    return word if width <= _WORD_BITS else _wide_integer(word, width)


def float_text(bits: int, type_: TypeRecord) -> str:
    """A floating-point value as `%g` has it."""
    width = type_.width_bits
    if width == 64:
        return _double_text(struct.unpack("<d", struct.pack("<Q", bits))[0])
    if width == 32:
        return _double_text(struct.unpack("<f", struct.pack("<I", bits & 0xFFFF_FFFF))[0])
    if width == 16 and "bf" not in type_.name:
        return _double_text(struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0])
    if width == 16:
        return _other_text(bits, *_BFLOAT)
    if "128" in type_.name:
        return _other_text(bits, *_QUAD)
    return _other_text(_without_integer_bit(bits), *_X87)


def _without_integer_bit(bits: int) -> int:
    """An x87 value in the layout of the others: its leading one is not implied."""
    return (bits >> 64 & 0xFFFF) << 63 | bits & ((1 << 63) - 1)


def _wide_integer(addr: int, width_bits: int) -> int:
    return int.from_bytes(ctypes.string_at(addr, width_bits // 8), "little")


def _double_text(value: float) -> str:
    text = f"{value:g}"
    is_negative_nan = value != value and struct.pack("<d", value)[7] & 0x80
    return f"-{text}" if is_negative_nan else text


def _other_text(bits: int, exponent_bits: int, fraction_bits: int) -> str:
    """%g of a value of any IEEE-like format, computed exactly."""
    sign = "-" if bits >> (exponent_bits + fraction_bits) & 1 else ""
    highest = (1 << exponent_bits) - 1
    exponent, fraction = bits >> fraction_bits & highest, bits & ((1 << fraction_bits) - 1)
    if exponent == highest:
        return sign + ("nan" if fraction else "inf")
    bias = highest >> 1
    significand = fraction | (1 << fraction_bits if exponent else 0)
    exact = Fraction(significand) * Fraction(2) ** (max(exponent, 1) - bias - fraction_bits)
    return sign + _general_text(exact)


def _general_text(value: Fraction) -> str:
    """%g of an exact value that is not negative."""
    if not value:
        return "0"
    context = Context(prec=_SHOWN_DIGITS + 20, Emax=10**6, Emin=-(10**6))
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    rounded = Context(prec=_SHOWN_DIGITS, Emax=10**6, Emin=-(10**6)).plus(quotient)
    exponent = rounded.adjusted()
    digits = "".join(map(str, rounded.as_tuple().digits)).rstrip("0") or "0"
    if -4 <= exponent < _SHOWN_DIGITS:
        return f"{rounded.normalize():f}"
    mantissa = digits[0] + (f".{digits[1:]}" if digits[1:] else "")
    return f"{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
