"""Exit roots: what a function still knows when the program ends inside of it stays findable.

    %keep = alloca [2 x ptr]                                       in the entry block
    ...
    store ptr %list, ptr %keep                                     before a call that ends it all
    call void asm sideeffect "", "r,~{memory}"(ptr %keep)
    call void @exit(i32 0)
    unreachable

To LLVM a pointer is dead behind its last use, so a block that `main` holds until it calls `exit`
is in no register and on no stack when leaks are searched for; to its programmer it is not lost.
Kept are pointers that dominate the call: results of calls, arguments, phis, selects, and what local
pointer variables of unoptimised code hold.

Source: the scope rules of C: the life of a local variable ends with its block, which `exit` never
leaves.
Deviations: calls of `exit`, `quick_exit` and of functions of this module that do not return; what a
structure holds that LLVM takes apart is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irsan.instrument.dominators import Dominators
from irsan.instrument.function_exits import entry_index
from irsan.instrument.policy import is_touched
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.operations import Select
from irsan.ir.phi import Phi
from irsan.ir.types import PointerType
from irsan.ir.values import BasicBlock, Function, InlineAsm, Value

MAX_KEPT = 64
_POINTER_BYTES = 8
_ENDINGS = ("exit", "quick_exit")


@dataclass(frozen=True, slots=True)
class ExitRoots:
    """Keeps pointers alive across calls that end the program; run it behind the stack passes."""

    def apply(self, module: Module) -> None:
        """Change every function that may end the program."""
        for function in module.functions[:]:
            if function.blocks and is_touched(function):
                keep_roots(module, function)


def keep_roots(module: Module, function: Function) -> None:
    """Store the pointers that one function holds before each of its ends of the program."""
    ends = list(ending_calls(function))
    if not ends:
        return
    order = Dominators(function)
    kept = [_known_at(function, order, block, call)[:MAX_KEPT] for block, call in ends]
    n_slots = max(map(len, kept))
    if not n_slots:
        return
    made: list[Instruction] = []
    types = module.types
    slots = Builder(module, made).alloca(types.array(types.ptr_default, n_slots), _POINTER_BYTES)
    for (block, call), values in zip(ends, kept, strict=True):
        if values:
            _store_before(module, block, call, values, slots)
    function.entry.instructions[entry_index(function) : entry_index(function)] = made


def ending_calls(function: Function) -> Iterator[tuple[BasicBlock, Call]]:
    """Calls behind which nothing is reached, and which run on to the end of the program."""
    for block in function.blocks:
        if block.instructions[-1].opcode != "unreachable" or len(block.instructions) < 2:
            continue
        call = block.instructions[-2]
        callee = call.operands[0] if isinstance(call, Call) else None
        if isinstance(callee, Function) and (callee.name in _ENDINGS or callee.blocks):
            assert isinstance(call, Call)
            yield block, call


def _known_at(
    function: Function, order: Dominators, end: BasicBlock, call: Call
) -> list[Value]:
    """Pointers whose value is there at `call` of the block `end`."""
    found: list[Value] = [each for each in function.arguments if _is_pointer(each)]
    for block in function.blocks:
        if order.nearest([block, end]) is not block:
            continue
        for instruction in block.instructions:
            if instruction is call:
                break
            if _is_root(instruction):
                found.append(instruction)
    return found


def _is_root(instruction: Instruction) -> bool:
    if isinstance(instruction, Alloca):
        is_one = isinstance(instruction.count, ConstantInt) and instruction.count.value == 1
        return is_one and isinstance(instruction.allocated_type, PointerType)
    return isinstance(instruction, (Call, Phi, Select)) and _is_pointer(instruction)


def _is_pointer(value: Value) -> bool:
    return isinstance(value.type, PointerType) and not value.type.address_space


def _store_before(
    module: Module, block: BasicBlock, call: Call, values: list[Value], slots: Alloca
) -> None:
    made: list[Instruction] = []
    at = Builder(module, made, call.debug_location)
    for number, value in enumerate(values):
        held = value
        if isinstance(value, Alloca):
            held = at.load(at.types.ptr_default, value, _POINTER_BYTES)
        place = at.gep(at.types.ptr_default, slots, [at.integer(64, number)])
        at.store(held, place, _POINTER_BYTES)
    seen = InlineAsm(
        module.types.ptr_default, module.types.function(module.types.void, [slots.type])
    )
    seen.constraints, seen.side_effects = "r,~{memory}", True
    made.append(Call(seen.function_type, seen, [slots]))
    index = block.instructions.index(call)
    block.instructions[index:index] = made
