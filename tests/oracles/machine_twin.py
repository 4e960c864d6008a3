"""The interpreter's operations in plain Python, from the Language Reference and not from the table.

    RESULTS["add32"](x, y, number) -> 64-bit word that the operation leaves

x, y: the words in the registers that the operation reads; number: the one in the word itself (k or
n), 0 when it has none.  Python's integers are cut and signed by hand; floats go through `struct`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

Result = Callable[[int, int, int], int]
_ALL = (1 << 64) - 1


_CUT = ("add", "sub", "mul", "shl")  # the others leave 32 bits as 32 bits


def signed(word: int, bits: int) -> int:
    """The lowest `bits` of a word as a two's complement number."""
    cut = word & ((1 << bits) - 1)
    return cut - (1 << bits) if cut >> (bits - 1) else cut


def as_float(word: int, bits: int) -> float:
    """The number whose IEEE 754 bits are the lowest of a word."""
    raw = (word & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
    found: float = struct.unpack("<d" if bits == 64 else "<f", raw)[0]
    return found


def as_word(number: float, bits: int) -> int:
    """The bits of a number, rounded to nearest even; too big for float is infinite."""
    if bits == 64:
        return int.from_bytes(struct.pack("<d", number), "little")
    try:
        return int.from_bytes(struct.pack("<f", number), "little")
    except OverflowError:
        return as_word(math.copysign(math.inf, number), 32)


def _divide(x: int, y: int) -> int:
    """Towards zero."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _integer_results() -> dict[str, Result]:
    plain: dict[str, Callable[[int, int], int]] = {
        "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
        "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
        "shl": lambda x, y: x << y, "lshr": lambda x, y: x >> y,
    }  # fmt: skip
    results: dict[str, Result] = {}
    for name, compute in plain.items():
        for bits in (32, 64) if name in _CUT else (64,):
            mask = (1 << bits) - 1
            results[f"{name}{bits}"] = lambda x, y, _, f=compute, m=mask: f(x & m, y & m) & m
            results[f"{name}{bits}k"] = lambda x, _, k, f=compute, m=mask: f(x & m, k & m) & m
    for bits in (32, 64):
        mask = (1 << bits) - 1
        results[f"ashr{bits}"] = lambda x, y, _, b=bits, m=mask: signed(x, b) >> y & m
        results[f"ashr{bits}k"] = lambda x, _, k, b=bits, m=mask: signed(x, b) >> k & m
        results[f"udiv{bits}"] = lambda x, y, _, m=mask: (x & m) // (y & m)
        results[f"urem{bits}"] = lambda x, y, _, m=mask: (x & m) % (y & m)
        results[f"sdiv{bits}"] = lambda x, y, _, b=bits, m=mask: (
            _divide(signed(x, b), signed(y, b)) & m
        )
        results[f"srem{bits}"] = lambda x, y, _, b=bits, m=mask: (
            signed(x, b) - signed(y, b) * _divide(signed(x, b), signed(y, b))
        ) & m
    results["trunc"] = lambda x, _, n: x & ((1 << n) - 1)
    results["sext"] = lambda x, _, n: signed(x, n) & _ALL
    results["mov"] = lambda x, _, _n: x
    return results


def _comparison_results() -> dict[str, Result]:
    results: dict[str, Result] = {
        "ieq": lambda x, y, _: int(x == y), "ine": lambda x, y, _: int(x != y),
        "iult": lambda x, y, _: int(x < y), "iule": lambda x, y, _: int(x <= y),
    }  # fmt: skip
    for bits in (32, 64):
        results[f"islt{bits}"] = lambda x, y, _, b=bits: int(signed(x, b) < signed(y, b))
        results[f"isle{bits}"] = lambda x, y, _, b=bits: int(signed(x, b) <= signed(y, b))
    return results


_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
}  # fmt: skip


def _float_results() -> dict[str, Result]:
    arithmetic: dict[str, Callable[[float, float], float]] = {
        "fadd": lambda x, y: x + y, "fsub": lambda x, y: x - y,
        "fmul": lambda x, y: x * y, "fdiv": _float_divide,
    }  # fmt: skip
    results: dict[str, Result] = {}
    for bits in (32, 64):
        for name, compute in arithmetic.items():
            results[f"{name}{bits}"] = lambda x, y, _, f=compute, b=bits: as_word(
                f(as_float(x, b), as_float(y, b)), b
            )
        results[f"fneg{bits}"] = lambda x, _, _n, b=bits: x ^ (1 << (b - 1))
        results |= _float_comparisons(bits)
        for width in (32, 64):
            mask = (1 << width) - 1
            results[f"f{bits}_to_i{width}"] = lambda x, _, _n, b=bits, m=mask: (
                int(as_float(x, b)) & m
            )
            results[f"i{width}_to_f{bits}"] = lambda x, _, _n, b=bits, w=width: (
                _rounded(signed(x, w), b)
            )
    results["f32_to_f64"] = lambda x, _, _n: as_word(as_float(x, 32), 64)
    results["f64_to_f32"] = lambda x, _, _n: as_word(as_float(x, 64), 32)
    return results


def _rounded(number: int, bits: int) -> int:
    """An integer as a float, rounded once: by way of double only where that is exact."""
    if bits == 64 or abs(number) < 1 << 53:
        return as_word(float(number), bits)
    shift = abs(number).bit_length() - 26  # odd rounding keeps what the second rounding must see
    kept = abs(number) >> shift
    sticky = int(bool(abs(number) & ((1 << shift) - 1)))
    return as_word(math.copysign(float((kept | sticky) << shift), number), bits)


def _float_divide(x: float, y: float) -> float:
    if y:
        return x / y
    if math.isnan(x) or x == 0 or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def _float_comparisons(bits: int) -> dict[str, Result]:
    def is_nan(x: int, y: int) -> bool:
        return math.isnan(as_float(x, bits)) or math.isnan(as_float(y, bits))

    results: dict[str, Result] = {
        f"ford{bits}": lambda x, y, _: int(not is_nan(x, y)),
        f"funo{bits}": lambda x, y, _: int(is_nan(x, y)),
    }
    for name, holds in _ORDERED.items():
        results[f"fo{name}{bits}"] = lambda x, y, _, f=holds: int(
            not is_nan(x, y) and f(as_float(x, bits), as_float(y, bits))
        )
        results[f"fu{name}{bits}"] = lambda x, y, _, f=holds: int(
            is_nan(x, y) or f(as_float(x, bits), as_float(y, bits))
        )
    return results


RESULTS: dict[str, Result] = {
    **_integer_results(), **_comparison_results(), **_float_results(),
}  # fmt: skip
