"""Value ranges: the least and the greatest number that an integer of the IR can be.

    zext i1 %c to i64          0..1             and i32 %x, 7        0..7
    select %c, i64 16, 24      16..24           urem i64 %x, 10      0..9

    signed_range(value)        (least, greatest), read as signed; the type's own bounds when unknown

Source: the LLVM Language Reference, "Binary Operations"; interval arithmetic as in Cousot, Cousot,
"Static Determination of Dynamic Properties of Programs" (1976).
Deviations: nothing is propagated around loops: a phi can be anything.
Soundness: for values that are not poison; an address computed from poison is undefined anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from irsan.ir.constants import ConstantInt
from irsan.ir.operations import BinaryOp, Cast, Select
from irsan.ir.types import IntegerType
from irsan.ir.values import Value

MAX_DEPTH = 6


class Range(NamedTuple):
    """All whole numbers from `lo` to `hi`, both included."""

    lo: int
    hi: int


def signed_range(value: Value, depth: int = MAX_DEPTH) -> Range | None:
    """What `value` can be, read as signed; None for what is no scalar integer."""
    kind = value.type
    if not isinstance(kind, IntegerType):
        return None
    if isinstance(value, ConstantInt):
        number = value.value if kind.width > 1 else -value.value
        return Range(number, number)
    bounds = _bounds(kind.width)
    found = _derived(value, depth - 1) if depth else None
    return found if found is not None and _holds(bounds, found) else bounds


def _bounds(width: int) -> Range:
    return Range(-(1 << (width - 1)), (1 << (width - 1)) - 1)


def _holds(outer: Range, inner: Range) -> bool:
    return outer.lo <= inner.lo and inner.hi <= outer.hi


def _derived(value: Value, depth: int) -> Range | None:
    if isinstance(value, Cast):
        return _of_cast(value, depth)
    if isinstance(value, Select):
        return _union(
            signed_range(value.operands[1], depth), signed_range(value.operands[2], depth)
        )
    if not isinstance(value, BinaryOp) or value.opcode not in _OPERATIONS:
        return None
    left, right = (signed_range(operand, depth) for operand in value.operands)
    if left is None or right is None:
        return None
    return _OPERATIONS[value.opcode](left, right, _width(value))


def _width(operation: BinaryOp) -> int:
    """Bits of the operands of an integer operation."""
    kind = operation.type
    assert isinstance(kind, IntegerType)
    return kind.width


def _union(one: Range | None, other: Range | None) -> Range | None:
    if one is None or other is None:
        return None
    return Range(min(one.lo, other.lo), max(one.hi, other.hi))


def _of_cast(cast: Cast, depth: int) -> Range | None:
    operand = signed_range(cast.operands[0], depth)
    if operand is None or cast.opcode not in ("sext", "zext", "trunc"):
        return None
    kind = cast.operands[0].type
    if cast.opcode == "zext" and operand.lo < 0:
        assert isinstance(kind, IntegerType)
        return Range(0, (1 << kind.width) - 1)
    return operand  # a truncated one that does not fit is refused by `signed_range`


def _product(left: Range, right: Range, _width: int) -> Range:
    ends = [a * b for a in left for b in right]
    return Range(min(ends), max(ends))


def _shifted_left(left: Range, right: Range, width: int) -> Range | None:
    if right.lo != right.hi or not 0 <= right.lo < width:
        return None
    return Range(left.lo << right.lo, left.hi << right.lo)


def _shifted_right(left: Range, right: Range, width: int) -> Range | None:
    if right.lo != right.hi or not 0 <= right.lo < width:
        return None
    return Range(left.lo >> right.lo, left.hi >> right.lo)


def _logically_shifted(left: Range, right: Range, width: int) -> Range | None:
    if left.lo < 0:
        left = Range(0, (1 << width) - 1)
    return _shifted_right(left, right, width)


def _common_bits(left: Range, right: Range, _width: int) -> Range | None:
    ends = [one.hi for one in (left, right) if one.lo >= 0]
    return Range(0, min(ends)) if ends else None


def _any_bits(left: Range, right: Range, _width: int) -> Range | None:
    if left.lo < 0 or right.lo < 0:
        return None
    return Range(0, (1 << max(left.hi, right.hi).bit_length()) - 1)


def _remainder(left: Range, right: Range, _width: int) -> Range | None:
    """Unsigned; a divisor of 0 is undefined."""
    if right.lo < 0:
        return None
    greatest = max(right.hi - 1, 0)
    return Range(0, min(left.hi, greatest) if left.lo >= 0 else greatest)


_OPERATIONS: dict[str, Callable[[Range, Range, int], Range | None]] = {
    "add": lambda a, b, _: Range(a.lo + b.lo, a.hi + b.hi),
    "sub": lambda a, b, _: Range(a.lo - b.hi, a.hi - b.lo),
    "mul": _product,
    "shl": _shifted_left,
    "lshr": _logically_shifted,
    "ashr": _shifted_right,
    "and": _common_bits,
    "or": _any_bits,
    "xor": _any_bits,
    "urem": _remainder,
}
