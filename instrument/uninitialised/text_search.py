"""How undefined bits go through the searches of SSE 4.2 in text (pcmpistri and similar).

Elements behind a defined zero, or behind the explicit length, do not matter.  Others do, but for
one case: an index from the low end, found in front of them, by an operation that does not look
ahead.  So a search that reads past the end of what was set is no finding.

    z, s (implicit)   whether one operand has a zero: defined when a defined one is there
    z, s (explicit)   only that operand's length

Source: the Intel manual, volume 2, on the immediate byte and on lengths.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.masked_lanes import either_of, name_of
from irsan.instrument.uninitialised.shadow_types import clean, poisoned
from irsan.instrument.uninitialised.vector_intrinsics import Rule
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.types import Type
from irsan.ir.values import Value

_VECTOR_BITS = 128
_EACH, _ORDERED, _FROM_HIGH, _WORDS = 2, 3, 1 << 6, 1
_IMPLICIT, _EXPLICIT = "llvm.x86.sse42.pcmpistri128", "llvm.x86.sse42.pcmpestri128"


def _text(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    name = name_of(call)
    is_explicit = "pcmpestr" in name
    letter = name.removesuffix("128")[-1]
    if letter in "zs":
        unsure = _end_unsure(scope, call, is_explicit=is_explicit, is_second=letter == "z")
        return scope.at.cast("zext", unsure, kind)
    unsure = _match_unsure(scope, call, letter, is_explicit=is_explicit)
    return scope.at.cast("zext", unsure, kind) if letter in "aco" else scope.spread(unsure, kind)


def _control(call: Call) -> int:
    immediate = call.arguments[-1]
    assert isinstance(immediate, ConstantInt)
    return immediate.unsigned


def _elements(scope: FunctionShadow, call: Call, value: Value) -> Value:
    types, width = scope.module.types, 16 if _control(call) & _WORDS else 8
    kind = types.vector(types.integer(width), _VECTOR_BITS // width)
    return value if value.type is kind else scope.at.cast("bitcast", value, kind)


def _number(scope: FunctionShadow, lanes: Value) -> Value:
    """A vector of i1 as i32, lane 0 lowest."""
    types = scope.module.types
    flat = scope.flat(lanes)
    return scope.at.cast("zext", flat, types.i32)


def _zeros(scope: FunctionShadow, call: Call, value: Value, *, is_sure: bool) -> Value:
    """Which elements are zero for sure, or may be."""
    at = scope.at
    shadow = _elements(scope, call, scope.full(value))
    bits = _elements(scope, call, value)
    mask = shadow if is_sure else at.binary("xor", shadow, poisoned(shadow.type))
    kept = at.binary("or" if is_sure else "and", bits, mask)
    return _number(scope, at.icmp("eq", kept, clean(kept.type)))


def _mattering(scope: FunctionShadow, call: Call, value: Value, length: Value | None) -> Value:
    """i32: a bit for each undefined element in front of the end."""
    at = scope.at
    shadow = _elements(scope, call, scope.full(value))
    undefined = _number(scope, at.icmp("ne", shadow, clean(shadow.type)))
    if length is not None:
        return at.binary("and", undefined, _below(scope, _clipped(scope, call, length)))
    ends = _zeros(scope, call, value, is_sure=True)
    first = at.binary("and", ends, at.binary("sub", at.integer(32, 0), ends))
    return at.binary("and", undefined, at.binary("sub", first, at.integer(32, 1)))


def _clipped(scope: FunctionShadow, call: Call, length: Value) -> Value:
    """A length is read without its sign, and at most a whole vector."""
    at = scope.at
    most = at.integer(32, 8 if _control(call) & _WORDS else 16)
    minus = at.binary("sub", at.integer(32, 0), length)
    size = at.select(at.icmp("slt", length, at.integer(32, 0)), minus, length)
    return at.select(at.icmp("ult", size, most), size, most)


def _below(scope: FunctionShadow, count: Value) -> Value:
    at = scope.at
    return at.binary("sub", at.binary("shl", at.integer(32, 1), count), at.integer(32, 1))


def _end_unsure(
    scope: FunctionShadow, call: Call, *, is_explicit: bool, is_second: bool
) -> Value:
    at, given = scope.at, call.arguments
    if is_explicit:
        return scope.any_bit(scope.full(given[3 if is_second else 1]))
    value = given[1 if is_second else 0]
    zero = at.integer(32, 0)
    sure = at.icmp("eq", _zeros(scope, call, value, is_sure=True), zero)
    return at.binary("and", sure, at.icmp("ne", _zeros(scope, call, value, is_sure=False), zero))


def _match_unsure(scope: FunctionShadow, call: Call, letter: str, *, is_explicit: bool) -> Value:
    at, given = scope.at, call.arguments
    first = _mattering(scope, call, given[0], given[1] if is_explicit else None)
    at_second = 2 if is_explicit else 1
    second = _mattering(scope, call, given[at_second], given[3] if is_explicit else None)
    aggregation = _control(call) >> 2 & 3
    if _is_from_low(call, letter) and aggregation != _ORDERED:
        reached = _reached(scope, call, letter, is_explicit=is_explicit)
        second = at.binary("and", second, reached)
        if aggregation == _EACH:
            first = at.binary("and", first, reached)
    unsure = scope.any_bit(at.binary("or", first, second))
    if not is_explicit:
        return unsure
    lengths = [scope.any_bit(scope.full(given[index])) for index in (1, 3)]
    return either_of(scope, [unsure, *lengths], unsure.type)


def _is_from_low(call: Call, letter: str) -> bool:
    return letter in "aco" or (letter == "i" and not _control(call) & _FROM_HIGH)


def _reached(scope: FunctionShadow, call: Call, letter: str, *, is_explicit: bool) -> Value:
    """i32: the elements that were looked at until the first match; all, when there is none."""
    at = scope.at
    if letter == "o":  # element 0 alone
        return at.integer(32, 1)
    callee = call.operands[0]
    twin = scope.module.declare_function(
        _EXPLICIT if is_explicit else _IMPLICIT, callee.function_type  # type: ignore[attr-defined]
    )
    control = ConstantInt(call.arguments[-1].type, _control(call) & ~_FROM_HIGH)  # type: ignore[arg-type]
    found = at.call(twin, [*call.arguments[:-1], control])
    return _below(scope, at.binary("add", found, at.integer(32, 1)))


TEXT_RULES: Final[dict[str, Rule]] = {"text": _text}
