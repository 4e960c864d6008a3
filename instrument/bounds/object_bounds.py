"""Exact objects: an access must stay in the object that its pointer was derived from.

    %q = gep i32, ptr %p, i64 %i         %lo, %length = extent of %p's object (object_extents.py)
    __asan_store4(%q)                    __irsan_bounds_check(%q, %lo, %length, info, site)
    store i32 0, ptr %q                  __asan_store4(%q)

A redzone tool sees an overflow that lands in a redzone; one that jumps over it into another live
object is a valid address to it.  Here such an access is found by where its pointer comes from.

    root of known size     first byte in [0, size - n]: exact, so the shadow check is dropped too,
                           unless the object may be dead or poisoned by the program
    root asked at run time first byte in the block of the root; the shadow decides exact ends
    constant step          no redzone between the root and the access (near_roots.py)

Checked are accesses whose pointer differs from its root by a variable offset or by `LIMIT_BYTES`
and more: a shorter step cannot pass a redzone, nor can a loop that goes on in short steps
(short_steps.py).  info is size << 3 | inner << 2 | exact << 1 | write.

Source: Jones and Kelly, "Backwards-compatible bounds checking for arrays and pointers in C
programs" (1997), for referent objects; Akritidis et al., "Baggy bounds checking" (2009), for bounds
of blocks instead of objects.
Deviations: no table of every pointer: the derivation is read from the IR, so a pointer that went
through memory begins anew.  Addresses out of bounds are no error until they are used.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.inner_arrays import inner_array
from irsan.instrument.analysis.objects.underlying_object import Provenance
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.bounds.checked_before import CheckedBefore
from irsan.instrument.bounds.near_roots import NearRoots
from irsan.instrument.bounds.object_extents import ALL_BYTES, Extent, ObjectExtents
from irsan.instrument.bounds.outlying_pointers import kept_pointer, leaving_pointer
from irsan.instrument.bounds.short_steps import ShortSteps
from irsan.instrument.check_hooks import BOUNDS_CHECK, POINTER_KEPT
from irsan.instrument.check_stats import LEFT_OUT, OBJECT, CheckStats
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, Hook
from irsan.instrument.policy import ADDRESS, Policy
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function, Value

LIMIT_BYTES = 64
_INNER, _EXACT, _WRITE, _SIZE_SHIFT = 4, 2, 1, 3
_LIFETIME = "llvm.lifetime."
_CHECKED = {
    hook.name: hook
    for hook in HOOKS.values()
    if hook.sanitizer == "address" and hook.group in ("access", "range", "memory")
}


@dataclass(frozen=True, slots=True)
class ObjectBounds:
    """Adds bounds checks beside the address checks of a module; run it behind what adds those.

    policy.bounds_level: 1 whole objects, 2 also arrays inside of them.
    spares: leaves out what the redzones say, too.
    """

    policy: Policy
    stats: CheckStats | None = None
    spares: bool = True

    def apply(self, module: Module) -> None:
        """Check every function that is checked for addresses."""
        hooks, sizes, places = HookCalls(module), TypeSizes(module), _places(module)
        has_inner = self.policy.bounds_level > 1
        for function in module.functions[:]:
            if ADDRESS in self.policy.checks_of(function):
                bounds = _FunctionBounds(
                    function, hooks, sizes, has_inner, self.policy.poisons, self.spares, places
                )
                bounds.check()
                if self.stats is not None:
                    reason = "the check of its object says the same"
                    self.stats.note(ADDRESS, LEFT_OUT, reason, bounds.n_exact)
                    self.stats.note(OBJECT, LEFT_OUT, "a walk in short steps", bounds.n_walks)
                    reason = "an access a short step away was checked on every way here"
                    self.stats.note(OBJECT, LEFT_OUT, reason, bounds.checked.n_covered)


class _FunctionBounds:
    """One function; `is_poisoned`: the module poisons parts of objects itself."""

    def __init__(
        self,
        function: Function,
        hooks: HookCalls,
        sizes: TypeSizes,
        has_inner: bool,
        is_poisoned: bool,
        spares: bool,
        places: Iterator[int],
    ) -> None:
        self._places, self._homes = places, ValueHomes(function)
        self._function, self._hooks, self._sizes = function, hooks, sizes
        self._has_inner, self._is_poisoned = has_inner, is_poisoned
        self._limit = 1 if has_inner else LIMIT_BYTES
        self._extents: ObjectExtents | None = None
        self._provenance: Provenance | None = None
        self._addresses = AddressFacts(sizes)
        self._spares = spares and not has_inner
        self.checked = CheckedBefore(
            self._addresses, self._homes, self._limit, across_blocks=self._spares
        )
        self._short_steps: ShortSteps | None = None
        self._near_roots: NearRoots | None = None
        self.n_exact = 0  # checks of addresses that were left out
        self.n_walks = 0  # checks of objects that were

    def check(self) -> None:
        for block in self._function.blocks:
            if any(map(_concerns, block.instructions)):
                self._check_block(block)
        if self._extents is not None:
            self._extents.place()

    def _check_block(self, block: BasicBlock) -> None:
        made: list[Instruction] = []
        for instruction in block.instructions:
            hook = _hook_of(instruction)
            keeps = True
            if hook is None:
                self._note_kept(instruction, block, made)
            else:
                assert isinstance(instruction, Call)
                before = len(made)
                keeps = self._add_checks(instruction, hook, block, made)
                if len(made) > before and instruction.debug_records:
                    made[before].debug_records = instruction.debug_records
                    instruction.debug_records = ()
            if keeps:
                made.append(instruction)
            else:
                self.n_exact += 1
        block.instructions = made

    def _add_checks(
        self, call: Call, hook: Hook, block: BasicBlock, made: list[Instruction]
    ) -> bool:
        """Adds the bounds checks of one hook; False when they say all that it would say."""
        if hook.group == "memory":
            pointers = [(call.operands[1], _WRITE)]
            if hook.operation != "memset":
                pointers.append((call.operands[2], 0))
            for pointer, is_write in pointers:
                self._add_range(call, pointer, is_write, block, made)
            return True
        size = hook.size_bytes
        if hook.group == "range":
            amount = call.operands[2]
            if not isinstance(amount, ConstantInt):
                return True
            size = amount.unsigned
        if self._has_inner:
            self._add_inner(call, size, int(hook.is_write), made)
        return self._add_access(call, size, int(hook.is_write), block, made)

    def _note_kept(
        self, instruction: Instruction, block: BasicBlock, made: list[Instruction]
    ) -> None:
        """Adds the question whether a pointer that goes where it is not followed has left its
        object."""
        kept = kept_pointer(instruction, self._provenance_of_function())
        if kept is None or self.checked.covers(kept.pointer, block):
            return
        extent = self._extent(kept.source, block)
        if extent is not None:
            root = self._provenance_of_function().strip(kept.source).base
            self._extents_of_function().note_use(extent)
            arguments = [kept.pointer, extent.lo, extent.length, root]
            made.append(self._hooks.call(POINTER_KEPT, arguments, instruction.debug_location))

    def _add_inner(
        self, call: Call, size: int, is_write: int, made: list[Instruction]
    ) -> None:
        """The check against the array inside of the object that an index counts in."""
        pointer = call.operands[1]
        array = inner_array(pointer, self._sizes)
        if array is None or not 0 < size <= array.size_bytes:
            return
        if array.is_new:
            made.append(array.lo)  # type: ignore[arg-type]
        length = self._hooks.int64(array.size_bytes - size + 1)
        info = size << _SIZE_SHIFT | _INNER | _EXACT | is_write
        arguments = [pointer, array.lo, length, self._hooks.int64(info), self._hooks.int32(0)]
        made.append(self._hooks.call(BOUNDS_CHECK, arguments, call.debug_location))

    def _add_access(
        self, call: Call, size: int, is_write: int, block: BasicBlock, made: list[Instruction]
    ) -> bool:
        pointer = call.operands[1]
        if not self._is_moved(pointer):
            return True
        if self._walks_to(pointer, size, block):
            self.n_walks += 1
            return True
        if self._add_near(call, pointer, size, is_write, block, made):
            return True
        extent = self._extent(pointer, block, size)
        if extent is None:
            return True
        length, is_exact = extent.length, 0 < size <= extent.size_bytes
        if is_exact:
            length = self._hooks.int64(extent.size_bytes - size + 1)
        elif not self.checked.is_first(pointer, block):
            return True
        info = size << _SIZE_SHIFT | is_exact * _EXACT | is_write
        arguments = [pointer, extent.lo, length, self._hooks.int64(info), self._hooks.int32(0)]
        check = self._hooks.call(BOUNDS_CHECK, arguments, call.debug_location)
        self._extents_of_function().note_check(extent, check, block)
        made.append(check)
        return not (is_exact and extent.is_alive) or self._is_poisoned

    def _add_near(
        self,
        call: Call,
        pointer: Value,
        size: int,
        is_write: int,
        block: BasicBlock,
        made: list[Instruction],
    ) -> bool:
        """Adds the check by what lies between the root and the access, if that can say it."""
        if not self._spares:
            return False
        if self._near_roots is None:
            self._near_roots = NearRoots(self._provenance_of_function(), self._homes)
        looks = self._near_roots.looks(pointer, block)
        if looks is None:
            return False
        if looks:
            int64 = self._hooks.int64
            info = int64(size << _SIZE_SHIFT | is_write)
            arguments = [pointer, looks.root, *map(int64, looks.at), info, self._hooks.int32(0)]
            made.append(self._hooks.call("__irsan_bounds_near", arguments, call.debug_location))
        return True

    def _add_range(
        self,
        call: Call,
        pointer: Value,
        is_write: int,
        block: BasicBlock,
        made: list[Instruction],
    ) -> None:
        if not self._is_moved(pointer):
            return
        length = call.operands[3]
        size = length.unsigned if isinstance(length, ConstantInt) else 0
        if size and self._add_near(call, pointer, size, is_write, block, made):
            return
        extent = self._extent(pointer, block)
        if extent is None:
            return
        self._extents_of_function().note_use(extent)
        info = bool(extent.size_bytes) * _EXACT | is_write
        arguments = [
            pointer, extent.lo, extent.length, call.operands[3], self._hooks.int64(info),
            self._hooks.int32(0),
        ]  # fmt: skip
        made.append(self._hooks.call("__irsan_bounds_range", arguments, call.debug_location))

    def _walks_to(self, pointer: Value, size: int, block: BasicBlock) -> bool:
        """Whether a loop comes to an object that only the run time knows in short steps."""
        if not self._spares:
            return False
        if self._short_steps is None:
            self._short_steps = ShortSteps(
                self._function, self._sizes, self._provenance_of_function(), self._limit
            )
        is_known = self._extents_of_function().is_of_known_size(pointer)
        return not is_known and self._short_steps.bound(pointer, size, block)

    def _provenance_of_function(self) -> Provenance:
        if self._provenance is None:
            self._provenance = Provenance(self._function, self._sizes, self._limit)
        return self._provenance

    def _is_moved(self, pointer: Value) -> bool:
        return self._provenance_of_function().is_moved(pointer)

    def _extents_of_function(self) -> ObjectExtents:
        if self._extents is None:
            provenance = self._provenance_of_function()
            self._extents = ObjectExtents(
                self._function, self._hooks, provenance, self._addresses, _mortal(self._function),
                self._places, self._homes,
            )  # fmt: skip
        return self._extents

    def _extent(
        self, pointer: Value, block: BasicBlock, size_bytes: int = 0
    ) -> Extent | None:
        """The extent that an access by a moved pointer must stay in; None: it needs no check.

        size_bytes: of the access; 0 when it varies
        """
        extent = self._extents_of_function().of(pointer, block, size_bytes)
        if extent is None or getattr(extent.length, "unsigned", 0) == ALL_BYTES:
            return None
        return extent


def _places(module: Module) -> Iterator[int]:
    """Numbers of questions, one behind the other from one that the unit chooses."""
    return itertools.count(zlib.crc32(module.source_filename.encode(errors="surrogateescape")))


def _concerns(instruction: Instruction) -> bool:
    """Whether an instruction calls an address hook or lets a pointer go."""
    return leaving_pointer(instruction) is not None or _hook_of(instruction) is not None


def _hook_of(instruction: Instruction) -> Hook | None:
    """The address hook that `instruction` calls."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    return _CHECKED.get(callee.name) if isinstance(callee, Function) else None


def _mortal(function: Function) -> frozenset[Value]:
    """Allocas whose life begins or ends inside of the function."""
    return frozenset(
        operand
        for block in function.blocks
        for instruction in block.instructions
        if isinstance(instruction, Call)
        and (getattr(instruction.operands[0], "name", None) or "").startswith(_LIFETIME)
        for operand in instruction.operands[1:]
    )
