"""Which values live where, and which phis share a register with what they are made of.

Sets of values are Python integers, one bit per value, so a union is one operation.  What an edge's
phis read is live at the end of the edge's origin; a phi is defined at the head of its block.

Two values may share a register when neither lives where the other is defined (the interference of
Chaitin, "Register Allocation and Spilling via Graph Coloring", 1982).  A phi tries to share with
each of its sources, first come, first served; what cannot share is moved on its edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from irsan.ir.datalayout import DataLayout
from irsan.ir.instruction import Instruction
from irsan.ir.phi import Phi
from irsan.ir.values import Argument, BasicBlock, Function, Value

_HEAD = -1


def used_values(op: Instruction) -> Iterator[Value]:
    """The locals that an instruction reads, those of its bundles included."""
    for value in op.operands:
        if isinstance(value, (Instruction, Argument)):
            yield value
    for bundle in getattr(op, "bundles", ()):
        for value in bundle.operands:
            if isinstance(value, (Instruction, Argument)):
                yield value


@dataclass(slots=True)
class Liveness:
    """Live values at the ends of blocks, and places of definitions and last uses."""

    bits: dict[Value, int] = field(default_factory=dict)
    defined: dict[Value, tuple[BasicBlock, int]] = field(default_factory=dict)
    last_uses: dict[tuple[BasicBlock, Value], int] = field(default_factory=dict)
    live_in: dict[BasicBlock, int] = field(default_factory=dict)
    live_out: dict[BasicBlock, int] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Function) -> Liveness:
        made = cls()
        entry = function.blocks[0]
        for argument in function.arguments:
            made._define(argument, entry, _HEAD)
        for block in function.blocks:
            for index, op in enumerate(block.instructions):
                made._define(op, block, _HEAD if op.opcode == "phi" else index)
        made._solve(function)
        return made

    def _define(self, value: Value, block: BasicBlock, index: int) -> None:
        self.bits[value] = 1 << len(self.bits)
        self.defined[value] = (block, index)

    def _solve(self, function: Function) -> None:
        """Backwards until nothing changes; blocks in reverse order need few rounds."""
        needed, killed, edges = {}, {}, {}
        for block in function.blocks:
            needed[block], killed[block] = self._block_sets(block)
            edges[block] = self._edge_uses(block)
            self.live_in[block] = 0
        changed = True
        while changed:
            changed = False
            for block in reversed(function.blocks):
                out = edges[block]
                for successor in block.successors:
                    out |= self.live_in[successor]
                self.live_out[block] = out
                into = needed[block] | (out & ~killed[block])
                if into != self.live_in[block]:
                    self.live_in[block] = into
                    changed = True

    def _block_sets(self, block: BasicBlock) -> tuple[int, int]:
        """Values that the block reads before it defines them, and those it defines."""
        needed = killed = 0
        for index, op in enumerate(block.instructions):
            if op.opcode != "phi":
                for value in used_values(op):
                    self.last_uses[block, value] = index
                    needed |= self.bits[value] & ~killed
            killed |= self.bits[op]
        return needed, killed

    def _edge_uses(self, block: BasicBlock) -> int:
        found = 0
        for successor in block.successors:
            for phi in successor.phis():
                value = phi.operands[phi.blocks.index(block)]
                found |= self.bits.get(value, 0)
        return found

    def lives_at_definition(self, value: Value, other: Value) -> bool:
        """Whether `value` still lives just behind the definition of `other`."""
        block, index = self.defined[other]
        bit = self.bits[value]
        home, own_index = self.defined[value]
        if home is block and own_index >= index:
            is_same_head = own_index == index == _HEAD and value is not other
            return is_same_head or bool(self.live_in[block] & bit)
        if index == _HEAD:
            return bool(self.live_in[block] & bit)
        return bool(self.live_out[block] & bit) or self.last_uses.get((block, value), -1) > index


def shared_registers(function: Function, layout: DataLayout) -> dict[Value, Value]:
    """For values that share a register with a phi: the value whose register it is."""
    if not any(block.phis() for block in function.blocks):
        return {}
    liveness = Liveness.of(function)
    leaders: dict[Value, Value] = {}
    members: dict[Value, list[Value]] = {}
    for block in function.blocks:
        for phi in block.phis():
            _share(phi, liveness, leaders, members, layout)
    return leaders


def _share(
    phi: Phi, liveness: Liveness, leaders: dict[Value, Value], members: dict[Value, list[Value]],
    layout: DataLayout,
) -> None:  # fmt: skip
    for value in phi.operands:
        leader = leaders.get(phi, phi)
        other = leaders.get(value, value)
        if other is leader or not isinstance(value, Instruction) or value.opcode in _FIXED:
            continue
        if layout.alloc_size(value.type) != layout.alloc_size(phi.type):
            continue
        ours, theirs = members.get(leader, [leader]), members.get(other, [other])
        if any(_interfere(liveness, a, b) for a in ours for b in theirs):
            continue
        members[leader] = [*ours, *theirs]
        leaders |= dict.fromkeys(theirs, leader)


_FIXED = frozenset(("alloca", "landingpad", "invoke", "callbr"))


def _interfere(liveness: Liveness, a: Value, b: Value) -> bool:
    return liveness.lives_at_definition(a, b) or liveness.lives_at_definition(b, a)
