"""How undefined bits go through vector instructions of x86, and what counts zeros.

    ones        defined when the first 1 is, whatever comes behind it       cttz, ctlz
    signs       the same function of the shadow                             pmovmskb
    packed      an element is undefined when a bit of its source is         packsswb
    products    a product of 0 is defined, whatever the other factor        pmaddwd
    distances   a sum is undefined when one of its bytes has such a bit     psadbw
    horizontal  sums and differences of neighbours                          phadd
    chosen      moved alike; an undefined control leaves its lane undefined pshufb, psllv, vperm
    shifted     moved alike; an undefined distance leaves nothing defined   psll, psrai, pext, bzhi
    blended     an undefined choice: where the two may differ               pblendvb
    tests       one bit that is 1 for sure decides                          ptest
    whole       one undefined bit leaves nothing defined                    crc32

Source: MemorySanitizer's visitor for what these instructions are; the Intel manual, volume 2.
Deviations: products of 0, choices between equal bits, and counts behind a defined 1 are exact.
Soundness: a carry out of an undefined bit is not followed, as in `rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final

from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.rules import as_bits
from irsan.instrument.uninitialised.shadow_types import clean, poisoned
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantAggregate, ConstantInt, ConstantSplat
from irsan.ir.operations import ShuffleVector
from irsan.ir.types import IntegerType, Type, VectorType
from irsan.ir.values import Function, Value

Rule = Callable[[FunctionShadow, Call, Type], Value]
_LANE_BITS = 128  # instructions on wider vectors work on each of these
_SUM_BITS = 16  # of a sum of eight distances between bytes
_SIGNED_TWINS: Final = {
    "llvm.x86.sse2.packuswb.128": "llvm.x86.sse2.packsswb.128",
    "llvm.x86.sse41.packusdw": "llvm.x86.sse2.packssdw.128",
    "llvm.x86.avx2.packuswb": "llvm.x86.avx2.packsswb",
    "llvm.x86.avx2.packusdw": "llvm.x86.avx2.packssdw",
    "llvm.x86.avx512.packuswb.512": "llvm.x86.avx512.packsswb.512",
    "llvm.x86.avx512.packusdw.512": "llvm.x86.avx512.packssdw.512",
}
_CONTROL_BITS: Final = {  # that are looked at, where it is not all of a lane's
    "llvm.x86.ssse3.pshuf.b.128": 0x8F, "llvm.x86.avx2.pshuf.b": 0x8F,
    "llvm.x86.avx.vpermilvar.ps": 3, "llvm.x86.avx.vpermilvar.ps.256": 3,
    "llvm.x86.avx.vpermilvar.pd": 2, "llvm.x86.avx.vpermilvar.pd.256": 2,
    "llvm.x86.avx2.permd": 7, "llvm.x86.avx2.permps": 7,
}  # fmt: skip


def _ones(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    at, value = scope.at, call.arguments[0]
    shadow = scope.full(value)
    surely = at.binary("and", value, _not(scope, shadow))
    maybe = at.binary("or", value, shadow)
    no = ConstantInt(scope.module.types.i1, 0)
    first, last = (at.call(call.operands[0], [bits, no]) for bits in (surely, maybe))
    return scope.spread(at.icmp("ne", first, last), kind)


def _signs(scope: FunctionShadow, call: Call, _: Type) -> Value:
    return _of_shadow(scope, call)


def _packed(scope: FunctionShadow, call: Call, _: Type) -> Value:
    callee = call.operands[0]
    assert isinstance(callee, Function)
    twin = _SIGNED_TWINS.get(callee.name)
    if twin is not None:  # an unsigned one makes 0 of all ones
        callee = scope.module.declare_function(twin, callee.function_type)
    lanes = [scope.all_or_nothing(one, one.type) for one in map(scope.full, call.arguments)]
    return scope.at.call(callee, lanes)


def _products(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    at = scope.at
    undefined, nonzero = [], []
    for value in call.arguments:
        shadow = scope.full(value)
        undefined.append(at.icmp("ne", shadow, clean(shadow.type)))
        nonzero.append(at.icmp("ne", at.binary("or", value, shadow), clean(shadow.type)))
    parts: list[Value] = [at.binary("and", undefined[one], nonzero[1 - one]) for one in (0, 1)]
    lanes = at.cast("sext", _or(scope, parts), call.arguments[0].type)
    return scope.all_or_nothing(at.cast("bitcast", lanes, kind), kind)


def _distances(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    at = scope.at
    both = _or(scope, [scope.full(one) for one in call.arguments])
    sums = scope.all_or_nothing(at.cast("bitcast", both, kind), kind)
    return at.binary("lshr", sums, _splat(kind, 64 - _SUM_BITS))


def _horizontal(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    assert isinstance(kind, VectorType)
    per_lane = _LANE_BITS * kind.count // scope.types.size_bits(kind)
    neighbours: list[Value] = []
    for odd in (0, 1):
        lanes = [
            source * kind.count + lane + 2 * pair + odd
            for lane in range(0, kind.count, per_lane)
            for source in (0, 1)
            for pair in range(per_lane // 2)
        ]
        neighbours.append(_shuffled(scope, call, lanes))
    found = _or(scope, neighbours)
    return found if call.type is kind else scope.all_or_nothing(found, kind)


def _shuffled(scope: FunctionShadow, call: Call, lanes: list[int]) -> Value:
    types = scope.module.types
    mask = ConstantAggregate(
        types.vector(types.i32, len(lanes)), [ConstantInt(types.i32, lane) for lane in lanes]
    )
    left, right = (scope.full(one) for one in call.arguments)
    made = ShuffleVector(left.type, left, right, mask)
    made.debug_location = scope.at.debug_location
    scope.out.append(made)
    return made


def _chosen(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    moved, control = _of_shadow(scope, call), scope.shadow(call.arguments[1])
    if control is None:
        return moved
    callee = call.operands[0]
    heeded = _CONTROL_BITS.get(callee.name) if isinstance(callee, Function) else None
    if heeded is not None:
        control = scope.at.binary("and", control, _splat(control.type, heeded))
    return scope.at.binary("or", moved, scope.all_or_nothing(control, kind))


def _shifted(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    moved, distance = _of_shadow(scope, call), scope.shadow(call.arguments[1])
    if distance is None:
        return moved
    at, types = scope.at, scope.module.types
    if isinstance(distance.type, VectorType):  # its lower half is read
        pair = at.cast("bitcast", distance, types.vector(types.i64, 2))
        distance = at.extract_element(pair, at.integer(64, 0))
    return at.binary("or", moved, scope.spread(scope.any_bit(distance), kind))


def _blended(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    at = scope.at
    first, second, mask = (as_bits(scope.at, one, kind) for one in call.arguments)
    shadows = [scope.full(one) for one in call.arguments]
    moved = at.select(at.icmp("slt", mask, clean(kind)), shadows[1], shadows[0])
    parts: list[Value] = [at.binary("xor", first, second), *shadows[:2]]
    unsure = _or(scope, parts)
    return at.select(at.icmp("slt", shadows[2], clean(kind)), unsure, moved)


def _tests(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """1 when a & b, or ~a & b, has no bit, or when both have some."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    is_inverted = {"ptestz": [False], "ptestc": [True]}.get(callee.name.split(".")[3])
    unsure = [_test(scope, call, one) for one in is_inverted or (False, True)]
    return scope.at.cast("zext", _or(scope, unsure), kind)


def _test(scope: FunctionShadow, call: Call, is_inverted: bool) -> Value:
    at = scope.at
    (left, right), shadows = call.arguments, list(map(scope.full, call.arguments))
    if is_inverted:
        left = _not(scope, left)
    pairs = list(zip((left, right), shadows, strict=True))
    maybe = [at.binary("or", value, shadow) for value, shadow in pairs]
    surely = [at.binary("and", value, _not(scope, shadow)) for value, shadow in pairs]
    may_be = scope.any_bit(at.binary("and", maybe[0], maybe[1]))
    surely_is = scope.any_bit(at.binary("and", surely[0], surely[1]))
    return at.binary("and", may_be, at.icmp("eq", surely_is, at.integer(1, 0)))


def _whole(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    shadows = [scope.shadow(one) for one in call.arguments]
    return scope.spread(_or(scope, [scope.any_bit(one) for one in shadows if one]), kind)


def _of_shadow(scope: FunctionShadow, call: Call) -> Value:
    """The instruction with shadow for its first argument, as a shadow."""
    first, *others = call.arguments
    kind = scope.types.of(call.type)
    assert kind is not None
    bits = _as_value(scope, scope.full(first), first.type)
    return _as_value(scope, scope.at.call(call.operands[0], [bits, *others]), kind)


def _as_value(scope: FunctionShadow, bits: Value, kind: Type) -> Value:
    return bits if bits.type is kind else scope.at.cast("bitcast", bits, kind)


def _or(scope: FunctionShadow, parts: list[Value]) -> Value:
    return reduce(lambda left, right: scope.at.binary("or", left, right), parts)


def _not(scope: FunctionShadow, value: Value) -> Value:
    return scope.at.binary("xor", value, poisoned(value.type))


def _splat(kind: Type, number: int) -> Value:
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    return ConstantSplat(kind, ConstantInt(kind.element, number))


VECTOR_RULES: Final[dict[str, Rule]] = {
    "ones": _ones, "signs": _signs, "packed": _packed, "products": _products,
    "distances": _distances, "horizontal": _horizontal, "chosen": _chosen, "shifted": _shifted,
    "blended": _blended, "tests": _tests, "whole": _whole,
}  # fmt: skip
