"""The shadow call stack of the engine: entry, exit, and repair after an exception or longjmp.

    entry:    %f = __irsan_frame_entry() %depth = __irsan_frame_depth()    (only where it is needed)
    ret:      __irsan_frame_exit(%f)
    pad:      landingpad ...             __irsan_frame_restore(%depth)     frames above us are gone
    setjmp:   call @setjmp(...)          __irsan_frame_restore(%depth)

A function without calls, hooks and traps needs no frame: nothing in it can ask for the stack. One
that keeps ThreadSanitizer's own `__tsan_func_entry` keeps that.

With `bare_leaves` a function without loops that calls checks only has no frame either, nor one with
loops that only asks about uninitialised values: those calls are seldom made. Its sites say so
(site_stores.py), and the slow path of a check makes the frame. What traps there is found by the
processor's address (site_lines.py, fault_sites.py), but where its site is stored.

Soundness: exceptions leave functions without an exit; the pad that catches one restores the depth
of its function.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import calls_of, may_reach_other_code, may_trap
from irsan.instrument.analysis.control_flow.function_exits import entry_index, exit_points
from irsan.instrument.analysis.control_flow.loops import back_edges
from irsan.instrument.analysis.objects.stack_variables import returns_twice
from irsan.instrument.check_hooks import BOUNDS_ASKED, BOUNDS_CHECK, is_check
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import THREAD, is_touched, preinstrumented_for
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

_BOUNDS = (BOUNDS_ASKED, BOUNDS_CHECK, "__irsan_bounds_near", "__irsan_bounds_range")
_UNINITIALISED = ("__irsan_uninit_use", "__irsan_uninit_stored")  # called where bits are set
_PADS = frozenset(("landingpad", "catchpad", "cleanuppad"))
_ARRIVING = _PADS | {"call", "invoke", "callbr"}


@dataclass(frozen=True, slots=True)
class ShadowFrames:
    """Frames for every function that may be on a stack that is reported.

    bare_leaves: the slow paths of checks make the frames of functions that call nothing else.
    tells_traps: sites of what may trap are stored, so functions with such have a frame.
    """

    bare_leaves: bool = False
    tells_traps: bool = True

    def apply(self, module: Module) -> None:
        """Insert the frame hooks of all functions."""
        hooks = HookCalls(module)
        has_frames = THREAD in preinstrumented_for(module)
        for function in module.functions[:]:
            if is_touched(function):
                self._add_frames(hooks, function, has_frames)

    def _add_frames(self, hooks: HookCalls, function: Function, has_frames: bool) -> None:
        """`has_frames`: a call of func_entry is its own."""
        calls = calls_of(function)
        named = [call.callee.name for call in calls if isinstance(call.callee, Function)]
        has_own_frame = has_frames and "__tsan_func_entry" in named
        if has_own_frame or self._needs_frame(function, calls):
            _add_frame(hooks, function, calls, has_own_frame)

    def _needs_frame(self, function: Function, calls: list[Call | CallTerminator]) -> bool:
        reaching = [call for call in calls if may_reach_other_code(call)]
        if _has_callees(function, reaching) if self.bare_leaves else reaching:
            return True
        return self.tells_traps and any(
            may_trap(one) for block in function.blocks for one in block.instructions
        )


def _add_frame(
    hooks: HookCalls, function: Function, calls: list[Call | CallTerminator], has_own_frame: bool
) -> None:
    """Insert the frame hooks of one function."""
    entry = hooks.call("__irsan_frame_entry", [], None)
    if not has_own_frame:
        _add_exits(hooks, function, entry)
    twice = {call for call in calls if returns_twice(call)}
    repairs = _repair_points(function, twice)
    _add_entry(hooks, function, repairs, None if has_own_frame else entry)


def _has_callees(function: Function, reaching: list[Call | CallTerminator]) -> bool:
    """Whether some of these calls are of more than checks, or are checks in a loop, each of which
    would have to make the frame."""
    often = [call for call in reaching if not _is_one_of(call, _UNINITIALISED)]
    if not all(is_check(call) or _is_one_of(call, _BOUNDS) for call in often):
        return True
    return bool(often) and bool(back_edges(function))


def _is_one_of(call: Call | CallTerminator, names: tuple[str, ...]) -> bool:
    callee = call.callee
    return isinstance(callee, Function) and callee.name in names


def _add_exits(hooks: HookCalls, function: Function, entry: Call) -> None:
    for block, index in exit_points(function):
        location = block.instructions[index].debug_location
        block.instructions.insert(index, hooks.call("__irsan_frame_exit", [entry], location))


def _repair_points(
    function: Function, twice: set[Call | CallTerminator]
) -> list[tuple[BasicBlock, int]]:
    """Places where control arrives from the middle of a call, last first within a block."""
    points = []
    for block in function.blocks:
        for index in range(len(block.instructions) - 1, -1, -1):
            instruction = block.instructions[index]
            if instruction.opcode not in _ARRIVING:
                continue
            if instruction.opcode in _PADS:
                points.append((block, block.first_insertion_index()))
            elif instruction not in twice:
                continue
            elif not isinstance(instruction, CallTerminator):
                points.append((block, index + 1))
            else:
                normal = instruction.successors[0]
                points.append((normal, normal.first_insertion_index()))
    return points


def _add_entry(
    hooks: HookCalls,
    function: Function,
    repairs: list[tuple[BasicBlock, int]],
    entry: Call | None,
) -> None:
    """The entry goes in last, so that the indices of `repairs` hold until they are used.

    entry: the call that makes the frame; None where ThreadSanitizer's own does.
    """
    depth = hooks.call("__irsan_frame_depth", [], None)
    for block, index in repairs:
        location = block.instructions[index].debug_location
        restore = hooks.call("__irsan_frame_restore", [depth], location)
        block.instructions.insert(index, restore)
    at = entry_index(function)
    if entry is None:
        at = _behind_own_entry(function, at)
    instructions = function.entry.instructions
    location = instructions[at].debug_location
    new: list[Instruction] = []
    if entry is not None:
        entry.debug_location = location
        new.append(entry)
    if repairs:
        depth.debug_location = location
        new.append(depth)
    instructions[at:at] = new


def _behind_own_entry(function: Function, start: int) -> int:
    """The index behind the call of `__tsan_func_entry`; `start` when it is elsewhere."""
    for index, instruction in enumerate(function.entry.instructions):
        callee = instruction.operands[0] if isinstance(instruction, Call) else None
        if isinstance(callee, Function) and callee.name == "__tsan_func_entry":
            return index + 1
    return start
