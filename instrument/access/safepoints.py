"""Safepoints: where a guest thread may be made to wait for another.

    entry of a function that calls others       __irsan_safepoint()    behind its frame entry
    end of each block with a back edge          __irsan_safepoint()    before the terminator
    a back edge that leaves an inner loop       __irsan_safepoint()    in a block of its own
    a loop whose turns all call such functions  none of its own
    a loop that ends after a few turns          none, unless it calls or orders

So a turn of an inner loop has no safepoint of an outer one, and such a loop is one for the strips
of loops (loops/loop_strips.py). Each safepoint counts down in memory, and two counts shortly one
behind the other wait for each other: without the second a loop that calls is up to twice as fast.

Soundness: every cycle of a control flow graph has a back edge and every recursion an entry, so no
guest thread can run on for ever without a safepoint; only loops that compute on their own and
count to a bound, or end after a few turns, have none (counted_loops.py, short_loops.py). A loop
that calls in each turn has that of the entry of what it calls: a function of this module, which no
other definition can stand in for.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

from irsan.instrument.analysis.control_flow.counted_loops import (
    every_turn_meets,
    is_counted_computation,
    natural_loop,
    predecessors_of,
)
from irsan.instrument.analysis.control_flow.effects import (
    CALL_OPCODES,
    calls_of,
    may_reach_other_code,
)
from irsan.instrument.analysis.control_flow.function_exits import entry_index
from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.instrument.analysis.control_flow.short_loops import most_turns
from irsan.instrument.check_hooks import COMPARING, is_check
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import is_hook_name
from irsan.instrument.policy import is_touched
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.control import Br, Switch
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

SAFEPOINT = "__irsan_safepoint"


@dataclass(frozen=True, slots=True)
class Safepoints:
    """Safepoints for all functions; run it before `ShadowFrames`, which goes in front of them."""

    def apply(self, module: Module) -> None:
        """Insert the safepoints of all functions."""
        hooks = HookCalls(module)
        touched = list(filter(is_touched, module.functions))
        waiting = {one for one in touched if _calls_others(one)}
        known = {one for one in waiting if one.has_local_linkage or _is_final(one)}
        for function in touched:
            add_safepoints(hooks, function, known, at_entry=function in waiting)


def add_safepoints(
    hooks: HookCalls, function: Function, waiting: Set[Function], *, at_entry: bool
) -> None:
    """Insert the safepoints of one function; calls of `waiting` are sure to come to one."""
    found = back_edges(function) if len(function.blocks) > 1 else {}
    predecessors = predecessors_of(function) if found else {}
    calling = {one for one in function.blocks if _calls_one_of(one, waiting)} if found else set()
    for latch, headers in found.items():
        edges = [_BackEdge(latch, one, natural_loop(latch, one, predecessors)) for one in headers]
        _wait_in_loops(hooks, latch, [edge for edge in edges if not edge.needs_none(calling)])
    if at_entry:
        instructions, index = function.entry.instructions, entry_index(function)
        location = instructions[index].debug_location
        instructions.insert(index, hooks.call(SAFEPOINT, [], location))


class _BackEdge(NamedTuple):
    """A back edge; `inside` are the blocks of its loop, none when that has another entrance."""

    latch: BasicBlock
    header: BasicBlock
    inside: set[BasicBlock]

    def needs_none(self, calling: Set[BasicBlock]) -> bool:
        """Whether its loop surely ends, or meets a safepoint in each turn, in blocks `calling`."""
        return bool(self.inside) and (
            is_counted_computation(self.latch, self.header, self.inside)
            or self._is_short()
            or every_turn_meets(calling, self.latch, self.header, self.inside)
        )

    def leaves_inner_loop(self) -> bool:
        """Whether the latch goes to the header, and by another of its edges to itself without."""
        others = [one for one in self.latch.successors if one is not self.header]
        if not isinstance(self.latch.terminator, (Br, Switch)):
            return False
        is_one_edge = len(others) + 1 == len(self.latch.successors)
        return is_one_edge and not self.inside.isdisjoint(others)

    def _is_short(self) -> bool:
        """Whether it ends after a few turns, in which other threads see nothing in between."""
        if most_turns(self.latch, self.header, self.inside) is None:
            return False
        return not any(_is_seen(one) for block in self.inside for one in block.instructions)


def _wait_in_loops(hooks: HookCalls, latch: BasicBlock, edges: list[_BackEdge]) -> None:
    """Another thread gets its chance in each turn of these loops."""
    apart = [edge for edge in edges if edge.leaves_inner_loop()]
    for edge in apart:
        _add_on_edge(hooks, latch, edge.header)
    if len(apart) < len(edges):
        _add_before_end(hooks, latch)


def _is_seen(instruction: Instruction) -> bool:
    """Whether other threads may act on what an instruction does, or it on what they do."""
    if isinstance(instruction, (Call, CallTerminator)):
        callee = instruction.callee
        if isinstance(callee, Function) and is_hook_name(callee.name):
            return callee.name not in COMPARING and not is_check(instruction)
        return not isinstance(callee, Function) or may_reach_other_code(instruction)
    if isinstance(instruction, (Load, Store)):
        return instruction.ordering is not None or instruction.volatile
    return instruction.opcode in ("cmpxchg", "atomicrmw", "fence")


def _add_on_edge(hooks: HookCalls, latch: BasicBlock, header: BasicBlock) -> None:
    """In a block between the two."""
    terminator = latch.terminator
    assert terminator is not None
    assert latch.parent is not None
    between = latch.parent.new_block(latch.type, after=latch)
    between.instructions.append(hooks.call(SAFEPOINT, [], terminator.debug_location))
    Builder(hooks.module, between.instructions, terminator.debug_location).br(header)
    terminator.successors = [between if one is header else one for one in terminator.successors]
    for phi in header.phis():
        phi.blocks = [between if one is latch else one for one in phi.blocks]


def _add_before_end(hooks: HookCalls, block: BasicBlock) -> None:
    """Before the terminator; a catchswitch must stay alone in its block."""
    terminator = block.instructions[-1]
    if terminator.is_pad:
        return
    safepoint = hooks.call(SAFEPOINT, [], terminator.debug_location)
    block.instructions.insert(len(block.instructions) - 1, safepoint)


def _calls_one_of(block: BasicBlock, functions: Set[Function]) -> bool:
    return any(
        one.opcode in CALL_OPCODES and one.operands[0] in functions for one in block.instructions
    )


def _is_final(function: Function) -> bool:
    """Whether calls from this module come to this definition, whatever it is linked with."""
    return function.linkage == "external" and function.dso_local


def _calls_others(function: Function) -> bool:
    """Whether the function calls something that is no hook."""
    for call in calls_of(function):
        callee = call.operands[0]
        if isinstance(callee, Function) and is_hook_name(callee.name):
            continue
        if may_reach_other_code(call):
            return True
    return False
