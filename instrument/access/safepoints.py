"""Safepoints: where a guest thread may be made to wait for another.

    entry of a function that calls others       __irsan_safepoint()    behind its frame entry
    end of each block with a back edge          __irsan_safepoint()    before the terminator

Soundness: every cycle of a control flow graph has a back edge and every recursion an entry, so no
guest thread can run on for ever without a safepoint; only loops that compute on their own and
count to a bound have none (counted_loops.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.counted_loops import (
    is_counted_computation,
    predecessors_of,
)
from irsan.instrument.analysis.control_flow.effects import calls_of, may_reach_other_code
from irsan.instrument.analysis.control_flow.function_exits import entry_index
from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import is_hook_name
from irsan.instrument.policy import is_touched
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

SAFEPOINT = "__irsan_safepoint"


@dataclass(frozen=True, slots=True)
class Safepoints:
    """Safepoints for all functions; run it before `ShadowFrames`, which goes in front of them."""

    def apply(self, module: Module) -> None:
        """Insert the safepoints of all functions."""
        hooks = HookCalls(module)
        for function in module.functions[:]:
            if is_touched(function):
                add_safepoints(hooks, function)


def add_safepoints(hooks: HookCalls, function: Function) -> None:
    """Insert the safepoints of one function."""
    if len(function.blocks) > 1:
        for block in _waiting_latches(function):
            _add_before_end(hooks, block)
    if _calls_others(function):
        instructions, index = function.entry.instructions, entry_index(function)
        location = instructions[index].debug_location
        instructions.insert(index, hooks.call(SAFEPOINT, [], location))


def _waiting_latches(function: Function) -> list[BasicBlock]:
    """Blocks at whose end another thread must get its chance."""
    edges = back_edges(function)
    predecessors = predecessors_of(function) if edges else {}
    return [
        latch
        for latch, headers in edges.items()
        if not all(is_counted_computation(latch, header, predecessors) for header in headers)
    ]


def _add_before_end(hooks: HookCalls, block: BasicBlock) -> None:
    """Before the terminator; a catchswitch must stay alone in its block."""
    terminator = block.instructions[-1]
    if terminator.is_pad:
        return
    safepoint = hooks.call(SAFEPOINT, [], terminator.debug_location)
    block.instructions.insert(len(block.instructions) - 1, safepoint)


def _calls_others(function: Function) -> bool:
    """Whether the function calls something that is no hook."""
    for call in calls_of(function):
        callee = call.operands[0]
        if isinstance(callee, Function) and is_hook_name(callee.name):
            continue
        if may_reach_other_code(call):
            return True
    return False
