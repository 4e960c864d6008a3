"""Variables that a function makes while it runs: alloca in loops, arrays of variable length.

    entry                    %top = call ptr @llvm.stacksave()
    stackrestore(%saved)     __irsan_prov_popped(stacksave(), %saved)       in front of it
    ret                      __irsan_prov_popped(stacksave(), %top)

There may be any number of them, so they end by where they are: between the stack pointer and the
one that is put back.
"""

from __future__ import annotations

from irsan.instrument.analysis.control_flow.function_exits import exit_points
from irsan.instrument.pointer_ids.function_ids import FunctionIds
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.values import Function, Value


def makes_variables(ids: FunctionIds) -> bool:
    """Whether a variable that is an object is made behind the function's beginning."""
    fixed = {one for one in ids.function.entry.instructions if _is_fixed(one)}
    return any(one not in fixed for one in ids.stack.objects)


def _is_fixed(instruction: Instruction) -> bool:
    return isinstance(instruction, Alloca) and isinstance(instruction.count, ConstantInt)


def stack_pointer(ids: FunctionIds) -> Value:
    """Append what asks for it."""
    at = ids.at()
    signature = at.types.function(at.types.ptr_default)
    return at.call(ids.module.declare_function("llvm.stacksave.p0", signature))


def before_restore(ids: FunctionIds, call: Call) -> None:
    """In front of a call: if the stack shrinks there, variables end."""
    callee = call.operands[0]
    if isinstance(callee, Function) and callee.name.startswith("llvm.stackrestore"):
        ids.ask("popped", stack_pointer(ids), call.arguments[0])


def before_exits(ids: FunctionIds, top: Value) -> None:
    """All that the function has made below `top` ends where it is left."""
    for block, index in list(exit_points(ids.function)):
        ids.out, ids.location = [], block.instructions[index].debug_location
        ids.ask("popped", stack_pointer(ids), top)
        block.instructions[index:index] = ids.out
