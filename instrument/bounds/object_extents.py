"""Values that say where the object of a pointer lies: its first address and its length.

    alloca, global      known now: (root, constant), exact
    argument, load,     asked once, behind the root or before the loops that use it:
    result of a call        %lo = __irsan_object_lo(%root, place, reach)
                            %length = __irsan_object_length(%root, place)
                        an access that is the only one to need it asks itself: asking_checks.py
    phi, select         a phi, a select of both parts
    slot                two local variables beside it, written and read with it

    extents = ObjectExtents(...)
    extent = extents.of(pointer, block, 4)  used in `block`; None when nothing can be known
    extents.note_check(extent, check, block)    what is made of it is this check, in `block`, or
    extents.note_use(extent)                    anything else
    extents.place()                         puts what was asked for into the function

Nothing known at run time is the extent (null, 2^64 - 1), in which every address lies.

Soundness: an extent is a fact about a value, so it holds wherever the value does, also behind calls
and longjmp; a root that is dead by then is recognised when a check fails (kernels/object_bounds).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from irsan.instrument.access.access_checks import is_vtable_access
from irsan.instrument.analysis.control_flow.function_exits import entry_index
from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.underlying_object import Provenance
from irsan.instrument.bounds.asking_checks import AnswerUses, block_of_question
from irsan.instrument.hook_calls import HookCalls
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt, ConstantNull
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr, Load, Store
from irsan.ir.operations import BinaryOp, Select
from irsan.ir.phi import Phi
from irsan.ir.values import Argument, BasicBlock, Function, GlobalVariable, Value

ALL_BYTES = (1 << 64) - 1
_SHARED = ALL_BYTES  # the number of all questions whose places the root chooses
_MAX_REACH_BYTES = 1024
_NO_OBJECTS = ("__irsan_", "llvm.", "__cxa_", "__errno_location", "__ctype_")


class Extent(NamedTuple):
    """[lo, lo + length); `size_bytes` is not 0 when that is an object of this very size.

    is_alive: the object lives as long as anybody can ask.
    """

    lo: Value
    length: Value
    size_bytes: int = 0
    is_alive: bool = False


class ObjectExtents:
    """The extents of one function."""

    def __init__(
        self,
        function: Function,
        hooks: HookCalls,
        provenance: Provenance,
        addresses: AddressFacts,
        mortal: frozenset[Value],
        places: Iterator[int],
        homes: ValueHomes,
    ) -> None:
        """mortal: allocas with lifetime markers;  places: numbers for where answers are kept."""
        self._function, self._hooks = function, hooks
        self._places, self._homes = places, homes
        self._provenance, self._addresses, self._mortal = provenance, addresses, mortal
        self._known: dict[Value, Extent | None] = {}
        self._asked: dict[Value, set[BasicBlock]] = {}
        self._uses = AnswerUses(hooks, homes)
        self._reach: dict[Value, int] = {}  # 0: of no constant one
        self._unfilled: list[Callable[[], None]] = []
        self._behind: dict[Instruction, list[Instruction]] = {}
        self._phis: dict[BasicBlock, list[Instruction]] = {}
        self._starts: dict[BasicBlock, list[Instruction]] = {}
        self._slots: dict[Alloca, tuple[Alloca, Alloca]] = {}

    def of(self, pointer: Value, block: BasicBlock, size_bytes: int = 0) -> Extent | None:
        """The extent of the object `pointer` comes from, for a use in `block`.

        size_bytes: of the access; 0 when it varies
        """
        base, offset = self._provenance.strip(pointer)
        end = 0 if offset is None or offset < 0 or not size_bytes else offset + size_bytes
        self._note_reach(base, end)
        found = self._of_base(base, block)
        while self._unfilled:
            self._unfilled.pop()()
        return found

    def note_check(self, extent: Extent, call: Call, block: BasicBlock) -> None:
        """A check of an access in `block`, by the two parts of an extent."""
        self._uses.note_check(extent.lo, call, block)

    def note_use(self, extent: Extent) -> None:
        """The parts of an extent are used as values."""
        self._uses.note_value(extent.lo)

    def is_of_known_size(self, pointer: Value) -> bool:
        """Whether `pointer` comes from one variable whose size the IR says."""
        base: Value | None = self._provenance.strip(pointer).base
        if isinstance(base, (Phi, Select)):
            base = self._provenance.root_of(base)
        if not isinstance(base, (Alloca, GlobalVariable)):
            return False
        return self._addresses.object_size(base) is not None

    def place(self) -> None:
        """Put the instructions that make the extents into their blocks."""
        self._place_questions()
        for block in self._function.blocks:
            self._rewrite(block)

    def _of_base(self, base: Value, block: BasicBlock) -> Extent | None:
        if isinstance(base, (Phi, Select)):
            only = self._provenance.root_of(base)
            if only is not None:
                self._note_reach(only, 0)
                return self._of_base(only, block)
        if base in self._asked:
            self._asked[base].add(block)
        if base not in self._known:
            self._known[base] = self._make(base, block)
        return self._known[base]

    def _make(self, base: Value, block: BasicBlock) -> Extent | None:
        if isinstance(base, (Alloca, GlobalVariable)):
            return self._static(base, block)
        if isinstance(base, (Phi, Select)):
            return self._join(base)
        slot = self._provenance.slot_of(base)
        if slot is not None:
            assert isinstance(base, Load)
            return self._from_slot(base, slot)
        return self._question(base, block) if self._may_be_an_object(base) else None

    def _may_be_an_object(self, root: Value) -> bool:
        """Whether the run-time may know an object at this pointer."""
        if isinstance(root, Load):
            return not is_vtable_access(root)
        if isinstance(root, (Call, CallTerminator)):
            callee = root.operands[0]
            if isinstance(callee, Function) and callee.name.startswith(_NO_OBJECTS):
                return False
            return isinstance(root, Call) or self._is_only_way(root)
        return isinstance(root, Argument)

    def _is_only_way(self, call: CallTerminator) -> bool:
        """Whether nothing else leads to where an invoke returns, so that questions may stand
        there."""
        target = call.successors[0]
        ways = sum([block.successors.count(target) for block in self._function.blocks])
        return call.opcode == "invoke" and ways == 1

    def _static(self, root: Alloca | GlobalVariable, block: BasicBlock) -> Extent | None:
        size = self._addresses.object_size(root)
        if isinstance(root, GlobalVariable):
            if "no_sanitize_address" in root.sanitizer:
                return None
            if size is None or root.section:
                is_ours = not root.thread_local and not root.section
                return self._question(root, block) if is_ours else None
            is_alive = "sanitize_address_dyninit" not in root.sanitizer
            return Extent(root, self._hooks.int64(size), size, is_alive)
        if size is None:
            return self._of_variable_size(root)
        return Extent(root, self._hooks.int64(size), size, root not in self._mortal)

    def _of_variable_size(self, root: Alloca) -> Extent | None:
        """A variable-length array: as many bytes as it has elements now."""
        each = self._addresses.alloc_size(root.allocated_type)
        if each is None or root.count.type is not self._hooks.module.types.i64:
            return None
        length = BinaryOp("mul", root.count, self._hooks.int64(each))
        self._behind.setdefault(root, []).append(length)
        return Extent(root, length)

    def _note_reach(self, base: Value, end: int) -> None:
        """What asks for the object at `base` lies before `base + end`; 0: it may be anywhere."""
        known = self._reach.get(base, 1)
        self._reach[base] = max(known, end) if known and end <= _MAX_REACH_BYTES and end else 0

    def _question(self, root: Value, block: BasicBlock) -> Extent:
        number = _SHARED if _is_of_an_array(root) else next(self._places)
        place = self._hooks.int64(number)
        lo = self._hooks.call("__irsan_object_lo", [root, place, self._hooks.int64(0)], None)
        length = self._hooks.call("__irsan_object_length", [root, place], None)
        self._asked[root] = {block}
        return Extent(lo, length)

    # ---------------------------------------------------------------- joins

    def _join(self, base: Phi | Select) -> Extent:
        types = self._hooks.module.types
        if isinstance(base, Phi):
            phis = (
                Phi(types.ptr_default, [], list(base.blocks)),
                Phi(types.i64, [], list(base.blocks)),
            )
            self._unfilled.append(lambda: self._fill_phi(base, phis))
            self._phis.setdefault(self._homes.home_of(base), []).extend(phis)
            return Extent(*phis)
        unknown = self._or_all(None)
        lo, length = (Select(base.operands[0], one, one) for one in unknown)
        self._unfilled.append(lambda: self._fill_select(base, (lo, length)))
        self._behind.setdefault(base, []).extend((lo, length))
        return Extent(lo, length)

    def _fill_phi(self, base: Phi, phis: tuple[Phi, Phi]) -> None:
        for value, block in base.incoming:
            for phi, part in zip(phis, self._parts(value, block), strict=True):
                phi.operands.append(part)

    def _fill_select(self, base: Select, made: tuple[Select, Select]) -> None:
        block = self._homes.home_of(base)
        for index in (1, 2):
            parts = self._parts(base.operands[index], block)
            for select, part in zip(made, parts, strict=True):
                select.operands[index] = part

    def _parts(self, pointer: Value, block: BasicBlock) -> tuple[Value, Value]:
        base = self._provenance.strip(pointer).base
        self._note_reach(base, 0)
        extent = self._of_base(base, block)
        if extent is not None:
            self.note_use(extent)
        return self._or_all(extent)

    def _or_all(self, extent: Extent | None) -> tuple[Value, Value]:
        if extent is None:
            null = ConstantNull(self._hooks.module.types.ptr_default)
            return null, self._hooks.int64(ALL_BYTES)
        return extent.lo, extent.length

    # ---------------------------------------------------------------- slots

    def _from_slot(self, load: Load, slot: Alloca) -> Extent:
        if slot not in self._slots:
            self._open_slot(slot)
        types = self._hooks.module.types
        lo = Load(types.ptr_default, self._slots[slot][0], 8)
        length = Load(types.i64, self._slots[slot][1], 8)
        self._behind.setdefault(load, []).extend((lo, length))
        return Extent(lo, length)

    def _open_slot(self, slot: Alloca) -> None:
        """Two variables beside the slot; they begin with everything, as longjmp may skip stores."""
        types, one = self._hooks.module.types, self._hooks.int32(1)
        beside = (
            Alloca(types.ptr_default, types.ptr_default, one, 8),
            Alloca(types.ptr_default, types.i64, one, 8),
        )
        self._slots[slot] = beside
        starts = self._starts.setdefault(self._function.entry, [])
        begin = [
            Store(types.void, part, at, 8)
            for part, at in zip(self._or_all(None), beside, strict=True)
        ]
        starts[:0] = [*beside, *begin]
        self._unfilled.append(lambda: self._fill_slot(slot))

    def _fill_slot(self, slot: Alloca) -> None:
        types = self._hooks.module.types
        for store, block in self._provenance.slots[slot]:
            parts = self._parts(store.operands[0], block)
            self._behind.setdefault(store, []).extend(
                Store(types.void, part, at, 8)
                for part, at in zip(parts, self._slots[slot], strict=True)
            )

    # ---------------------------------------------------------------- placing

    def _place_questions(self) -> None:
        for root, blocks in self._asked.items():
            extent = self._known[root]
            assert extent is not None
            assert isinstance(extent.lo, Call)
            extent.lo.operands[-1] = self._hooks.int64(self._reach[root])
            if self._uses.spare(root, extent.lo):
                continue
            asked = [extent.lo, extent.length]
            home = self._homes.home_of(root)
            block = block_of_question(self._homes, home, blocks)
            is_behind = isinstance(root, Instruction) and not isinstance(root, CallTerminator)
            if block is home and is_behind:
                self._behind.setdefault(root, []).extend(asked)  # type: ignore[arg-type]
            else:
                self._starts.setdefault(block, []).extend(asked)  # type: ignore[arg-type]

    def _rewrite(self, block: BasicBlock) -> None:
        behind = self._behind
        if behind and not behind.keys().isdisjoint(block.instructions):
            made: list[Instruction] = []
            for instruction in block.instructions:
                made.append(instruction)
                made += behind.get(instruction, ())
            block.instructions = made
        starts = self._starts.get(block)
        if starts:
            is_entry = block is self._function.entry
            at = entry_index(self._function) if is_entry else block.first_insertion_index()
            block.instructions[at:at] = starts
        phis = self._phis.get(block)
        if phis:
            block.instructions[0:0] = phis


def _is_of_an_array(root: Value) -> bool:
    """Whether a pointer was loaded from an element of an array: a loop asks for them in turn."""
    place = root.operands[0] if isinstance(root, Load) else None
    return isinstance(place, GetElementPtr) and not isinstance(place.operands[-1], ConstantInt)
