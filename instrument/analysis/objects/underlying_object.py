"""Which object a pointer comes from: back through arithmetic, joins and local variables.

    %q = gep %p, %i        %p        variable offset
    %q = gep %p, 16        %p        16 bytes
    %p = phi [%a, %q]      %a        when every way leads there, else a join of roots
    %p = load %slot        what was stored into the slot: a local variable that does not escape

    provenance.strip(q)       (base, offset): offset None when not constant
    provenance.is_moved(q)    whether q may lie far enough from its root to jump over a redzone
    provenance.jumps(q)       whether it may get there by one step
    provenance.root_of(join)  the one root of a phi or select, or None

Followed: getelementptr, bitcast, freeze, phi, select, loads of local pointer variables (clang -O0).
Not followed, so that they begin anew: other loads, results of calls, arguments; inttoptr says
nothing at all.  An offset that holds the difference of pointers into two objects (`p += new - old`
after realloc) is not followed either: ISO C does not allow it, programs do it, and it is right.

Source: the LLVM Language Reference, "Pointer Aliasing Rules" (based-on), for what carries on.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.analysis.values.value_ranges import Range
from irsan.ir.constants import ConstantExpr, ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr, Load, Store
from irsan.ir.operations import BinaryOp, Cast, Freeze, Select
from irsan.ir.phi import Phi
from irsan.ir.types import PointerType, VectorType
from irsan.ir.values import BasicBlock, Function, Value

MAX_STEPS = 64
MAX_JOINED = 200
_LINEAR = frozenset(("add", "sub", "mul", "shl", "ashr", "sdiv"))
_INTEGER_CASTS = frozenset(("sext", "zext", "trunc"))


class Step(NamedTuple):
    """`offset` bytes from `base`; None when it is not constant."""

    base: Value
    offset: int | None


class StoreSite(NamedTuple):
    """A store into a slot and the block it is in."""

    store: Store
    block: BasicBlock


class Provenance:
    """Answers for one function, each found once.

    limit_bytes: constant offsets below it cannot leave an object unseen, by the redzones.
    """

    __slots__ = ("_limit", "_sizes", "_steps", "slots")

    def __init__(self, function: Function, sizes: TypeSizes, limit_bytes: int) -> None:
        self._sizes, self._limit = sizes, limit_bytes
        self._steps: dict[Value, Step] = {}
        self.slots = pointer_slots(function)

    def strip(self, pointer: Value) -> Step:
        """What `pointer` is computed from by offsets alone."""
        found = self._steps.get(pointer)
        if found is None:
            found = self._steps[pointer] = self._strip(pointer)
        return found

    def slot_of(self, value: Value) -> Alloca | None:
        """The slot that `value` is loaded from, or None."""
        if isinstance(value, Load) and value.operands[0] in self.slots:
            return value.operands[0]
        return None

    def root_of(self, join: Value) -> Value | None:
        """The only root of a phi or select; None when there are several."""
        roots: set[Value] = set()
        seen, waiting = {join}, [join]
        while waiting:
            for value in _joined(waiting.pop()):
                base = self.strip(value).base
                if not isinstance(base, (Phi, Select)):
                    roots.add(base)
                elif base not in seen:
                    seen.add(base)
                    waiting.append(base)
            if len(roots) > 1 or len(seen) > MAX_JOINED:
                return None
        return roots.pop() if roots else None

    def is_moved(self, pointer: Value) -> bool:
        """Whether the way from a root to `pointer` may be far, as one taken again and again is.

        Walks all pairs of a base and an offset that lead to the pointer; those of a loop that
        moves a pointer go on until the limit.
        """
        return self._is_far(pointer, adds_steps=True)

    def jumps(self, pointer: Value) -> bool:
        """Whether one step on the way from a root to `pointer` may be far."""
        return self._is_far(pointer, adds_steps=False)

    def _is_far(self, pointer: Value, *, adds_steps: bool) -> bool:
        seen: set[tuple[Value, int]] = set()
        waiting = [(pointer, 0)]
        while waiting:
            value, known = waiting.pop()
            base, steps = self._steps_of(value)
            for step in steps:
                offset = (known if adds_steps else 0) + step
                if abs(offset) >= self._limit:
                    return True
                if (base, offset) in seen:
                    continue
                if len(seen) > MAX_JOINED:
                    return True
                seen.add((base, offset))
                waiting += [(one, offset) for one in self._behind(base)]
        return False

    def _steps_of(self, pointer: Value) -> tuple[Value, tuple[int, ...]]:
        """What `strip` ends at, and the ends of what the offset can be; beyond the limit if any."""
        base, offset = self.strip(pointer)
        if offset is not None:
            return base, (offset,)
        at, lo, hi = pointer, 0, 0
        while at is not base:
            step = Range(0, 0)
            if isinstance(at, GetElementPtr):
                found = self._sizes.gep_range(at.source_type, at.operands[1:])
                if found is None:
                    return base, (self._limit,)
                step = found
            elif isinstance(at, ConstantExpr):
                return base, (self._limit,)
            lo, hi = lo + step.lo, hi + step.hi
            at = at.operands[0]  # type: ignore[attr-defined]
        return base, (lo, hi)

    def _behind(self, base: Value) -> list[Value]:
        slot = self.slot_of(base)
        if slot is not None:
            return [site.store.operands[0] for site in self.slots[slot]]
        return _joined(base)

    def _strip(self, pointer: Value) -> Step:
        at, offset = pointer, 0
        is_constant = True
        for _ in range(MAX_STEPS):
            if isinstance(at, GetElementPtr) and self._is_followed(at):
                step = self._sizes.gep_offset(at.source_type, at.operands[1:])
                is_constant = is_constant and step is not None
                offset += step or 0
                at = at.operands[0]
            elif isinstance(at, ConstantExpr) and at.opcode == "getelementptr" and at.source_type:
                offset += self._sizes.gep_offset(at.source_type, at.operands[1:]) or 0
                at = at.operands[0]
            elif isinstance(at, Freeze) or _is_plain_cast(at):
                at = at.operands[0]  # type: ignore[attr-defined]
            else:
                break
        return Step(at, offset if is_constant else None)

    def _is_followed(self, gep: GetElementPtr) -> bool:
        if isinstance(gep.type, VectorType) or isinstance(gep.operands[0].type, VectorType):
            return False
        return not any(self._is_rebasing(index, 6) for index in gep.operands[1:])

    def _is_rebasing(self, index: Value, depth: int) -> bool:
        """Whether an offset holds the difference of pointers that have no root in common."""
        if not depth or isinstance(index, ConstantInt):
            return False
        if isinstance(index, Cast):
            if index.opcode == "ptrtoint":
                return True
            is_integer = index.opcode in _INTEGER_CASTS
            return is_integer and self._is_rebasing(index.operands[0], depth - 1)
        if not isinstance(index, BinaryOp) or index.opcode not in _LINEAR:
            return False
        left, right = index.operands
        if index.opcode == "sub" and self._are_of_one_object(left, right):
            return False
        return self._is_rebasing(left, depth - 1) or self._is_rebasing(right, depth - 1)

    def _are_of_one_object(self, left: Value, right: Value) -> bool:
        if not (_is_address(left) and _is_address(right)):
            return False
        root = self._single_root(left.operands[0])  # type: ignore[attr-defined]
        return root is not None and root is self._single_root(right.operands[0])  # type: ignore[attr-defined]

    def _single_root(self, pointer: Value) -> Value | None:
        """The root of a pointer whatever the offsets; of two loads of one slot, the slot."""
        roots: set[Value] = set()
        seen, waiting = {pointer}, [pointer]
        while waiting and len(seen) < MAX_JOINED:
            base = _without_offsets(waiting.pop())
            behind = _joined(base)
            if not behind:
                roots.add(self.slot_of(base) or base)
            new = [one for one in behind if one not in seen]
            seen.update(new)
            waiting += new
        return roots.pop() if len(roots) == 1 and not waiting else None


def pointer_slots(function: Function) -> dict[Alloca, list[StoreSite]]:
    """Local variables of pointer type that are only loaded and stored, with their stores."""
    slots: dict[Alloca, list[StoreSite]] = {}
    for instruction in function.blocks[0].instructions:
        if isinstance(instruction, Alloca) and _holds_a_pointer(instruction):
            slots[instruction] = []
    if slots:
        _drop_escaping(function, slots)
    return slots


def _holds_a_pointer(alloca: Alloca) -> bool:
    count, kind = alloca.count, alloca.allocated_type
    is_one = isinstance(count, ConstantInt) and count.value == 1
    return is_one and isinstance(kind, PointerType) and not kind.address_space


def _drop_escaping(function: Function, slots: dict[Alloca, list[StoreSite]]) -> None:
    for block in function.blocks:
        for instruction in block.instructions:
            for index, operand in enumerate(instruction.operands):
                if not isinstance(operand, Alloca) or operand not in slots:
                    continue
                if isinstance(instruction, Store) and index == 1 and _is_pointer(instruction):
                    slots[operand].append(StoreSite(instruction, block))
                elif not _leaves_alone(instruction):
                    del slots[operand]


def _is_pointer(store: Store) -> bool:
    return isinstance(store.operands[0].type, PointerType) and store.ordering is None


def _leaves_alone(instruction: Instruction) -> bool:
    if isinstance(instruction, Load):
        return isinstance(instruction.type, PointerType) and instruction.ordering is None
    callee = instruction.operands[0]
    return (getattr(callee, "name", None) or "").startswith(("llvm.lifetime.", "llvm.dbg."))


def _without_offsets(pointer: Value) -> Value:
    for _ in range(MAX_STEPS):
        if not isinstance(pointer, (GetElementPtr, Freeze)):
            break
        pointer = pointer.operands[0]
    return pointer


def _joined(value: Value) -> list[Value]:
    if isinstance(value, Phi):
        return value.operands
    return value.operands[1:] if isinstance(value, Select) else []


def _is_plain_cast(value: Value) -> bool:
    return (
        isinstance(value, Cast)
        and value.opcode == "bitcast"
        and value.type is value.operands[0].type
    )


def _is_address(value: Value) -> bool:
    return isinstance(value, Cast) and value.opcode == "ptrtoint"
