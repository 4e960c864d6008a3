"""Redzones around allocas whose size or number is known only when the program runs.

    %a = alloca i8, i64 %n            %block = alloca i8, %n + pad + 64, align 32
                                      %a = %block + 32         __asan_alloca_poison(%a, %n)
    call stackrestore(%saved)         __asan_allocas_unpoison(newest, %saved)
    ret                               __asan_allocas_unpoison(newest, end of the static ones)

    shadow   ca ca ca ca | 00 .. 00 05 | cb .. cb | cb cb cb cb       in blocks of 32 bytes

`newest` is a variable of the function: where its newest dynamic alloca begins, 0 for none.

Source: LLVM's AddressSanitizer pass (handleDynamicAllocaCall) and the ABI of compiler-rt.
Deviations: functions that call setjmp are left alone, as there; lifetimes are not followed.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import calls_of
from irsan.instrument.analysis.control_flow.function_exits import entry_index, exit_points
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.lifetimes import Lifetimes, marked_pointer
from irsan.instrument.analysis.objects.stack_variables import returns_twice, usages_of
from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.frames.stack_frames import can_have_frame, is_movable, is_static
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import ADDRESS, Policy
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.values import BasicBlock, Function, Value

_REDZONE_BYTES = 32


@dataclass(frozen=True, slots=True)
class DynamicAllocas:
    """Redzones in every function that is checked for addresses; run it behind `StackFrames`."""

    policy: Policy

    def apply(self, module: Module) -> None:
        """Instrument all functions."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        for function in module.functions[:]:
            if ADDRESS not in self.policy.checks_of(function) or not can_have_frame(function):
                continue
            allocas = _interesting(function, sizes)
            if allocas and not any(returns_twice(call) for call in calls_of(function)):
                _instrument(hooks, function, sizes, allocas)


def _interesting(function: Function, sizes: TypeSizes) -> list[Alloca]:
    """Dynamic allocas of `function` that can be misused."""
    dynamic = [
        one
        for block in function.blocks
        for one in block.instructions
        if isinstance(one, Alloca) and is_movable(one) and not is_static(function, one)
    ]
    if not dynamic:
        return []
    addresses = AddressFacts(sizes)
    usages = usages_of(function, addresses, sizes, Lifetimes(function, addresses))
    return [
        one
        for one in dynamic
        if usages[one].is_exposed and sizes.alloc_size(one.allocated_type)
    ]


def _instrument(
    hooks: HookCalls, function: Function, sizes: TypeSizes, allocas: list[Alloca]
) -> None:
    newest = _newest_variable(hooks, function)
    moved: dict[Value, Value] = {}
    wanted = set(allocas)
    for block in function.blocks:
        if any(one in wanted for one in block.instructions):
            _replace_in(hooks, block, sizes, wanted, newest, moved)
    _drop_markers(function, wanted)
    replace_all_uses(function, moved)
    for block in function.blocks:
        _before_restores(hooks, block, newest)
    for block, index in list(exit_points(function)):
        at = Builder(hooks.module, [], block.instructions[index].debug_location)
        end = at.cast("ptrtoint", newest, at.types.i64)
        _unpoison(hooks, at, newest, end)
        block.instructions[index:index] = at.instructions


def _newest_variable(hooks: HookCalls, function: Function) -> Alloca:
    types = hooks.module.types
    newest = Alloca(types.ptr_default, types.i64, ConstantInt(types.i32, 1), 32)
    entry = function.entry
    location = entry.instructions[entry_index(function)].debug_location
    entry.instructions.insert(entry.first_insertion_index(), newest)
    at = Builder(hooks.module, [], location)
    at.store(at.integer(64, 0), newest, 8)
    index = entry_index(function)
    entry.instructions[index:index] = at.instructions
    return newest


def _replace_in(
    hooks: HookCalls,
    block: BasicBlock,
    sizes: TypeSizes,
    wanted: set[Alloca],
    newest: Alloca,
    moved: dict[Value, Value],
) -> None:
    out: list[Instruction] = []
    for instruction in block.instructions:
        if instruction not in wanted:
            out.append(instruction)
            continue
        assert isinstance(instruction, Alloca)
        at = Builder(hooks.module, [], instruction.debug_location)
        moved[instruction] = _with_redzones(hooks, at, sizes, instruction, newest)
        at.instructions[0].debug_records = instruction.debug_records
        out += at.instructions
    block.instructions = out


def _with_redzones(
    hooks: HookCalls, at: Builder, sizes: TypeSizes, alloca: Alloca, newest: Alloca
) -> Value:
    """Emits the larger alloca; returns the address of the object in it."""
    types = at.types
    alignment = max(_REDZONE_BYTES, alloca.alignment)
    each = sizes.alloc_size(alloca.allocated_type) or 1
    count = to_width(at, alloca.count, 64)
    size = at.binary("mul", count, at.integer(64, each))
    rounded = at.binary("add", size, at.integer(64, _REDZONE_BYTES - 1))
    rounded = at.binary("and", rounded, at.integer(64, -_REDZONE_BYTES))
    total = at.binary("add", rounded, at.integer(64, alignment + _REDZONE_BYTES))
    block = at.alloca(types.i8, alignment, total)
    begin = at.cast("ptrtoint", block, types.i64)
    place = at.byte_gep(block, at.integer(64, alignment))
    addr = at.binary("add", begin, at.integer(64, alignment))
    at.instructions.append(
        hooks.call("__asan_alloca_poison", [addr, size], at.debug_location)
    )
    at.store(begin, newest, 8)
    return place


def _drop_markers(function: Function, wanted: set[Alloca]) -> None:
    """What the markers name will be no alloca any more."""
    for block in function.blocks:
        kept = []
        for instruction in block.instructions:
            pointer = marked_pointer(instruction)
            if pointer is None or pointer not in wanted:
                kept.append(instruction)
        block.instructions = kept


def _before_restores(hooks: HookCalls, block: BasicBlock, newest: Alloca) -> None:
    out: list[Instruction] = []
    for instruction in block.instructions:
        callee = instruction.operands[0] if isinstance(instruction, Call) else None
        if isinstance(callee, Function) and callee.name.startswith("llvm.stackrestore"):
            at = Builder(hooks.module, out, instruction.debug_location)
            end = at.cast("ptrtoint", instruction.operands[1], at.types.i64)
            _unpoison(hooks, at, newest, end)
            at.store(end, newest, 8)
        out.append(instruction)
    block.instructions = out


def _unpoison(hooks: HookCalls, at: Builder, newest: Alloca, end: Value) -> None:
    top = at.load(at.types.i64, newest, 8)
    hook = hooks.call("__asan_allocas_unpoison", [top, end], at.debug_location)
    at.instructions.append(hook)
