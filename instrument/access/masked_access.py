"""Masked vector accesses: each enabled lane is checked like a scalar access, the others are not.

    llvm.masked.load / store          lane i at pointer + i * size
    llvm.masked.gather / scatter      lane i at pointers[i]
    llvm.masked.expandload / compressstore   popcount(mask) elements in a row: one range

A constant mask is unrolled at once. Otherwise a loop visits the set bits of the mask:

    before:   %bits = bitcast <8 x i1> %mask to i8
              br %bits != 0, lane, access
    lane:     %left = phi [%bits, %rest]      %i = cttz(%left)      hooks(address of lane %i)
              %rest = %left & (%left - 1)     br %rest != 0, lane, access
    access:   the intrinsic itself

Source: the LLVM Language Reference, "Masked Vector Load and Store Intrinsics" and its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.access.access_checks import Access, address_hook, is_exempt, race_hook
from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import Policy
from irsan.ir.attributes import find_attribute
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantInt,
    ConstantNull,
    ConstantSplat,
)
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.operations import ExtractElement
from irsan.ir.types import Type, VectorType
from irsan.ir.values import Function, Value

_KINDS = {
    "load": (None, 0), "gather": (None, 0), "expandload": (None, 0),
    "store": (0, 1), "scatter": (0, 1), "compressstore": (0, 1),
}  # fmt: skip
_PREFIX = "llvm.masked."
_ROWS = ("expandload", "compressstore")
_SCATTERED = ("gather", "scatter")


@dataclass(frozen=True, slots=True)
class MaskedAccess:
    """Checks of masked intrinsics; splits blocks, so it runs behind the walk over blocks."""

    policy: Policy

    def apply(self, module: Module) -> None:
        """Check every masked access of every checked function."""
        if not any(function.name.startswith(_PREFIX) for function in module.functions):
            return
        hooks, sizes = HookCalls(module), TypeSizes(module)
        for function in module.functions[:]:
            checks = self.policy.checks_of(function)
            if checks:
                _check_function(FunctionScope(module, function, checks, hooks, sizes))


@dataclass(frozen=True, slots=True)
class MaskedCall:
    """One intrinsic: `pointers` is one pointer, or a vector of them."""

    call: Call
    kind: str
    pointers: Value
    mask: Value
    vector: VectorType
    alignment: int

    @property
    def is_write(self) -> bool:
        """Whether it stores its lanes."""
        return self.kind in ("store", "scatter", "compressstore")

    @property
    def is_row(self) -> bool:
        """Whether memory has the enabled lanes only, side by side."""
        return self.kind in _ROWS

    @property
    def is_scattered(self) -> bool:
        """Whether each lane has an address of its own."""
        return self.kind in _SCATTERED


def _check_function(scope: FunctionScope) -> None:
    calls = [i for block in scope.function.blocks for i in block.instructions if is_masked(i)]
    for call in calls:
        masked = read_masked(call)
        if masked is not None and not is_exempt(scope, masked.pointers):
            _check(scope, masked)


def is_masked(instruction: Instruction) -> bool:
    """Whether this is a call of such an intrinsic."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    if not isinstance(callee, Function) or not callee.name.startswith(_PREFIX):
        return False
    return not instruction.get_metadata("nosanitize")


def read_masked(call: Instruction) -> MaskedCall | None:
    """The parts of a call; None for an intrinsic that is not known, or of scalable vectors."""
    assert isinstance(call, Call) and isinstance(call.callee, Function)
    kind = call.callee.name.split(".")[2]
    if kind not in _KINDS:
        return None
    value_index, pointer_index = _KINDS[kind]
    arguments = call.arguments
    vector = call.type if value_index is None else arguments[value_index].type
    if not isinstance(vector, VectorType) or vector.scalable:
        return None
    # Before LLVM 22 an i32 alignment stood between the pointer and the mask.
    behind = arguments[pointer_index + 1]
    alignment, mask = _alignment(call, pointer_index), behind
    if isinstance(behind, ConstantInt) and behind.type.width == 32:
        alignment, mask = max(1, behind.value), arguments[pointer_index + 2]
    return MaskedCall(call, kind, arguments[pointer_index], mask, vector, alignment)


def _alignment(call: Call, index: int) -> int:
    found = find_attribute(call.attributes.parameter(index), "align")
    return found.value if found is not None and isinstance(found.value, int) else 1


def _check(scope: FunctionScope, masked: MaskedCall) -> None:
    block = next(b for b in scope.function.blocks if masked.call in b.instructions)
    index = block.instructions.index(masked.call)
    new: list[Instruction] = []
    at = Builder(scope.module, new, masked.call.debug_location)
    lanes = constant_lanes(masked.mask)
    if masked.is_row:
        _check_row(scope, masked, at)
    elif lanes is not None:
        for lane in lanes:
            _check_lane(scope, masked, at, at.integer(64, lane))
    else:
        _check_lanes_in_a_loop(scope, masked, index)
        return
    block.instructions[index:index] = new


def constant_lanes(mask: Value) -> list[int] | None:
    """The enabled lanes of a constant mask; None when it is not a constant."""
    assert isinstance(mask.type, VectorType)
    n_lanes = mask.type.count
    if isinstance(mask, ConstantNull):
        return []
    if isinstance(mask, ConstantSplat) and isinstance(mask.element, ConstantInt):
        return list(range(n_lanes)) if mask.element.value else []
    if isinstance(mask, ConstantData):
        return [lane for lane, bit in enumerate(mask.values) if bit]
    if isinstance(mask, ConstantAggregate):
        return [
            lane
            for lane, bit in enumerate(mask.elements)
            if not isinstance(bit, ConstantInt) or bit.value
        ]
    return None


def _check_lane(scope: FunctionScope, masked: MaskedCall, at: Builder, lane: Value) -> None:
    """The hooks of one lane; `lane` is an i64."""
    element = masked.vector.element
    size = scope.sizes.store_size(element)
    alignment = masked.alignment
    if masked.is_scattered:
        address: Instruction = ExtractElement(masked.pointers, lane)
        address.debug_location = at.debug_location
        at.instructions.append(address)
    else:
        address = at.gep(element, masked.pointers, [lane])
        alignment = min(alignment, size & -size)
    access = Access(address, size, alignment, masked.is_write)
    if scope.checks_address:
        at.instructions.append(address_hook(scope, access, at.debug_location))
    if scope.checks_thread:
        at.instructions.append(race_hook(scope, access, at.debug_location))


def _check_row(scope: FunctionScope, masked: MaskedCall, at: Builder) -> None:
    size = row_size(at, masked, scope.sizes)
    asan, tsan = ("store", "write") if masked.is_write else ("load", "read")
    location, hooks = at.debug_location, scope.hooks
    if scope.checks_address:
        at.instructions.append(hooks.call(f"__asan_{asan}N", [masked.pointers, size], location))
    if scope.checks_thread:
        name = f"__tsan_{tsan}_range"
        at.instructions.append(hooks.call(name, [masked.pointers, size], location))


def row_size(at: Builder, masked: MaskedCall, sizes: TypeSizes) -> Value:
    """Bytes of as many elements as the mask has bits."""
    count = _intrinsic(at, "ctpop", _mask_bits(at, masked.mask), [])
    each = at.integer(64, sizes.store_size(masked.vector.element))
    return at.binary("mul", to_width(at, count, 64), each)


def _check_lanes_in_a_loop(scope: FunctionScope, masked: MaskedCall, index: int) -> None:
    function, label = scope.function, scope.module.types.label
    before = next(b for b in function.blocks if masked.call in b.instructions)
    access = function.split_block(before, index)
    lane_block = function.new_block(label, after=before)
    at = Builder(scope.module, before.instructions, masked.call.debug_location)
    bits = _mask_bits(at, masked.mask)
    zero = _zero(bits.type)
    at.cond_br(at.icmp("ne", bits, zero), lane_block, access)

    at = Builder(scope.module, lane_block.instructions, masked.call.debug_location)
    left = at.phi(bits.type, [bits, bits], [before, lane_block])
    lane = _intrinsic(at, "cttz", left, [ConstantInt(at.types.i1, 1)])
    _check_lane(scope, masked, at, to_width(at, lane, 64))
    minus_one = at.binary("add", left, ConstantInt(at.types.integer(masked.vector.count), -1))
    rest = at.binary("and", left, minus_one)
    left.operands[1] = rest
    at.cond_br(at.icmp("ne", rest, zero), lane_block, access)


def _mask_bits(at: Builder, mask: Value) -> Value:
    assert isinstance(mask.type, VectorType)
    return at.cast("bitcast", mask, at.types.integer(mask.type.count))


def _zero(integer: Type) -> ConstantInt:
    return ConstantInt(integer, 0)  # type: ignore[arg-type]


def _intrinsic(at: Builder, word: str, bits: Value, more: list[Value]) -> Value:
    arguments = [bits, *more]
    signature = at.types.function(bits.type, [argument.type for argument in arguments])
    function = at.module.declare_function(f"llvm.{word}.{bits.type.text}", signature)
    return at.call(function, arguments)
