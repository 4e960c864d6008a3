"""Edges of one function: where blocks begin, and the moves of their phis on the way there.

All sources of one edge are read before any phi is written (parallel copies; Boissinot et al.,
"Revisiting Out-of-SSA Translation", 2009, section 3).  An edge of a branch with several targets
gets a piece of code of its own.  A jump to an address does not know whence it comes: what the phis
take is put aside in front of it, and moved where it arrives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from irsan.engine.interp.code import Code, Label, Register
from irsan.engine.interp.registers import Registers
from irsan.ir.values import BasicBlock, Value


@dataclass(slots=True)
class Edges:
    """Labels and moves; code is appended to `code`."""

    code: Code
    registers: Registers
    _labels: dict[BasicBlock, Label] = field(default_factory=dict)
    _edges: dict[tuple[BasicBlock, BasicBlock], Label] = field(default_factory=dict)
    _arrivals: dict[BasicBlock, Label] = field(default_factory=dict)
    _staged: dict[Value, Register] = field(default_factory=dict)
    _scratch: dict[tuple[int, int], Register] = field(default_factory=dict)

    def label(self, block: BasicBlock) -> Label:
        """Where a block's code begins, behind its phis."""
        return self._labels.setdefault(block, Label())

    def edge(self, origin: BasicBlock, target: BasicBlock) -> Label:
        """Where an edge begins: its moves, or the block."""
        if not self.has_moves(origin, target):
            return self.label(target)
        return self._edges.setdefault((origin, target), Label())

    def arrival(self, block: BasicBlock) -> Label:
        """What a block's address is: what was staged for its phis is moved, then it begins."""
        return self._arrivals.setdefault(block, Label())

    def has_moves(self, origin: BasicBlock, target: BasicBlock) -> bool:
        """Whether anything must be copied on an edge."""
        return any(to != source for to, source, _ in self._pairs(origin, target))

    def move(self, origin: BasicBlock, target: BasicBlock) -> None:
        """The parallel copy of an edge."""
        self._copy_parallel(self._pairs(origin, target))

    def stage(self, origin: BasicBlock, targets: Sequence[BasicBlock]) -> None:
        """Put aside what the phis of `targets` take from `origin`, before a jump to one of them."""
        for target in dict.fromkeys(targets):
            self.arrival(target)
            for phi in target.phis():
                value = phi.operands[phi.blocks.index(origin)]
                n_slots = self.registers.n_slots(phi.type)
                self.copy(self._stage_of(phi), self.registers.of(value), n_slots)

    def emit(self) -> None:
        """The pieces of code of edges and arrivals, behind all blocks."""
        for (origin, target), label in self._edges.items():
            self.code.place(label)
            self.move(origin, target)
            self.code.emit("jmp", self.label(target))
        for block, label in self._arrivals.items():
            self.code.place(label)
            for phi in block.phis():
                n_slots = self.registers.n_slots(phi.type)
                self.copy(self.registers.of(phi), self._stage_of(phi), n_slots)
            self.code.emit("jmp", self.label(block))

    def copy(self, target: Register, source: Register, n_slots: int = 1) -> None:
        """One copy."""
        if n_slots == 1:
            self.code.emit("mov", target, source)
        else:
            self.code.emit("copy", target, source, n_slots)

    def _pairs(
        self, origin: BasicBlock, target: BasicBlock
    ) -> list[tuple[Register, Register, int]]:
        pairs = []
        for phi in target.phis():
            value = phi.operands[phi.blocks.index(origin)]
            to, source = self.registers.of(phi), self.registers.of(value)
            pairs.append((to, source, self.registers.n_slots(phi.type)))
        return pairs

    def _copy_parallel(self, pairs: Sequence[tuple[Register, Register, int]]) -> None:
        """Copies (target, source, slots) as if at once."""
        sources = {target: (source, n) for target, source, n in pairs if target != source}
        n_reads = Counter(source for source, _ in sources.values())
        ready = [target for target in sources if not n_reads[target]]
        while sources:
            if not ready:  # only cycles are left: one value steps aside
                target, (_, n_slots) = next(iter(sources.items()))
                aside = self._aside(n_slots, len(sources))
                self.copy(aside, target, n_slots)
                readers = [one for one, (source, _) in sources.items() if source == target]
                sources |= {one: (aside, sources[one][1]) for one in readers}
                n_reads[aside] = n_reads.pop(target)
                ready.append(target)
            target = ready.pop()
            source, n_slots = sources.pop(target)
            self.copy(target, source, n_slots)
            n_reads[source] -= 1
            if not n_reads[source] and source in sources:
                ready.append(source)

    def _aside(self, n_slots: int, n_left: int) -> Register:
        """A register for a cycle; one is enough per size and number of copies still to do."""
        found = self._scratch.get((n_slots, n_left))
        if found is None:
            found = self._scratch[n_slots, n_left] = self.registers.permanent(n_slots)
        return found

    def _stage_of(self, phi: Value) -> Register:
        found = self._staged.get(phi)
        if found is None:
            n_slots = self.registers.n_slots(phi.type)
            found = self._staged[phi] = self.registers.permanent(n_slots)
        return found
