"""Exit roots: what a function still knows when the program ends inside of it stays findable.

    %keep = alloca [2 x ptr]                                       in the entry block
    ...
    store ptr %list, ptr %keep                                     before a call that ends it all
    call void asm sideeffect "", "r,~{memory}"(ptr %keep)
    call void @exit(i32 0)
    unreachable

To LLVM a pointer is dead behind its last use, so a block that `main` holds until it calls `exit`
is in no register and on no stack when leaks are searched for; to its programmer it is not lost.
The same holds for a loop that is never left, as of a thread that only sleeps: there the pointers
are stored where control goes into the loop for good.
Kept are pointers that dominate the place: results of calls, arguments, phis, selects, and what
local pointer variables of unoptimised code hold.

Source: the scope rules of C: the life of a local variable ends with its block, which `exit` never
leaves.
Deviations: calls of `exit`, `quick_exit` and of functions of this module that do not return; in a
loop that is never left, what was known before it; what a structure holds that LLVM takes apart is
not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.counted_loops import predecessors_of
from irsan.instrument.analysis.control_flow.dominators import Dominators
from irsan.instrument.analysis.control_flow.function_exits import entry_index
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
MAX_ENDLESS = 200  # blocks
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
    ends: list[tuple[BasicBlock, Instruction]] = list(ending_calls(function))
    ends += [(block, block.instructions[-1]) for block in ways_into_endless_loops(function)]
    if not ends:
        return
    order = Dominators(function)
    kept = [_known_at(function, order, block, place)[:MAX_KEPT] for block, place in ends]
    n_slots = max(map(len, kept))
    if not n_slots:
        return
    made: list[Instruction] = []
    types = module.types
    slots = Builder(module, made).alloca(types.array(types.ptr_default, n_slots), _POINTER_BYTES)
    for (block, place), values in zip(ends, kept, strict=True):
        if values:
            _store_before(module, block, place, values, slots)
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


def ways_into_endless_loops(function: Function) -> Iterator[BasicBlock]:
    """Blocks in no loop that is never left, behind which control may be in one."""
    endless = _never_returning(function)
    if not endless:
        return
    looping = {block for block in endless if _reaches_itself(block)}
    for block in function.blocks:
        if block not in looping and any(after in looping for after in block.successors):
            yield block


def _never_returning(function: Function) -> set[BasicBlock]:
    """Blocks from which no path leaves the function; at most MAX_ENDLESS, else none."""
    before = predecessors_of(function)
    leaving = [
        block
        for block in function.blocks
        if not block.successors and block.instructions[-1].opcode != "unreachable"
    ]
    returning = set(leaving)
    while leaving:
        for block in before.get(leaving.pop(), ()):
            if block not in returning:
                returning.add(block)
                leaving.append(block)
    found = {block for block in function.blocks if block not in returning}
    return found if len(found) <= MAX_ENDLESS else set()


def _reaches_itself(start: BasicBlock) -> bool:
    seen: set[BasicBlock] = set()
    waiting = list(start.successors)
    while waiting:
        block = waiting.pop()
        if block is start:
            return True
        if block not in seen:
            seen.add(block)
            waiting += block.successors
    return False


def _known_at(
    function: Function, order: Dominators, end: BasicBlock, place: Instruction
) -> list[Value]:
    """Pointers whose value is there at the instruction `place` of the block `end`."""
    found: list[Value] = [each for each in function.arguments if _is_pointer(each)]
    before = set(order.above(end))
    for block in function.blocks:
        if block not in before:
            continue
        for instruction in block.instructions:
            if instruction is place:
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
    module: Module, block: BasicBlock, place: Instruction, values: list[Value], slots: Alloca
) -> None:
    made: list[Instruction] = []
    at = Builder(module, made, place.debug_location)
    for number, value in enumerate(values):
        held = value
        if isinstance(value, Alloca):
            held = at.load(at.types.ptr_default, value, _POINTER_BYTES)
        slot = at.gep(at.types.ptr_default, slots, [at.integer(64, number)])
        at.store(held, slot, _POINTER_BYTES)
    seen = InlineAsm(
        module.types.ptr_default, module.types.function(module.types.void, [slots.type])
    )
    seen.constraints, seen.side_effects = "r,~{memory}", True
    made.append(Call(seen.function_type, seen, [slots]))
    index = block.instructions.index(place)
    block.instructions[index:index] = made
