"""How instructions that compute carry undefined bits from operands to results.

    and, or       exact: a defined 0 (or 1) of the other side decides the bit
    xor, add, sub, fadd, fneg ...    the bits of both sides
    mul           by a constant: shifted by its trailing zeros
    shl, lshr, ashr                  shifted alike; an undefined distance leaves nothing defined
    division      the bits of the dividend; the divisor is checked
    icmp eq, ne   exact: two defined bits that differ decide
    icmp x < 0 and its like          the sign bit
    other compares, conversions of floating point     one undefined bit leaves nothing defined
    select        the bits of the chosen value; an undefined choice: where the two may differ

Source: MemorySanitizer's visitor in LLVM.
Deviations: a converted floating-point value is undefined as a whole when any bit was, so that the
width of a conversion loses nothing.
Soundness: a carry out of an undefined bit is not followed (as in the original), so a sum's higher
bits may be missed, and a product's.
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.instrument.uninitialised.function_shadow import OWN, FunctionShadow
from irsan.instrument.uninitialised.shadow_types import clean, is_simple, poisoned
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt, ConstantNull
from irsan.ir.instruction import Instruction
from irsan.ir.memory import GetElementPtr
from irsan.ir.operations import (
    Compare,
    ExtractElement,
    ExtractValue,
    InsertElement,
    InsertValue,
    Select,
    ShuffleVector,
)
from irsan.ir.types import IntegerType, PointerType, Type, VectorType
from irsan.ir.values import Value

Rule = Callable[[FunctionShadow, Instruction, Type], Value | None]


def computed_shadow(scope: FunctionShadow, instruction: Instruction) -> Value | None:
    """Appends the code for the shadow of a result; None when no bit of it can be set."""
    kind = scope.types.of(instruction.type)
    rule = _RULES.get(instruction.opcode)
    if kind is None or rule is None:
        return None
    return rule(scope, instruction, kind)


def _both(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    return scope.either(*[scope.shadow(operand) for operand in instruction.operands[:2]])


def _copy(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    return scope.shadow(instruction.operands[0])


def _and_or(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    """and: S1 & S2 | V1 & S2 | S1 & V2; or: the same with ~V."""
    left, right = instruction.operands
    shadows = scope.shadow(left), scope.shadow(right)
    found: Value | None = None
    if shadows[0] is not None and shadows[1] is not None:
        found = scope.at.binary("and", shadows[0], shadows[1])
    for value, shadow in ((right, shadows[0]), (left, shadows[1])):
        if shadow is None:
            continue
        if instruction.opcode == "or":
            value = scope.at.binary("xor", value, poisoned(value.type))
        found = scope.either(found, scope.at.binary("and", value, shadow))
    return found


def _product(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    left, right = instruction.operands
    if isinstance(left, ConstantInt):
        left, right = right, left
    shadow = scope.shadow(left)
    if not isinstance(right, ConstantInt) or shadow is None:
        return _both(scope, instruction, kind)
    number = right.unsigned
    if not number:
        return None
    n_zeros = (number & -number).bit_length() - 1
    if not n_zeros or not isinstance(kind, IntegerType):
        return shadow
    return scope.at.binary("shl", shadow, ConstantInt(kind, n_zeros))


def _shift(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    value, distance = instruction.operands
    shadow, other = scope.shadow(value), scope.shadow(distance)
    moved = None
    if shadow is not None:
        moved = scope.at.binary(instruction.opcode, shadow, distance)
    return scope.either(moved, None if other is None else scope.all_or_nothing(other, kind))


def _cast(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    shadow = scope.shadow(instruction.operands[0])
    if shadow is None:
        return None
    opcode = instruction.opcode
    if opcode in ("trunc", "zext", "sext"):
        return scope.at.cast(opcode, shadow, kind)
    if opcode == "bitcast":
        return shadow if shadow.type is kind else scope.at.cast("bitcast", shadow, kind)
    if opcode in ("ptrtoint", "inttoptr", "addrspacecast", "ptrtoaddr"):
        return resized(scope, shadow, kind)
    return scope.all_or_nothing(shadow, kind)


def resized(scope: FunctionShadow, shadow: Value, kind: Type) -> Value:
    """A shadow as one of another width: cut off or extended with defined bits."""
    if shadow.type is kind:
        return shadow
    is_vector = isinstance(kind, VectorType)
    if isinstance(shadow.type, VectorType) != is_vector or not is_simple(shadow.type):
        return scope.all_or_nothing(shadow, kind)
    wider = scope.types.size_bits(kind) > scope.types.size_bits(shadow.type)
    return scope.at.cast("zext" if wider else "trunc", shadow, kind)


def _compare(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    assert isinstance(instruction, Compare)
    left, right = instruction.operands
    both = scope.either(scope.shadow(left), scope.shadow(right))
    if both is None:
        return None
    if instruction.opcode == "icmp" and instruction.predicate in ("eq", "ne"):
        if isinstance(both.type, IntegerType):
            scope.doubts[instruction] = both, lambda at: _equality(left, right, both, at)
        return _equality(left, right, both, scope.at)
    if instruction.opcode == "icmp" and _is_sign_test(instruction):
        return scope.at.icmp("slt", both, clean(both.type))
    return scope.all_or_nothing(both, kind)


def _equality(left: Value, right: Value, both: Value, at: Builder) -> Value:
    """Undefined unless two defined bits differ: (S != 0) & ((V1 ^ V2) & ~S == 0)."""
    kind = both.type
    first, second = as_bits(at, left, kind), as_bits(at, right, kind)
    differing = at.binary("xor", first, second)
    defined = at.binary("and", differing, at.binary("xor", both, poisoned(kind)))
    zero = clean(kind)
    return at.binary("and", at.icmp("ne", both, zero), at.icmp("eq", defined, zero))


def _is_sign_test(compare: Compare) -> bool:
    """Whether only the sign bit of the left side decides: x < 0, x >= 0, x > -1, x <= -1."""
    right = compare.operands[1]
    if isinstance(right, ConstantInt):
        wanted = {"slt": 0, "sge": 0, "sgt": -1, "sle": -1}.get(compare.predicate)
        return wanted is not None and right.value == wanted and right.type.width > 1
    return isinstance(right, ConstantNull) and compare.predicate in ("slt", "sge")


def as_bits(at: Builder, value: Value, kind: Type) -> Value:
    """A value as integers of the type of its shadow."""
    if value.type is kind:
        return value
    scalar = value.type.element if isinstance(value.type, VectorType) else value.type
    opcode = "ptrtoint" if isinstance(scalar, PointerType) else "bitcast"
    return at.cast(opcode, value, kind)


def _select(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    assert isinstance(instruction, Select)
    condition, if_true, if_false = instruction.operands
    choice = scope.shadow(condition)
    shadows = scope.shadow(if_true), scope.shadow(if_false)
    chosen: Value | None = None
    if shadows[0] is not None or shadows[1] is not None:
        chosen = scope.at.select(condition, scope.full(if_true), scope.full(if_false))
    if choice is None:
        return chosen
    if not is_simple(kind):
        return scope.at.select(scope.any_bit(choice), poisoned(kind), chosen or clean(kind))
    first, second = as_bits(scope.at, if_true, kind), as_bits(scope.at, if_false, kind)
    unsure: Value | None = scope.at.binary("xor", first, second)
    for shadow in shadows:
        unsure = scope.either(unsure, shadow)
    assert unsure is not None
    return scope.at.select(choice, unsure, chosen or clean(kind))


def _address(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    """getelementptr: the bits of the pointer and of every index."""
    assert isinstance(instruction, GetElementPtr)
    found: Value | None = None
    for operand in instruction.operands:
        shadow = scope.shadow(operand)
        if shadow is None:
            continue
        if isinstance(kind, VectorType) and not isinstance(shadow.type, VectorType):
            shadow = scope.all_or_nothing(shadow, kind)
        found = scope.either(found, resized(scope, shadow, kind))
    return found


def _extract_element(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    vector, index = instruction.operands
    shadow = scope.shadow(vector)
    return None if shadow is None else _appended(scope, ExtractElement(shadow, index))


def _insert_element(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    vector, element, index = instruction.operands
    if scope.shadow(vector) is None and scope.shadow(element) is None:
        return None
    return _appended(scope, InsertElement(scope.full(vector), scope.full(element), index))


def _shuffle(scope: FunctionShadow, instruction: Instruction, kind: Type) -> Value | None:
    assert isinstance(instruction, ShuffleVector)
    left, right = instruction.operands
    if scope.shadow(left) is None and scope.shadow(right) is None:
        return None
    both = scope.full(left), scope.full(right)
    return _appended(scope, ShuffleVector(kind, *both, instruction.mask))


def _extract_value(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    assert isinstance(instruction, ExtractValue)
    shadow = scope.shadow(instruction.operands[0])
    return None if shadow is None else scope.at.extract_value(shadow, instruction.indices)


def _insert_value(scope: FunctionShadow, instruction: Instruction, _: Type) -> Value | None:
    assert isinstance(instruction, InsertValue)
    aggregate, element = instruction.operands
    if scope.shadow(aggregate) is None and scope.shadow(element) is None:
        return None
    return scope.at.insert_value(scope.full(aggregate), scope.full(element), instruction.indices)


def _appended(scope: FunctionShadow, made: Instruction) -> Instruction:
    made.debug_location, made.metadata = scope.at.debug_location, OWN
    scope.out.append(made)
    return made


_RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "sub", "xor", "fadd", "fsub", "fmul", "fdiv", "frem"), _both),
    **dict.fromkeys(("and", "or"), _and_or),
    **dict.fromkeys(("shl", "lshr", "ashr"), _shift),
    **dict.fromkeys(("udiv", "sdiv", "urem", "srem", "fneg"), _copy),
    **dict.fromkeys(
        ("trunc", "zext", "sext", "fptoui", "fptosi", "uitofp", "sitofp", "fptrunc", "fpext",
         "ptrtoint", "inttoptr", "bitcast", "addrspacecast", "ptrtoaddr"), _cast,
    ),
    "mul": _product,
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "getelementptr": _address,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
}  # fmt: skip
