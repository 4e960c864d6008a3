"""Undefined bits of results by trying all values of the undefined bits of operands.

    exact_bits("and", 8, (0b1100, 0b0011), (0b0101, 0))   bits that differ between two such results

An operand is (value, undefined bits).  The value's own bits where it is undefined are ignored.
`rule_bits` says what MemorySanitizer's rules give instead, one bit at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

Operand = tuple[int, int]


def signed(value: int, width: int) -> int:
    """`value` read as a signed number."""
    return value - (1 << width) if value >> (width - 1) else value


def compute(opcode: str, width: int, *values: int) -> int | None:
    """The result of an instruction over `width` bits; None where it has none."""
    mask = (1 << width) - 1
    left, right = (*values, 0)[:2]
    simple: dict[str, Callable[[], int]] = {
        "and": lambda: left & right,
        "or": lambda: left | right,
        "xor": lambda: left ^ right,
        "add": lambda: left + right,
        "sub": lambda: left - right,
        "mul": lambda: left * right,
        "icmp eq": lambda: int(left == right),
        "icmp ne": lambda: int(left != right),
        "icmp ult": lambda: int(left < right),
        "icmp slt": lambda: int(signed(left, width) < signed(right, width)),
        "select": lambda: values[1] if values[0] & 1 else values[2],
    }
    if opcode in simple:
        return simple[opcode]() & mask
    if right >= width:
        return None
    shifted = {
        "shl": left << right, "lshr": left >> right, "ashr": signed(left, width) >> right,
    }  # fmt: skip
    return shifted[opcode] & mask


def exact_bits(opcode: str, width: int, *operands: Operand) -> int:
    """Bits of the result that depend on undefined bits."""
    always_one, ever_one = -1, 0
    for values in product(*[list(_fillings(*operand)) for operand in operands]):
        result = compute(opcode, width, *values)
        if result is None:
            return (1 << width) - 1
        always_one &= result
        ever_one |= result
    return ever_one & ~always_one


def _fillings(value: int, undefined: int) -> Iterator[int]:
    """Every value an operand may have."""
    bits = [1 << i for i in range(undefined.bit_length()) if undefined >> i & 1]
    for choice in product((0, 1), repeat=len(bits)):
        chosen = sum(bit for bit, is_set in zip(bits, choice, strict=True) if is_set)
        yield value & ~undefined | chosen


def rule_bits(opcode: str, width: int, *operands: Operand) -> int:
    """Undefined bits of the result by the published rules; exact where those are."""
    mask = (1 << width) - 1
    undefined = [bits for _, bits in operands]
    if opcode in ("and", "or", "xor", "icmp eq", "icmp ne", "select"):
        return exact_bits(opcode, width, *operands)
    if opcode in ("add", "sub", "mul"):
        return undefined[0] | undefined[1]
    if opcode.startswith("icmp"):
        return int(any(undefined))
    if undefined[1]:
        return mask
    return compute(opcode, width, undefined[0], operands[1][0]) or 0
