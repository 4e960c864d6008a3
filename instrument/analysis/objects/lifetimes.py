"""Where stack variables are surely alive, by their lifetime markers.

    call void @llvm.lifetime.start(ptr %a)     alive from here
    call void @llvm.lifetime.end(ptr %a)       dead from here

A variable with markers is dead at the entry; one without is alive all the time. At a join it is
alive when it is on every way there. A marker whose variable is unknown switches all markers of
the function off, as nothing can be said then.

Source: the LLVM Language Reference, "Memory Use Markers"; the "must" analysis of LLVM's
StackLifetime. Deviations: a marker stands for the whole variable, whatever size it names.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.types import PointerType
from irsan.ir.values import BasicBlock, Function, Value

START, END = "llvm.lifetime.start", "llvm.lifetime.end"


@dataclass(frozen=True, slots=True)
class Marker:
    """A lifetime marker and the variable it is about."""

    call: Call
    alloca: Alloca
    is_start: bool


def marked_pointer(instruction: Instruction) -> Value | None:
    """The pointer of a lifetime marker; None for every other instruction."""
    callee = instruction.operands[0] if instruction.opcode == "call" else None
    if not isinstance(callee, Function) or not callee.name.startswith((START, END)):
        return None
    return next(one for one in instruction.operands[1:] if isinstance(one.type, PointerType))


def is_start(instruction: Instruction) -> bool:
    """Whether a marker begins a life."""
    callee = instruction.operands[0]
    return isinstance(callee, Function) and callee.name.startswith(START)


class Lifetimes:
    """Lives of the variables of one function; sets of variables are bits of an integer."""

    __slots__ = ("_addresses", "_alive_at", "_bits", "markers")

    def __init__(self, function: Function, addresses: AddressFacts) -> None:
        self._addresses = addresses
        self.markers: dict[Instruction, Marker] = {}
        self._bits: dict[Alloca, int] = {}
        self._alive_at: dict[BasicBlock, int] = {}
        if self._find_markers(function):
            self._solve(function)

    def has_markers(self, alloca: Alloca) -> bool:
        return alloca in self._bits

    def alive_at(self, block: BasicBlock) -> int:
        """The variables that are alive where `block` begins."""
        return self._alive_at.get(block, 0)

    def after(self, alive: int, instruction: Instruction) -> int:
        """The variables that are alive behind an instruction."""
        marker = self.markers.get(instruction)
        if marker is None:
            return alive
        bit = self._bits[marker.alloca]
        return alive | bit if marker.is_start else alive & ~bit

    def is_alive(self, alloca: Alloca, alive: int) -> bool:
        """Whether a variable is in the set, or has no markers at all."""
        bit = self._bits.get(alloca)
        return bit is None or bool(alive & bit)

    def _find_markers(self, function: Function) -> bool:
        """Fills the tables; whether there is anything to solve."""
        for block in function.blocks:
            for instruction in block.instructions:
                pointer = marked_pointer(instruction)
                if pointer is None:
                    continue
                root = self._addresses.locate(pointer).root
                if not isinstance(root, Alloca):
                    self.markers.clear()
                    self._bits.clear()
                    return False
                self._bits.setdefault(root, 1 << len(self._bits))
                assert isinstance(instruction, Call)
                self.markers[instruction] = Marker(instruction, root, is_start(instruction))
        return bool(self.markers)

    def _solve(self, function: Function) -> None:
        """Greatest fixed point: a block begins with what all its predecessors end with."""
        everything = (1 << len(self._bits)) - 1
        effects = {block: self._effect(block) for block in function.blocks}
        alive = dict.fromkeys(function.blocks, everything)
        alive[function.entry] = 0
        work = [function.entry]
        waiting = {function.entry}
        seen: set[BasicBlock] = set()
        while work:
            block = work.pop()
            waiting.discard(block)
            seen.add(block)
            gained, lost = effects[block]
            at_end = (alive[block] & ~lost) | gained
            for successor in block.successors:
                met = alive[successor] & at_end
                if (met != alive[successor] or successor not in seen) and successor not in waiting:
                    work.append(successor)
                    waiting.add(successor)
                alive[successor] = met
        self._alive_at = alive

    def _effect(self, block: BasicBlock) -> tuple[int, int]:
        """(alive behind the block whatever was before, dead behind it)."""
        gained = lost = 0
        for instruction in block.instructions:
            marker = self.markers.get(instruction) if instruction.opcode == "call" else None
            if marker is None:
                continue
            bit = self._bits[marker.alloca]
            if marker.is_start:
                gained, lost = gained | bit, lost & ~bit
            else:
                gained, lost = gained & ~bit, lost | bit
        return gained, lost
