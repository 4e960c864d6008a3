"""Loads, stores, atomics and variables of the stack.

    %v = load i32, ptr %p      %s = bits_from(%p)   %v.bits = load i32, ptr %s
                               used late, a bit is set -> bits_shown(%p, 4), and loaded again
    store i32 %v, ptr %p       %s = bits_to(%p)     store i32 %v.bits, ptr %s    (shadow_places.py)
                               a bit is set ->  uninit_stored(place of %v, n, %p, 4)
    %x = alloca [9 x i8]       bits_begin(%x, 9, origin)    or where its lifetime starts

An address with an undefined bit is a finding.  Atomic operations take initialised values, as
several threads may look at what one of them has written; those that load, atomicrmw too, give what
was there.

Source: MemorySanitizer's visitor.
Deviations: memory that atomics write counts as initialised even where the value was not, and so
does the result of cmpxchg, which may compare padding; there the result of atomicrmw does, too.
"""

from __future__ import annotations

from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.sites.sites import SiteTable
from irsan.instrument.sites.source_frames import scope_file
from irsan.instrument.uninitialised.function_shadow import OWN, Detour, FunctionShadow
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, Load, Store
from irsan.ir.metadata import DebugNode, MetadataNode, ValueAsMetadata
from irsan.ir.types import PointerType
from irsan.ir.values import BasicBlock, Function, Value

_STACK_BIT = 1 << 31
_ASSIGNED_ADDRESS = 4  # operand of a debug record of an assignment
_LIFETIME_START = "llvm.lifetime.start."


def has_shadow(pointer: Value) -> bool:
    """Whether memory behind a pointer of this type has shadow."""
    kind = pointer.type
    return isinstance(kind, PointerType) and kind.address_space == 0


def shadow_of_load(scope: FunctionShadow, load: Load) -> Value | None:
    """Appends the load of the shadow, in front of the load itself."""
    kind = scope.types.of(load.type)
    if kind is None or not has_shadow(load.pointer) or not scope.checks:
        return None
    source = scope.shadow_places.place(load.pointer, load.debug_location, sets=False)
    shadow = scope.at.load(kind, source, load.alignment)
    if load not in scope.late.late:
        return shadow
    detour = Detour(scope.any_bit(shadow))
    size = scope.hooks.int64(scope.types.size_bytes(kind))
    shown = scope.hooks.call("__irsan_bits_shown", [load.pointer, size], load.debug_location)
    detour.cold.append(shown)
    again = Builder(scope.module, detour.cold, load.debug_location)
    source = scope.shadow_places.once_more(source, detour.cold)
    shown_bits = again.load(kind, source, load.alignment)
    shown_bits.metadata = OWN
    scope.out.append(detour)
    detour.merged = scope.at.phi(kind, [clean(kind), shown_bits], [])
    return detour.merged


def after_store(scope: FunctionShadow, store: Store) -> None:
    """Appends the store of the shadow, behind the store itself."""
    kind = scope.types.of(store.value.type)
    if kind is None or not has_shadow(store.pointer):
        return
    location = store.debug_location
    shadow = None if store.ordering else scope.shadow(store.value)
    target = scope.shadow_places.place(store.pointer, location, sets=shadow is not None)
    scope.at.store(clean(kind) if shadow is None else shadow, target, store.alignment)
    if shadow is not None:
        _keep_origin(scope, store, shadow)


def _keep_origin(scope: FunctionShadow, store: Store, shadow: Value) -> None:
    location = store.debug_location
    detour = Detour(scope.any_bit(shadow))
    cold = Builder(scope.module, detour.cold, location)
    place = scope.place(store.value, cold) or cold.null()
    int64 = scope.hooks.int64
    size = int64(scope.types.size_bytes(store.value.type))
    place_size = scope.place_size(store.value)
    arguments = [place, place_size, store.pointer, size, scope.hooks.int32(0)]
    detour.cold.append(scope.hooks.call("__irsan_uninit_stored", arguments, location))
    scope.out.append(detour)


def before_atomic(scope: FunctionShadow, instruction: Instruction) -> None:
    """The old value has the shadow of the memory; what the operation leaves there is initialised.

    A set bit is shown to the run-time first: it cannot be found out afterwards what native code has
    written.
    """
    pointer, value = instruction.operands[0], instruction.operands[-1]
    kind, location = scope.types.of(value.type), instruction.debug_location
    if kind is None or not has_shadow(pointer):
        return
    if instruction.opcode == "atomicrmw" and instruction in scope.live and scope.checks:
        source = scope.call_hook("__irsan_bits_from", [pointer], location)
        _show_memory(scope, pointer, scope.at.load(kind, source, 1), location)
        scope.shadows[instruction] = scope.at.load(kind, source, 1)
        scope.places[instruction] = pointer
    target = scope.call_hook("__irsan_bits_to", [pointer], location)
    scope.at.store(clean(kind), target, 1)


def _show_memory(
    scope: FunctionShadow, pointer: Value, shadow: Value, location: MetadataNode | None
) -> None:
    detour = Detour(scope.any_bit(shadow))
    size = scope.hooks.int64(scope.types.size_bytes(shadow.type))
    arguments = [pointer, size, pointer, size, scope.hooks.int32(0)]
    detour.cold.append(scope.hooks.call("__irsan_uninit_stored", arguments, location))
    scope.out.append(detour)


class StackVariables:
    """The allocas of one function: which begin where, and what they are called."""

    __slots__ = ("_names", "_scope", "_sites", "_started", "_waiting", "_written")

    def __init__(
        self, scope: FunctionShadow, sites: SiteTable | None, blocks: list[BasicBlock]
    ) -> None:
        self._scope, self._sites = scope, sites
        self._names = _variables(blocks)
        self._waiting: list[Alloca] = []
        self._started = {
            one.operands[-1]
            for block in blocks
            for one in block.instructions
            if lifetime_start(one) is not None
        }
        self._written = _written_at_once(scope, blocks[0])

    def begin_at_alloca(self, alloca: Alloca) -> None:
        """A variable without marked lifetime begins where it is allocated."""
        if alloca not in self._started and alloca not in self._written:
            self._waiting.append(alloca)

    def begin_waiting(self) -> None:
        """Behind allocas that stand together."""
        for alloca in self._waiting:
            self._begin(alloca, alloca)
        self._waiting.clear()

    def begin_at_mark(self, mark: Instruction) -> None:
        """A lifetime starts here."""
        alloca = lifetime_start(mark)
        if alloca is not None:
            self._begin(alloca, mark)

    def _begin(self, alloca: Alloca, where: Instruction) -> None:
        scope = self._scope
        each = scope.types.alloc_bytes(alloca.allocated_type)
        if not each or alloca.swifterror or not has_shadow(alloca):
            return
        size: Value = scope.hooks.int64(each)
        count = alloca.count
        if not isinstance(count, ConstantInt):
            size = scope.at.binary("mul", to_width(scope.at, count, 64), size)
        elif count.unsigned != 1:
            size = scope.hooks.int64(each * count.unsigned)
        if not scope.checks:
            scope.call_hook("__irsan_bits_clear", [alloca, size], where.debug_location)
            return
        word = scope.hooks.int32(self._origin(alloca))
        scope.call_hook("__irsan_bits_begin", [alloca, size, word], where.debug_location)

    def _origin(self, alloca: Alloca) -> int:
        if self._sites is None:
            return 0
        name, file, line = self._names.get(alloca, ("", "", 0))
        frame = (self._scope.function.name, file, line, 0)
        return _STACK_BIT | self._sites.add((frame,), 0, name or alloca.name or "")


def lifetime_start(instruction: Instruction) -> Alloca | None:
    """The variable whose lifetime an intrinsic starts."""
    if instruction.opcode != "call":
        return None
    callee = instruction.operands[0]
    if not isinstance(callee, Function) or not callee.name.startswith(_LIFETIME_START):
        return None
    pointer = instruction.operands[-1]
    return pointer if isinstance(pointer, Alloca) else None


def _written_at_once(scope: FunctionShadow, entry: BasicBlock) -> set[Value]:
    """Variables that are stored to as a whole before anything else is done with them."""
    seen: set[Value] = set()
    found: set[Value] = set()
    for one in entry.instructions:
        if isinstance(one, Store) and isinstance(one.pointer, Alloca):
            alloca = one.pointer
            whole = scope.types.alloc_bytes(alloca.allocated_type)
            is_whole = scope.types.size_bytes(one.value.type) == whole
            is_one = isinstance(alloca.count, ConstantInt) and alloca.count.value == 1
            if alloca not in seen and alloca is not one.value and is_whole and is_one:
                found.add(alloca)
        seen.update(one.operands)
    return found


def _variables(blocks: list[BasicBlock]) -> dict[Value, tuple[str, str, int]]:
    """Name, file and line of each alloca that is a variable of the source."""
    found: dict[Value, tuple[str, str, int]] = {}
    for block in blocks:
        for instruction in block.instructions:
            for record in instruction.debug_records:
                if record.kind not in ("declare", "assign") or len(record.operands) < 2:
                    continue
                value, variable = record.operands[:2]
                if record.kind == "assign":
                    value = record.operands[_ASSIGNED_ADDRESS]
                if isinstance(value, ValueAsMetadata) and isinstance(variable, DebugNode):
                    line = variable.get("line")
                    number = line if isinstance(line, int) else 0
                    place = variable.string("name"), scope_file(variable.get("scope")), number
                    found.setdefault(value.value, place)
    return found

