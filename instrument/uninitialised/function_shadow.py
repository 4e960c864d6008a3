"""Shadow values of one function while it is rewritten, and the code that combines them.

    scope.shadow(v)            shadow of a value, None when no bit can be set
    scope.either(a, b)         bitwise or, where None costs nothing
    scope.any_bit(s)           i1: is a bit set?
    scope.place(v)             where v was loaded from: a pointer, None when not known
    scope.check(v, location)   a branch to the report behind what was appended so far

Places stand for origins: the origin of a value is looked up where it was loaded, when a report
wants to know.  Their code is put on the cold side of a check, but for those that phis need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from irsan.instrument.analysis.control_flow.dominators import Dominators
from irsan.instrument.hook_calls import DECIDED, HookCalls
from irsan.instrument.uninitialised.call_facts import CallFacts
from irsan.instrument.uninitialised.flow import bits_reach
from irsan.instrument.uninitialised.late_uses import LateUses
from irsan.instrument.uninitialised.shadow_places import ShadowPlaces
from irsan.instrument.uninitialised.shadow_types import (
    ShadowTypes,
    clean,
    constant_shadow,
    is_simple,
    poisoned,
)
from irsan.ir.builder import Builder
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load
from irsan.ir.metadata import MetadataNode, MetadataTuple
from irsan.ir.module import Module
from irsan.ir.operations import Select
from irsan.ir.phi import Phi
from irsan.ir.types import ArrayType, IntegerType, StructType, Type, VectorType
from irsan.ir.values import BasicBlock, Constant, Function, Value

_MAX_PLACE_DEPTH = 12
_POINTER_BYTES = 8


@dataclass(slots=True)
class Detour:
    """Where a block is to be split: `cold` runs when `condition` holds.

    merged: a phi behind it, of a value without the detour and one with it; `ways` are its blocks.
    """

    condition: Value
    cold: list[Instruction] = field(default_factory=list)
    merged: Phi | None = None
    ways: list[BasicBlock] = field(default_factory=list)


Out = list[Instruction | Detour]


OWN: Final = (("nosanitize", MetadataTuple()),)  # metadata of all that this pass computes


class ShadowBuilder(Builder):
    """A builder whose instructions no other pass checks, and no safepoint separates."""

    __slots__ = ()

    def __init__(self, module: Module, out: Out, location: MetadataNode | None = None) -> None:
        Builder.__init__(self, module, out, location)  # type: ignore[arg-type]

    def _add(self, instruction: Instruction) -> None:
        Builder._add(self, instruction)
        if instruction.opcode != "phi":
            instruction.metadata = OWN


class FunctionShadow:
    """State of the pass in one function; `at` appends to the block as it will be."""

    __slots__ = (
        "_kept_places",
        "at",
        "checked",
        "checks",
        "doubts",
        "facts",
        "function",
        "hooks",
        "late",
        "live",
        "module",
        "order",
        "out",
        "places",
        "shadow_places",
        "shadows",
        "told_places",
        "types",
        "variadic",
    )  # fmt: skip

    def __init__(
        self, module: Module, function: Function, types: ShadowTypes, facts: CallFacts,
        hooks: HookCalls, live: frozenset[Value], late: LateUses, blocks: Sequence[BasicBlock],
        *, checks: bool,
    ) -> None:  # fmt: skip
        self.module, self.function, self.types, self.facts = module, function, types, facts
        self.hooks, self.live, self.late, self.checks = hooks, live, late, checks
        self.order = Dominators(function)
        self.shadow_places = ShadowPlaces(hooks, types.sizes, blocks, self.order)
        self.out: Out = []
        self.at: Builder = ShadowBuilder(module, self.out)
        self.shadows: dict[Value, Value] = {}
        # of comparisons: bits that may make one undefined, and whether they do
        self.doubts: dict[Value, tuple[Value, Callable[[Builder], Value]]] = {}
        self.places: dict[Value, Value] = {}
        self.told_places: dict[Value, Callable[[Builder], Value]] = {}  # of loaded vectors
        self.checked: set[Value] = set()
        self._kept_places: set[Value] = set()
        self.variadic: tuple[Value, Value] | None = None  # own list, bytes of it on the stack

    def begin_block(self, block: BasicBlock, out: Out, checked: set[Value]) -> None:
        """From now on code goes to `out`, which is what `block` will be; `checked` values have been
        checked on the way here."""
        self.shadow_places.begin_block(block, out)
        self.out, self.checked = out, checked
        self.at = ShadowBuilder(self.module, out)

    # -- shadow ----------------------------------------------------------------------------

    def shadow(self, value: Value) -> Value | None:
        """The shadow of a value whose definition has been seen."""
        if isinstance(value, Constant):
            kind = self.types.of(value.type)
            return None if kind is None else constant_shadow(value, kind)
        return self.shadows.get(value)

    def full(self, value: Value) -> Value:
        """The shadow of a value of a type that has one, clean if need be."""
        found = self.shadow(value)
        if found is not None:
            return found
        kind = self.types.of(value.type)
        assert kind is not None
        return clean(kind)

    def either(self, left: Value | None, right: Value | None) -> Value | None:
        """Bits set in one of two shadows of one type."""
        if left is None or right is None:
            return right if left is None else left
        return self.at.binary("or", left, right)

    def any_bit(self, shadow: Value, at: Builder | None = None) -> Value:
        """i1: whether a bit of a shadow is set."""
        at = at or self.at
        flat = self.flat(shadow, at)
        assert isinstance(flat.type, IntegerType)
        if flat.type.width == 1:
            return flat
        return at.icmp("ne", flat, clean(flat.type))

    def flat(self, shadow: Value, at: Builder | None = None) -> Value:
        """All bits of a shadow as one integer; fields of aggregates are laid over each other."""
        at = at or self.at
        kind = shadow.type
        if isinstance(kind, IntegerType):
            return shadow
        if isinstance(kind, VectorType):
            wide = self.module.types.integer(self.types.size_bits(kind))
            return at.cast("bitcast", shadow, wide)
        return self._flat_aggregate(shadow, at)

    def _flat_aggregate(self, shadow: Value, at: Builder) -> Value:
        kind = shadow.type
        count = len(kind.elements) if isinstance(kind, StructType) else _count(kind)
        found: Value | None = None
        for index in range(count):
            part = self.any_bit(at.extract_value(shadow, [index]), at)
            found = part if found is None else at.binary("or", found, part)
        assert found is not None
        return found

    def spread(self, condition: Value, kind: Type) -> Value:
        """All bits of `kind` where `condition` (i1, or a vector of them) holds."""
        if condition.type is kind:
            return condition
        if isinstance(kind, VectorType) and isinstance(condition.type, IntegerType):
            wide = self.module.types.integer(self.types.size_bits(kind))
            return self.at.cast("bitcast", self.spread(condition, wide), kind)
        return self.at.cast("sext", condition, kind)

    def all_or_nothing(self, shadow: Value, kind: Type) -> Value:
        """A shadow of `kind` with all bits set where any was: for each element, or for the whole.
        """
        source = shadow.type
        if (
            isinstance(source, VectorType)
            and isinstance(kind, VectorType)
            and source.count == kind.count
        ):
            return self.spread(self.at.icmp("ne", shadow, clean(source)), kind)
        if is_simple(kind):
            return self.spread(self.any_bit(shadow), kind)
        return self.at.select(self.any_bit(shadow), poisoned(kind), clean(kind))

    # -- places ----------------------------------------------------------------------------

    def keep_places(self, values: set[Value]) -> None:
        """Values whose place is computed where they are defined, because phis need it."""
        self._kept_places = values

    def define_place(self, value: Value) -> None:
        """Behind the definition of a value whose place is kept."""
        if value in self._kept_places and value not in self.places:
            found = self._compute_place(value, self.at, 1)
            if found is not None:
                self.places[value] = found

    def place(self, value: Value, at: Builder, depth: int = 0) -> Value | None:
        """Where a value was loaded from; code for it goes to `at`."""
        found = self.places.get(value)
        if found is not None or value in self._kept_places or depth > _MAX_PLACE_DEPTH:
            return found
        return self._compute_place(value, at, depth)

    def _compute_place(self, value: Value, at: Builder, depth: int) -> Value | None:
        if not isinstance(value, Instruction):
            return None
        if isinstance(value, Load):
            return value.pointer
        if value in self.told_places:
            return self.told_places[value](at)
        found: Value | None = None
        operands = bits_reach(value)
        if isinstance(value, Select) and isinstance(value.operands[0].type, IntegerType):
            found, operands = self._chosen_place(value, at, depth), operands[:1]
        for operand in operands:
            shadow = self.shadow(operand)
            if shadow is None or isinstance(shadow, Constant):
                continue
            other = self.place(operand, at, depth + 1)
            if other is None:
                continue
            found = other if found is None else at.select(self.any_bit(shadow, at), other, found)
        return found

    def _chosen_place(self, select: Select, at: Builder, depth: int) -> Value | None:
        condition, *choices = select.operands
        places = [
            None if self.shadow(choice) is None else self.place(choice, at, depth + 1)
            for choice in choices
        ]
        if places == [None, None]:
            return None
        first, second = (at.null() if place is None else place for place in places)
        return at.select(condition, first, second)

    def place_size(self, value: Value) -> Value:
        """What the run-time gets of a place: its size, and whether native writes are decided."""
        decided = DECIDED if self.late.is_decided(value) else 0
        return self.hooks.int64(self.place_bytes(value) | decided)

    def place_bytes(self, value: Value) -> int:
        """Size of the object at the place of a value."""
        for _ in range(_MAX_PLACE_DEPTH):
            is_loaded = isinstance(value, Load) or value in self.told_places
            if is_loaded or not isinstance(value, Instruction):
                break
            from_here = [one for one in bits_reach(value) if one in self.live]
            if len(from_here) != 1:
                break
            value = from_here[0]
        return self.types.size_bytes(value.type) or _POINTER_BYTES

    # -- checks ----------------------------------------------------------------------------

    def check(self, value: Value, location: MetadataNode | None) -> None:
        """A value decides something here: report it when a bit is not initialised."""
        shadow = self.shadow(value) if self.checks else None
        if shadow is None or value in self.checked:
            return
        self.at.debug_location = location
        bits, decides = self.doubts.get(value, (shadow, None))
        self.report_where(self.any_bit(bits), value, location, decides)
        if not isinstance(value, Constant):
            self.checked.add(value)

    def report_where(
        self,
        condition: Value,
        value: Value,
        location: MetadataNode | None,
        decides: Callable[[Builder], Value] | None = None,
    ) -> None:
        """A branch to the report of a value, taken where `condition` holds.

        decides: whether it is one, asked there; all others are when it is None.
        """
        detour = Detour(condition)
        cold = Builder(self.module, detour.cold, location)
        place = self.place(value, cold) or cold.null()
        size = self.place_size(value)
        if decides is not None:
            size = cold.select(decides(cold), size, self.hooks.int64(0))
        call = self.hooks.call("__irsan_uninit_use", [place, size, self.hooks.int32(0)], location)
        detour.cold.append(call)
        self.out.append(detour)

    def call_hook(
        self, name: str, arguments: list[Value], location: MetadataNode | None
    ) -> Instruction:
        """Appends a call of a hook."""
        made = self.hooks.call(name, arguments, location)
        self.out.append(made)
        return made


def _count(kind: Type) -> int:
    assert isinstance(kind, ArrayType)
    return kind.count


def split_at_detours(
    module: Module, function: Function, block: BasicBlock, out: Out
) -> BasicBlock:
    """Gives `block` its new instructions; returns the block that now has its terminator."""
    current, rest = block, []
    for one in out:
        if not isinstance(one, Detour):
            rest.append(one)
            continue
        cold = function.new_block(module.types.label, after=current)
        behind = function.new_block(module.types.label, after=cold)
        location = one.cold[-1].debug_location
        branch = Builder(module, rest, location)
        branch.cond_br(one.condition, cold, behind)
        current.instructions = rest
        Builder(module, one.cold, location).br(behind)
        cold.instructions = one.cold
        one.ways = [current, cold]
        current, rest = behind, []
    current.instructions = rest
    return current
