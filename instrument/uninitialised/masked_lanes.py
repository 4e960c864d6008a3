"""How undefined bits go through instructions of x86 that work lane by lane, under a mask.

    masked      one undefined bit of a lane leaves nothing of it defined    avx512.mask.getexp.ps
    scalar      the same for lane 0; the others are those of one operand    avx512.mask.add.ss
    low ...     only lane 0 is read; a number, a flag or a bit comes out    cvtss2si, comieq
    grouped     lanes are sums over narrower lanes                          vpdpbusd
    joined      two sources, each to one half                               cvtne2ps2bf16

A lane that is off has the bits of what passes through, or none; where the bit of the mask is not
defined, nothing of its lane is.  Lanes without a source hold zeros.

Source: the Intel manual, volume 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.instrument.uninitialised.vector_intrinsics import Rule
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantAggregate, ConstantInt
from irsan.ir.operations import InsertElement, ShuffleVector
from irsan.ir.types import IntegerType, Type, VectorType
from irsan.ir.values import Function, Value

_KEEP_FIRST = ("fixupimm",)  # their first operand passes through, too
_KEEP_LAST = ("vfmadd.c", "vfcmadd.c")  # as the addend does of complex halves
_NO_PASSING = (".cmp.", ".fpclass.")  # a lane that is off gives 0
_UNMARKED = (".rcp14.", ".rsqrt14.")  # have a mask that their name does not show
_OF_SECOND = (
    "sqrt", "getexp", "getmant", "rcp", "rndscale", "reduce", "cvt", "round.s",
)  # fmt: skip
_ABOVE_SECOND = ("fixupimm",)  # upper lanes come from their second operand
_ABOVE_EITHER = (".csh",)  # LLVM swaps the factors: upper lanes come from one of them


@dataclass(frozen=True, slots=True)
class Parts:
    """What the operands of a call are: those that are computed with, what passes through, mask."""

    sources: list[Value]
    passing: Value | None = None
    mask: Value | None = None


def name_of(call: Call) -> str:
    """The intrinsic's name."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    return callee.name


def parts_of(call: Call) -> Parts:
    """Operands of a call by what they are for; immediate ones are left out."""
    name, callee = name_of(call), call.operands[0]
    assert isinstance(callee, Function)
    given = [
        argument
        for index, argument in enumerate(call.arguments)
        if find_attribute(callee.attributes.parameter(index), "immarg") is None
    ]
    if not any(one in name for one in (".mask.", ".maskz.", *_UNMARKED)):
        return Parts(given)
    mask = given.pop()
    if ".maskz." in name or any(one in name for one in _NO_PASSING):
        return Parts(given, None, mask)
    if any(one in name for one in _KEEP_FIRST):
        return Parts(given, given[0], mask)
    passing = given[-1] if any(one in name for one in _KEEP_LAST) else given.pop()
    return Parts(given, passing, mask)


def shuffled(scope: FunctionShadow, left: Value, right: Value, lanes: list[int]) -> Value:
    """Lanes of two vectors, those of the second one behind those of the first."""
    types = scope.module.types
    assert isinstance(left.type, VectorType)
    mask = ConstantAggregate(
        types.vector(types.i32, len(lanes)), [ConstantInt(types.i32, lane) for lane in lanes]
    )
    made = ShuffleVector(types.vector(left.type.element, len(lanes)), left, right, mask)
    made.debug_location = scope.at.debug_location
    scope.out.append(made)
    return made


def with_lane(scope: FunctionShadow, vector: Value, lane: Value, index: int) -> Value:
    """A vector with one lane replaced."""
    made = InsertElement(vector, lane, scope.at.integer(64, index))
    made.debug_location = scope.at.debug_location
    scope.out.append(made)
    return made


def as_many(scope: FunctionShadow, vector: Value, count: int) -> Value:
    """The first lanes of a vector, zeros behind them."""
    assert isinstance(vector.type, VectorType)
    n_given = vector.type.count
    if n_given == count:
        return vector
    lanes = [min(lane, n_given) for lane in range(count)]
    return shuffled(scope, vector, clean(vector.type), lanes)


def is_set(scope: FunctionShadow, shadow: Value) -> Value:
    """Which lanes of a shadow have a bit."""
    return scope.at.icmp("ne", shadow, clean(shadow.type))


def either_of(scope: FunctionShadow, parts: list[Value], kind: Type) -> Value:
    """Bits set in any of some shadows."""
    found: Value = clean(kind)
    for part in parts:
        found = scope.at.binary("or", found, part)
    return found


def lanes_of_mask(scope: FunctionShadow, mask: Value, count: int) -> Value:
    """The first bits of a mask, an integer or a vector of bits, as a vector."""
    at, types = scope.at, scope.module.types
    if isinstance(mask.type, IntegerType):
        bits = mask if mask.type.width == count else _resized(scope, mask, count)
        return at.cast("bitcast", bits, types.vector(types.i1, count))
    return as_many(scope, mask, count)


def _resized(scope: FunctionShadow, mask: Value, count: int) -> Value:
    assert isinstance(mask.type, IntegerType)
    opcode = "trunc" if mask.type.width > count else "zext"
    return scope.at.cast(opcode, mask, scope.module.types.integer(count))


def under_mask(scope: FunctionShadow, found: Value, parts: Parts) -> Value:
    """A shadow by lanes where the mask is on, that of what passes through where it is off."""
    mask, kind = parts.mask, found.type
    if mask is None:
        return found
    assert isinstance(kind, VectorType)
    off = clean(kind) if parts.passing is None else scope.full(parts.passing)
    chosen = scope.at.select(lanes_of_mask(scope, mask, kind.count), found, off)
    unsure = scope.shadow(mask)
    if unsure is None:
        return chosen
    spread = scope.spread(lanes_of_mask(scope, unsure, kind.count), kind)
    return scope.at.binary("or", chosen, spread)


def _masked(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    parts = parts_of(call)
    shadows = [scope.full(one) for one in parts.sources]
    if not isinstance(kind, VectorType):
        spread = [scope.all_or_nothing(one, kind) for one in shadows]
        return either_of(scope, spread, kind)
    vectors = [one.type for one in shadows if isinstance(one.type, VectorType)]
    n_filled = min([kind.count, *[one.count for one in vectors]])
    found = [as_many(scope, is_set(scope, one), kind.count) for one in shadows]
    bits = either_of(scope, found, found[0].type)
    masked = under_mask(scope, scope.spread(bits, kind), parts)
    return as_many(scope, as_many(scope, masked, n_filled), kind.count)


def _scalar(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    parts, name = parts_of(call), name_of(call)
    sources = parts.sources
    above = _above_lane_0(scope, sources, name)
    if len(sources) > 1 and any(one in name for one in _OF_SECOND):
        sources = sources[1:]
    found = either_of(scope, [_low_bit(scope, one) for one in sources], scope.module.types.i1)
    assert isinstance(kind, VectorType)
    lane = _lane_under_mask(scope, scope.spread(found, kind.element), parts)
    return with_lane(scope, above, lane, 0)


def _above_lane_0(scope: FunctionShadow, sources: list[Value], name: str) -> Value:
    if any(name.endswith(one) for one in _ABOVE_EITHER):
        return scope.at.binary("or", scope.full(sources[0]), scope.full(sources[1]))
    above = sources[1] if any(one in name for one in _ABOVE_SECOND) else sources[0]
    return scope.full(above)


def _lane_under_mask(scope: FunctionShadow, lane: Value, parts: Parts) -> Value:
    at, mask = scope.at, parts.mask
    if mask is None:
        return lane
    off: Value = clean(lane.type)
    if parts.passing is not None:
        off = at.extract_element(scope.full(parts.passing), at.integer(64, 0))
    chosen = at.select(_first_bit(scope, mask), lane, off)
    unsure = scope.spread(_first_bit(scope, scope.full(mask)), lane.type)
    return at.binary("or", chosen, unsure)


def _first_bit(scope: FunctionShadow, mask: Value) -> Value:
    return scope.at.cast("trunc", mask, scope.module.types.i1)


def _low_bit(scope: FunctionShadow, source: Value) -> Value:
    """i1: whether lane 0, or a number, has an undefined bit."""
    shadow = scope.full(source)
    if isinstance(shadow.type, VectorType):
        shadow = scope.at.extract_element(shadow, scope.at.integer(64, 0))
    return scope.any_bit(shadow)


def _low_bits(scope: FunctionShadow, parts: Parts) -> Value:
    return either_of(
        scope, [_low_bit(scope, one) for one in parts.sources], scope.module.types.i1
    )


def _low(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    return scope.spread(_low_bits(scope, parts_of(call)), kind)


def _low_flag(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    return scope.at.cast("zext", _low_bits(scope, parts_of(call)), kind)


def _low_mask(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    parts = parts_of(call)
    lane = _lane_under_mask(scope, _low_bits(scope, parts), parts)
    return scope.at.cast("zext", lane, kind)


def _grouped(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    shadows = [scope.full(one) for one in call.arguments]
    alike = [one if one.type is kind else scope.at.cast("bitcast", one, kind) for one in shadows]
    return scope.all_or_nothing(either_of(scope, alike, kind), kind)


def _joined(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """The second source is the lower half."""
    parts = parts_of(call)
    assert isinstance(kind, VectorType)
    high, low = (is_set(scope, scope.full(one)) for one in parts.sources)
    both = shuffled(scope, low, high, list(range(kind.count)))
    return under_mask(scope, scope.spread(both, kind), parts)


LANE_RULES: Final[dict[str, Rule]] = {
    "masked": _masked, "scalar": _scalar, "low": _low, "low_flag": _low_flag,
    "low_mask": _low_mask, "grouped": _grouped, "joined": _joined,
}  # fmt: skip
