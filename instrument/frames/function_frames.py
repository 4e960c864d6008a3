"""ThreadSanitizer's own frames, for IR that runs on its native run-time.

    entry:     %pc = llvm.returnaddress(0)      __tsan_func_entry(%pc)
    ret:       __tsan_func_exit()
    unwind:    calls that may throw become invokes of a cleanup that exits and resumes

Source: LLVM's ThreadSanitizer pass (tsan-instrument-func-entry-exit, tsan-handle-cxx-exceptions).
Deviations: functions with funclets (Windows) get no clean-up.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import calls_of, may_reach_other_code
from irsan.instrument.analysis.control_flow.function_exits import entry_index, exit_points
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import is_hook_name
from irsan.instrument.policy import Policy
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, Invoke
from irsan.ir.control import LandingPad, Resume
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.values import BasicBlock, Function, Value

_CONVERGENCE = "llvm.experimental.convergence.entry"
_DEFAULT_PERSONALITY = "__gcc_personality_v0"


@dataclass(frozen=True, slots=True)
class FunctionFrames:
    """Frames of every function that is checked for races and has a hook or a call."""

    policy: Policy

    def apply(self, module: Module) -> None:
        """Insert entries, exits and clean-ups."""
        hooks = HookCalls(module)
        for function in module.functions[:]:
            if self.policy.has_race_frame(function) and _needs_frame(function):
                _add_frame(hooks, function)


def _needs_frame(function: Function) -> bool:
    return any(may_reach_other_code(call) for call in calls_of(function))


def _add_frame(hooks: HookCalls, function: Function) -> None:
    for block, index in list(exit_points(function)):
        location = block.instructions[index].debug_location
        block.instructions.insert(index, hooks.call("__tsan_func_exit", [], location))
    if not function.attributes.has_function("nounwind") and _can_unwind_through_us(function):
        _exit_when_unwinding(hooks, function)
    instructions, index = function.entry.instructions, entry_index(function)
    new: list[Instruction] = []
    at = Builder(hooks.module, new, instructions[index].debug_location)
    new.append(hooks.call("__tsan_func_entry", [_return_address(at)], at.debug_location))
    instructions[index:index] = new


def _return_address(at: Builder) -> Value:
    types = at.types
    signature = types.function(types.ptr_default, [types.i32])
    function = at.module.declare_function("llvm.returnaddress", signature)
    return at.call(function, [at.integer(32, 0)])


def _can_unwind_through_us(function: Function) -> bool:
    """Funclets unwind by rules of their own; convergence tokens tie calls to the entry block."""
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode in ("catchswitch", "cleanuppad"):
                return False
            callee = instruction.operands[0] if isinstance(instruction, Call) else None
            if isinstance(callee, Function) and callee.name == _CONVERGENCE:
                return False
    return True


def _exit_when_unwinding(hooks: HookCalls, function: Function) -> None:
    """Turns the calls that may throw into invokes of one clean-up block."""
    throwing = [
        instruction
        for block in function.blocks
        for instruction in block.instructions
        if isinstance(instruction, Call) and _may_throw(instruction)
    ]
    if not throwing:
        return
    cleanup = _cleanup_block(hooks, function)
    replaced: dict[Value, Value] = {}
    for call in throwing:
        replaced[call] = _call_to_invoke(function, call, cleanup)
    replace_all_uses(function, replaced)


def _may_throw(call: Call) -> bool:
    callee = call.callee
    if not may_reach_other_code(call) or call.tail == "musttail":
        return False
    if call.attributes.has_function("nounwind"):
        return False
    if not isinstance(callee, Function):
        return True
    return not (is_hook_name(callee.name) or callee.attributes.has_function("nounwind")) and (
        not callee.is_intrinsic
    )


def _cleanup_block(hooks: HookCalls, function: Function) -> BasicBlock:
    module = hooks.module
    types = module.types
    if function.personality is None:
        signature = types.function(types.i32, [], is_vararg=True)
        function.personality = module.declare_function(_DEFAULT_PERSONALITY, signature)
    block = function.new_block(types.label, "tsan_cleanup")
    pad = LandingPad(types.struct([types.ptr_default, types.i32]), [], is_cleanup=True)
    exiting = hooks.call("__tsan_func_exit", [], None)
    resume = Resume(types.void, pad)
    pad.debug_location = exiting.debug_location = resume.debug_location = None
    block.instructions = [pad, exiting, resume]
    return block


def _call_to_invoke(function: Function, call: Call, cleanup: BasicBlock) -> Invoke:
    """Splits the block behind `call`; the rest is where the invoke goes on."""
    block = next(b for b in function.blocks if call in b.instructions)
    index = block.instructions.index(call)
    rest = function.split_block(block, index + 1)
    invoke = Invoke(
        call.function_type,
        call.callee,
        call.arguments,
        [rest, cleanup],
        call.attributes,
        call.calling_convention,
        call.name,
    )
    invoke.bundles = call.bundles
    invoke.metadata = call.metadata
    invoke.debug_location = call.debug_location
    invoke.debug_records = call.debug_records
    block.instructions[index] = invoke
    return invoke
