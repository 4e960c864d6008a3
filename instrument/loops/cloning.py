"""Copies of a loop's blocks, and of single values that are computed from its counters.

    copy = copy_loop(module, function, loop, replaced)
    copy.blocks[block], copy.values[instruction]     of the copy, by those of the loop

    values_to_memory(module, function, loop)   values that are used behind the loop go by way of a
                                               variable, so that both versions can set it
    Rebuilt(module, loop, now, out).value(v)   `v` computed again, of other values for the phis

LLVM makes registers of the variables again (SROA, engine/program_image/codegen.py).

Source: LLVM's "reg2mem" (DemoteRegToStack) for the way by memory.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, CallTerminator, OperandBundle
from irsan.ir.instruction import Instruction, Terminator
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.phi import Phi
from irsan.ir.values import BasicBlock, Function, Value


@dataclass(slots=True)
class LoopCopy:
    """What stands for what."""

    blocks: dict[BasicBlock, BasicBlock] = field(default_factory=dict)
    values: dict[Value, Value] = field(default_factory=dict)
    pairs: list[tuple[Instruction, Instruction]] = field(default_factory=list)

    def value(self, value: Value) -> Value:
        """What stands for `value`, which is itself when it is not of the loop."""
        return self.values.get(value, value)


def copy_loop(
    module: Module,
    function: Function,
    loop: Loop,
    replaced: Mapping[Value, Value | None],
) -> LoopCopy:
    """A copy of all blocks, at the function's end, whose edges out of the loop are as before.

    replaced: what stands for an instruction of the loop instead of its copy, another one or a
    constant; None: nothing.  What stands for a value from outside is used in the copy, too.
    """
    made = LoopCopy()
    made.values.update({old: new for old, new in replaced.items() if new is not None})
    for block in loop.blocks:
        made.blocks[block] = function.new_block(module.types.label)
    for block in loop.blocks:
        for one in block.instructions:
            twin = replaced[one] if one in replaced else _copied(one)
            if isinstance(twin, Instruction):
                made.values[one] = twin
                made.pairs.append((one, twin))
                made.blocks[block].instructions.append(twin)
    for block in made.blocks.values():
        for one in block.instructions:
            _redirect(one, made)
    return made


def _copied(instruction: Instruction) -> Instruction:
    """The same instruction once more, without debug records, which belong to one."""
    twin = copy.copy(instruction)
    twin.operands = list(instruction.operands)
    twin.name = None
    twin.ref = "%?"
    twin.debug_records = ()
    if isinstance(twin, Terminator):
        twin.successors = list(twin.successors)
    if isinstance(twin, Phi):
        twin.blocks = list(twin.blocks)
    return twin


def _redirect(instruction: Instruction, made: LoopCopy) -> None:
    instruction.operands = [made.value(one) for one in instruction.operands]
    if isinstance(instruction, Call | CallTerminator) and instruction.bundles:
        instruction.bundles = [
            OperandBundle(bundle.tag, [made.value(one) for one in bundle.operands])
            for bundle in instruction.bundles
        ]
    if isinstance(instruction, Terminator):
        instruction.successors = [made.blocks.get(one, one) for one in instruction.successors]
    if isinstance(instruction, Phi):
        instruction.blocks = [made.blocks.get(one, one) for one in instruction.blocks]


def values_to_memory(module: Module, function: Function, loop: Loop) -> None:
    """Let values of a loop that are used outside be stored in it and loaded where they are used.

    A phi outside that an edge of the loop leads to takes its value from the edge: it stays.
    """
    inside = {one: block for block in loop.blocks for one in block.instructions}
    slots: dict[Instruction, Alloca] = {}
    for block in function.blocks:
        if block not in loop.blocks:
            _load_in(module, function, block, loop.blocks, inside, slots)
    for value, slot in slots.items():
        _store_behind(module, inside[value], value, slot)


def _load_in(
    module: Module, function: Function, block: BasicBlock, of_loop: Collection[BasicBlock],
    inside: Mapping[Instruction, BasicBlock], slots: dict[Instruction, Alloca],
) -> None:  # fmt: skip
    found: list[tuple[Instruction, list[Value], int, BasicBlock | None]] = []
    for one in block.instructions:
        for operands in _operand_lists(one):
            for at, operand in enumerate(operands):
                if operand in inside:
                    origin = one.blocks[at] if isinstance(one, Phi) else None
                    if origin is None or origin not in of_loop:
                        found.append((one, operands, at, origin))
    for user, operands, at, origin in found:
        value = operands[at]
        assert isinstance(value, Instruction)
        slot = slots.get(value)
        if slot is None:
            slot = slots[value] = _new_slot(module, function, value)
        loaded: list[Instruction] = []
        Builder(module, loaded).load(value.type, slot, slot.alignment)
        where = block if origin is None else origin
        index = where.instructions.index(user) if origin is None else len(where.instructions) - 1
        where.instructions[index:index] = loaded
        operands[at] = loaded[0]


def _operand_lists(instruction: Instruction) -> list[list[Value]]:
    """Its operands, and those of a call's bundles."""
    if isinstance(instruction, Call | CallTerminator):
        return [instruction.operands, *(bundle.operands for bundle in instruction.bundles)]
    return [instruction.operands]


def _new_slot(module: Module, function: Function, value: Value) -> Alloca:
    made: list[Instruction] = []
    slot = Builder(module, made).alloca(value.type, 16)
    function.entry.instructions[0:0] = made
    return slot


def _store_behind(module: Module, block: BasicBlock, value: Instruction, slot: Alloca) -> None:
    made: list[Instruction] = []
    Builder(module, made).store(value, slot, slot.alignment)
    at = block.instructions.index(value) + 1
    if isinstance(value, Phi):
        at = block.first_insertion_index()
    block.instructions[at:at] = made


class Rebuilt:
    """Values of a loop computed once more in front of it, of what `now` says of its phis.

    Flags are dropped: what the loop may never compute must not be poison here.
    """

    __slots__ = ("_inside", "_now", "_out")

    def __init__(self, loop: Loop, now: Mapping[Value, Value], out: list[Instruction]) -> None:
        self._inside = {one for block in loop.blocks for one in block.instructions}
        self._now: dict[Value, Value] = dict(now)
        self._out = out

    def value(self, value: Value) -> Value:
        """What stands for `value`; its instructions are appended to `out`."""
        if value not in self._inside:
            return value
        found = self._now.get(value)
        if found is None:
            found = self._now[value] = self._again(value)
        return found

    def _again(self, value: Value) -> Value:
        assert isinstance(value, Instruction) and not isinstance(value, (Phi, Call))
        operands = [self.value(one) for one in value.operands]
        twin = _copied(value)
        twin.operands, twin.metadata, twin.debug_location = operands, (), None
        if getattr(twin, "flags", ()):
            twin.flags = ()  # type: ignore[attr-defined]
        self._out.append(twin)
        return twin
