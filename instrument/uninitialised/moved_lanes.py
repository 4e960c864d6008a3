"""How undefined bits go through instructions of x86 that move, mark or count lanes.

    moved, cut           the instruction moves the shadow itself        insertps, vpmovdb
    two_sources ...      moved alike; an undefined control leaves its lane undefined    vpermt2d
    packed_by_mask       moved alike; an undefined mask leaves nothing defined          vpcompressd
    logic                exact: whether both a 0 and a 1 can come out                   vpternlog
    marked               run with a mark where bits are undefined: where does it arrive vmpsadbw
    conflicts            a bit compares two lanes                                       vpconflictd

Source: the Intel manual, volume 2.  Marks are ours: of sums and products of positive numbers
nothing cancels out, so a mark arrives wherever an operand can.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.masked_lanes import (
    as_many,
    either_of,
    is_set,
    lanes_of_mask,
    name_of,
    parts_of,
    shuffled,
    with_lane,
)
from irsan.instrument.uninitialised.shadow_types import clean, poisoned
from irsan.instrument.uninitialised.vector_intrinsics import Rule
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantAggregate, ConstantInt, ConstantSplat
from irsan.ir.types import IntegerType, Type, VectorType
from irsan.ir.values import Value

_ONE_AS_FLOAT = {32: 0x3F800000, 64: 0x3FF0000000000000}
_FIELD = 0x3F  # of a control of extrq: a length, and in the next byte a place


def called(scope: FunctionShadow, call: Call, shadows: dict[int, Value]) -> Value:
    """The instruction with shadow for some of its operands, as a shadow."""
    given = list(call.arguments)
    for index, bits in shadows.items():
        own = given[index].type
        given[index] = bits if bits.type is own else scope.at.cast("bitcast", bits, own)
    kind = scope.types.of(call.type)
    assert kind is not None
    made = scope.at.call(call.operands[0], given)
    return made if made.type is kind else scope.at.cast("bitcast", made, kind)


def splat(kind: Type, number: int) -> Value:
    """A vector of one number."""
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    return ConstantSplat(kind, ConstantInt(kind.element, number))


def _moved(scope: FunctionShadow, call: Call, _: Type) -> Value:
    bits = {call.arguments.index(one): scope.full(one) for one in parts_of(call).sources}
    return called(scope, call, bits)


def _cut(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    source, passing, mask = call.arguments
    found = called(scope, call, {0: scope.full(source), 1: scope.full(passing)})
    unsure = scope.shadow(mask)
    if unsure is None:
        return found
    assert isinstance(kind, VectorType) and isinstance(source.type, VectorType)
    filled = as_many(scope, lanes_of_mask(scope, unsure, source.type.count), kind.count)
    return scope.at.binary("or", found, scope.spread(filled, kind))


def _packed_by_mask(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    source, passing, mask = call.arguments
    found = called(scope, call, {0: scope.full(source), 1: scope.full(passing)})
    unsure = scope.shadow(mask)
    if unsure is None:
        return found
    return scope.at.binary("or", found, scope.spread(scope.any_bit(unsure), kind))


def _controlled(
    scope: FunctionShadow, call: Call, moving: tuple[int, ...], control: int, heeded: int
) -> Value:
    """Operands move as the control says, of which the bits `heeded` are looked at."""
    found = called(scope, call, {index: scope.full(call.arguments[index]) for index in moving})
    unsure = scope.shadow(call.arguments[control])
    if unsure is None:
        return found
    unsure = scope.at.binary("and", unsure, splat(unsure.type, heeded))
    return scope.at.binary("or", found, scope.all_or_nothing(unsure, found.type))


def _chosen(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    name, heeded = name_of(call), (1 << kind.element.width) - 1
    if ".permvar." in name:
        heeded = kind.count - 1
    elif ".vpermilvar." in name:
        heeded = 3 if ".ps." in name else 2
    elif ".pshuf.b" in name:
        heeded = 0x8F
    return _controlled(scope, call, (0,), 1, heeded)


def _two_sources(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    assert isinstance(kind, VectorType)
    return _controlled(scope, call, (0, 2), 1, 2 * kind.count - 1)


def _multishift(scope: FunctionShadow, call: Call, _: Type) -> Value:
    return _controlled(scope, call, (1,), 0, _FIELD)


def _bits_chosen(scope: FunctionShadow, call: Call, _: Type) -> Value:
    return _controlled(scope, call, (0,), 1, _FIELD)


def _extracted(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    found = called(scope, call, {0: scope.full(call.arguments[0])})
    return _where_placed(scope, found, scope.full(call.arguments[1]), 0, kind)


def _inserted(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    first, second = call.arguments
    bits = shuffled(scope, scope.full(second), second, [0, 3])
    found = called(scope, call, {0: scope.full(first), 1: bits})
    return _where_placed(scope, found, scope.full(second), 1, kind)


def _where_placed(
    scope: FunctionShadow, found: Value, control: Value, half: int, kind: Type
) -> Value:
    """All of the lower half, the upper one of which nothing is said, is undefined by a control."""
    at, types = scope.at, scope.module.types
    pair = control if control.type is kind else at.cast("bitcast", control, kind)
    word = at.extract_element(pair, at.integer(64, half))
    unsure = scope.any_bit(at.binary("and", word, ConstantInt(types.i64, _FIELD | _FIELD << 8)))
    return at.binary("or", found, scope.spread(unsure, kind))


def _logic(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """The immediate is a table of eight results."""
    at, table = scope.at, call.arguments[3]
    assert isinstance(table, ConstantInt)
    can_be: list[list[Value]] = []
    for value in call.arguments[:3]:
        bits, shadow = value, scope.full(value)
        inverted = at.binary("xor", bits, poisoned(kind))
        can_be.append([at.binary("or", one, shadow) for one in (inverted, bits)])
    results: list[list[Value]] = [[], []]
    for row in range(8):
        first, second, third = (can_be[n][row >> (2 - n) & 1] for n in range(3))
        both = at.binary("and", at.binary("and", first, second), third)
        results[table.unsigned >> row & 1].append(both)
    no, yes = (either_of(scope, one, kind) for one in results)
    return at.binary("and", no, yes)


def _marked(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    name = name_of(call)
    found: Value = clean(kind)
    for index, other in ((0, 1), (1, 0)):
        shadow = scope.full(call.arguments[index])
        mark, beside = _marks(name, shadow.type)
        bits = scope.at.select(is_set(scope, shadow), mark, clean(shadow.type))
        arrived = called(scope, call, {index: bits, other: beside})
        if "pclmul" in name:  # a product is as wide as two lanes
            arrived = _over_pairs(scope, arrived)
        found = scope.at.binary("or", found, scope.all_or_nothing(arrived, kind))
    return found


def _marks(name: str, kind: Type) -> tuple[Value, Value]:
    """A mark, and what the other operand is to be so that it arrives."""
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    if "sadbw" in name:
        return splat(kind, 1), clean(kind)
    one = 1 if "pclmul" in name else _ONE_AS_FLOAT[kind.element.width]
    return splat(kind, one), splat(kind, one)


def _over_pairs(scope: FunctionShadow, arrived: Value) -> Value:
    assert isinstance(arrived.type, VectorType)
    lanes = [lane & ~1 for lane in range(arrived.type.count)]
    return shuffled(scope, arrived, arrived, lanes)


def _conflicts(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """Bit j of lane i, j < i, compares the two lanes."""
    at, types = scope.at, scope.module.types
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    lanes = is_set(scope, scope.full(call.arguments[0]))
    number = at.cast("bitcast", lanes, types.integer(kind.count))
    one = at.cast("zext", number, kind.element)
    first = with_lane(scope, clean(kind), one, 0)
    others = shuffled(scope, first, first, [0] * kind.count)
    before = [ConstantInt(kind.element, (1 << lane) - 1) for lane in range(kind.count)]
    either = at.binary("or", scope.spread(lanes, kind), others)
    return at.binary("and", either, ConstantAggregate(kind, before))


def _intersection(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """A lane of one operand is looked for in all of the other."""
    at = scope.at
    found: Value = clean(kind)
    lanes = [is_set(scope, scope.full(one)) for one in call.arguments]
    for index in (0, 1):
        of_other = scope.spread(scope.any_bit(lanes[1 - index]), lanes[index].type)
        found = at.insert_value(found, at.binary("or", lanes[index], of_other), [index])
    return found


def _minimum(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """The least number, and in three bits where it is; the rest is 0."""
    unsure = scope.spread(scope.any_bit(scope.full(call.arguments[0])), kind)
    assert isinstance(kind, VectorType)
    numbers = [0xFFFF, 7, *[0] * (kind.count - 2)]
    read = [ConstantInt(scope.module.types.integer(16), number) for number in numbers]
    return scope.at.binary("and", unsure, ConstantAggregate(kind, read))


def _carry(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """{ carry, sum }: as elsewhere, carries inside of a sum are not followed."""
    at, types = scope.at, scope.module.types
    carry, first, second = (scope.full(one) for one in call.arguments)
    total = at.binary("or", first, second)
    unsure = at.binary("or", scope.any_bit(carry), scope.any_bit(total))
    total = at.binary("or", total, at.cast("zext", scope.any_bit(carry), total.type))
    found = at.insert_value(clean(kind), at.cast("zext", unsure, types.i8), [0])
    return at.insert_value(found, total, [1])


def _sign_tests(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    """1 when a & b, or ~a & b, has no sign, or when both have some."""
    name = name_of(call)
    inverted = (False,) if "testz" in name else (True,) if "testc" in name else (False, True)
    unsure = [_sign_test(scope, call, is_inverted) for is_inverted in inverted]
    found = either_of(scope, unsure, scope.module.types.i1)
    return scope.at.cast("zext", found, kind)


def _sign_test(scope: FunctionShadow, call: Call, is_inverted: bool) -> Value:
    at = scope.at
    pairs = [(_signs(scope, one), _signs(scope, scope.full(one))) for one in call.arguments]
    if is_inverted:
        value, shadow = pairs[0]
        pairs[0] = at.binary("xor", value, poisoned(value.type)), shadow
    maybe = [at.binary("or", *pair) for pair in pairs]
    surely = [at.binary("and", v, at.binary("xor", s, poisoned(s.type))) for v, s in pairs]
    may_be = scope.any_bit(at.binary("and", maybe[0], maybe[1]))
    surely_is = scope.any_bit(at.binary("and", surely[0], surely[1]))
    return at.binary("and", may_be, at.icmp("eq", surely_is, at.integer(1, 0)))


def _signs(scope: FunctionShadow, value: Value) -> Value:
    kind = scope.types.of(value.type)
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    if kind.element.width == 1:
        return value
    bits = value if value.type is kind else scope.at.cast("bitcast", value, kind)
    return scope.at.icmp("slt", bits, clean(kind))


MOVED_RULES: Final[dict[str, Rule]] = {
    "moved": _moved, "cut": _cut, "packed_by_mask": _packed_by_mask, "chosen_widely": _chosen,
    "two_sources": _two_sources, "multishift": _multishift, "bits_chosen": _bits_chosen,
    "extracted": _extracted, "inserted": _inserted, "logic": _logic, "marked": _marked,
    "conflicts": _conflicts, "intersection": _intersection, "minimum": _minimum,
    "carry": _carry, "sign_tests": _sign_tests,
}  # fmt: skip
