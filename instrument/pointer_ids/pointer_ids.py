"""The pass of `--sanitize provenance`: beside each pointer the id of the object it belongs to.

    alloca, malloc, a global       a new id                   gep, bitcast, freeze   the same id
    phi, select                    phi, select of the ids     load, store            memory.py
    arguments, results             calls.py                   inttoptr               memory.py
    structures, vectors            parts.py                   atomics                atomics.py
    numbers that are handed on     numbers.py                 va_arg                 variadic.py
    all others                     0: nothing is known, and nothing is ever said

In front of each access `__irsan_bounds_of_id` compares the address with the object of its id, so an
access that hits another object is found however far away it is, and one to a dead object whatever
its memory is now.  Run it before the passes of other sanitizers: what it adds is no access of the
program.

Source: Nagarakatte et al., SoftBound (PLDI 2009) and CETS (ISMM 2010); Miri's borrow tracker for
the model of an id per allocation; Memarian et al., POPL 2019, for numbers.
Deviations: a thread's copy of a variable does not die with the thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.calls.assembly import is_assembly
from irsan.instrument.analysis.calls.followed_calls import is_followed
from irsan.instrument.analysis.control_flow.dominators import reverse_postorder
from irsan.instrument.analysis.control_flow.function_exits import exit_points
from irsan.instrument.analysis.objects.lifetimes import is_start, marked_pointer
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.frames.stack_names import stack_names
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.pointer_ids import calls, memory
from irsan.instrument.pointer_ids.atomics import after_atomic, after_extraction
from irsan.instrument.pointer_ids.checked_functions import functions_to_tell
from irsan.instrument.pointer_ids.function_ids import FunctionIds
from irsan.instrument.pointer_ids.global_objects import add_constructors
from irsan.instrument.pointer_ids.numbers import carried_numbers, users_of_numbers
from irsan.instrument.pointer_ids.parts import Path, keep_parts, part, part_paths
from irsan.instrument.pointer_ids.shown import before_asm
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.stack_pointer import (
    before_exits,
    before_restore,
    makes_variables,
    stack_pointer,
)
from irsan.instrument.pointer_ids.thread_variables import thread_variable
from irsan.instrument.pointer_ids.words import is_address_number
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.sites import SiteTable
from irsan.instrument.sites.source_frames import function_to_frames
from irsan.ir.calls import Call, CallTerminator, Invoke
from irsan.ir.constants import ConstantInt
from irsan.ir.control import Ret
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, AtomicRMW, CmpXchg, GetElementPtr, Load, Store
from irsan.ir.module import Module
from irsan.ir.operations import ExtractValue, VAArg
from irsan.ir.phi import Phi
from irsan.ir.values import BasicBlock, Function, Value

_SAME = frozenset(("getelementptr", "bitcast", "freeze"))


@dataclass(frozen=True, slots=True)
class PointerIds:
    """Instruments every function that passes may touch; `sites` gets the stack's variables."""

    sites: SiteTable

    def apply(self, module: Module) -> None:
        """Put ids beside all pointers."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        functions = functions_to_tell(module)
        for function in module.functions[:]:
            if is_touched(function):
                _Rewriting(FunctionIds(module, function, hooks, sizes), self.sites).run()
        add_constructors(hooks, sizes, functions)


class _Rewriting:
    """One function."""

    def __init__(self, ids: FunctionIds, sites: SiteTable) -> None:
        self._ids, self._sites = ids, sites
        self._blocks = reverse_postorder(ids.function)
        self._users = users_of_numbers(ids.function)
        ids.carried = carried_numbers(ids.function, self._users)
        self._outs: dict[BasicBlock, list[Instruction]] = {}
        self._phis: list[tuple[Phi, Phi, Path]] = []
        self._waiting: dict[BasicBlock, list[CallTerminator]] = {}
        self._entered = _count_edges(self._blocks)
        self._named = stack_names(ids.function, [*ids.stack.objects, *ids.stack.copies])
        self._born: list[Value] = []
        self._top: Value | None = None

    def run(self) -> None:
        for block in self._blocks:
            self._walk(block)
        self._complete_phis()
        for block, out in self._outs.items():
            block.instructions = out
        self._end_objects()

    def _walk(self, block: BasicBlock) -> None:
        ids = self._ids
        ids.out = self._outs[block] = []
        start = block.first_insertion_index()
        is_entry = block is self._blocks[0]
        if is_entry:
            while block.instructions[start].opcode == "alloca":
                start += 1
        for instruction in block.instructions[:start]:
            ids.out.append(instruction)
        for instruction in block.instructions[:start]:
            if isinstance(instruction, Phi):
                self._add_phi(instruction)
        ids.location = block.instructions[start].debug_location
        if is_entry:
            self._enter(block.instructions[:start])
        for call in self._waiting.get(block, ()):
            calls.after_call(ids, call)
        for instruction in block.instructions[start:]:
            ids.location = instruction.debug_location
            self._one(instruction, is_entry)

    def _enter(self, allocas: list[Instruction]) -> None:
        """Variables, arguments; in front of everything the variables of ids."""
        ids = self._ids
        types = ids.module.types
        for pointer in ids.stack.slots:
            slot = Alloca(types.ptr_default, types.i64, ConstantInt(types.i32, 1), 8)
            ids.slots[pointer] = slot
            ids.out.insert(0, slot)
        for slot in ids.slots.values():
            ids.at().store(ids.unknown, slot, 8)
        for copy in ids.stack.copies:
            self._born.append(self._begin(copy, ids.hooks.int64(ids.copies[copy])))
        calls.receive_arguments(ids)
        for alloca in allocas:
            if isinstance(alloca, Alloca):
                self._allocate(alloca, is_counted=True)
        if makes_variables(ids):
            self._top = stack_pointer(ids)

    def _allocate(self, alloca: Alloca, *, is_counted: bool) -> None:
        """is_counted: it is there once in a call, and it ends by its id."""
        ids = self._ids
        each = ids.sizes.alloc_size(alloca.allocated_type)
        if alloca not in ids.stack.objects or not each:
            return
        size: Value = ids.hooks.int64(each)
        if isinstance(alloca.count, ConstantInt):
            size = ids.hooks.int64(each * alloca.count.unsigned)
        else:
            size = ids.at().binary("mul", ids.as_int64(alloca.count), size)
        number = self._begin(alloca, size)
        if is_counted:
            self._born.append(number)

    def _begin(self, variable: Value, size: Value) -> Value:
        """An object of the stack is born; its id."""
        ids = self._ids
        name, line, column = self._named[variable]
        frame = function_to_frames(ids.function)[0]
        site = self._sites.add(((frame[0], frame[1], line, column),), 0, name)
        number = ids.values[variable] = ids.ask("stack", variable, size, ids.hooks.int32(site))
        return number

    def _add_phi(self, phi: Phi) -> None:
        ids = self._ids
        if self._has_id(phi):
            ids.values[phi] = self._phi_of(phi, ())
        paths = part_paths(ids, phi)
        if paths:
            ids.parts[phi] = {path: self._phi_of(phi, path) for path in paths}

    def _phi_of(self, phi: Phi, path: Path) -> Phi:
        made = self._ids.at().phi(self._ids.module.types.i64, [], [])
        self._ids.out.remove(made)
        self._ids.out.insert(0, made)
        self._phis.append((phi, made, path))
        return made

    def _complete_phis(self) -> None:
        """Ids of what comes along each edge, asked at the end of the block it comes from."""
        ids = self._ids
        for phi, made, path in self._phis:
            told: dict[BasicBlock, Value] = {}
            for value, origin in phi.incoming:
                if origin not in told:
                    out = self._outs.get(origin)
                    ids.out = []
                    told[origin] = ids.unknown if out is None else part(ids, value, path)
                    if out is not None:
                        out[-1:-1] = ids.out
                made.operands.append(told[origin])
                made.blocks.append(origin)

    def _one(self, instruction: Instruction, is_entry: bool) -> None:
        ids = self._ids
        if isinstance(instruction, (Call, CallTerminator)):
            self._call(instruction)
            return
        memory.before_access(ids, instruction)
        if instruction.opcode == "ptrtoint":
            memory.cast_to_int(ids, instruction, self._users)
        elif isinstance(instruction, Ret) and not _is_after_musttail(ids.out):
            calls.before_return(ids, instruction)
        elif isinstance(instruction, Store) and instruction.ordering is not None:
            memory.keep_store(ids, instruction)
        if isinstance(instruction, VAArg):
            memory.around_va_arg(ids, instruction)
            return
        ids.out.append(instruction)
        self._behind(instruction, is_entry)
        keep_parts(ids, instruction)

    def _behind(self, instruction: Instruction, is_entry: bool) -> None:
        """The ids of a result, and of memory."""
        ids, opcode, operands = self._ids, instruction.opcode, instruction.operands
        if isinstance(instruction, Load):
            memory.after_load(ids, instruction)
        elif isinstance(instruction, Store):
            if instruction.ordering is None:
                memory.keep_store(ids, instruction)
        elif isinstance(instruction, (AtomicRMW, CmpXchg)):
            after_atomic(ids, instruction)
        elif isinstance(instruction, Alloca):
            self._allocate(instruction, is_counted=is_entry)
        elif opcode == "inttoptr":
            memory.cast_to_pointer(ids, instruction)
        elif isinstance(instruction, ExtractValue) and isinstance(operands[0], CmpXchg):
            after_extraction(ids, instruction)
        elif opcode in _SAME and self._has_id(instruction):
            ids.values[instruction] = self._thread_variable(instruction) or ids.of(operands[0])
        elif opcode == "select" and self._has_id(instruction):
            pair = ids.of(operands[1]), ids.of(operands[2])
            ids.values[instruction] = ids.at().select(operands[0], *pair)

    def _has_id(self, value: Instruction) -> bool:
        is_number = is_address_number(value.type) and value in self._ids.carried
        return is_number or is_plain_pointer(value.type)

    def _thread_variable(self, address: Instruction) -> Value | None:
        """The id of a thread-local variable's copy, None for other addresses."""
        found = thread_variable(address) if isinstance(address, GetElementPtr) else None
        size = found and self._ids.facts.object_size(found)
        if found is None or not size:
            return None
        return self._ids.ask("thread_variable", address, found, self._ids.hooks.int64(size))

    def _call(self, call: Call | CallTerminator) -> None:
        ids, callee = self._ids, call.operands[0]
        marked = marked_pointer(call)
        if marked is not None:
            ids.out.append(call)
            number = ids.values.get(marked) if isinstance(marked, Alloca) else None
            if number is not None:
                ids.ask("begin" if is_start(call) else "end", number)
        elif isinstance(callee, Function) and callee.is_intrinsic and isinstance(call, Call):
            calls.around_intrinsic(ids, call)
            if self._top is not None:
                before_restore(ids, call)
            ids.out.append(call)
            calls.after_intrinsic(ids, call)
        elif not is_followed(call):
            if is_assembly(call):
                before_asm(ids, call)
            ids.out.append(call)
        else:
            calls.before_call(ids, call)
            ids.out.append(call)
            if isinstance(call, Invoke):
                if self._entered.get(call.normal) == 1:
                    self._waiting.setdefault(call.normal, []).append(call)
            elif isinstance(call, Call) and call.tail != "musttail":
                calls.after_call(ids, call)

    def _end_objects(self) -> None:
        if self._top is not None:
            before_exits(self._ids, self._top)
        if not self._born:
            return
        hooks = self._ids.hooks
        for block, index in list(exit_points(self._ids.function)):
            if block in self._outs:
                location = block.instructions[index].debug_location
                block.instructions[index:index] = [
                    hooks.call("__irsan_prov_end", [number], location) for number in self._born
                ]


def _count_edges(blocks: list[BasicBlock]) -> dict[BasicBlock, int]:
    found: dict[BasicBlock, int] = {}
    for block in blocks:
        for successor in block.successors:
            found[successor] = found.get(successor, 0) + 1
    return found


def _is_after_musttail(out: list[Instruction]) -> bool:
    return any(isinstance(one, Call) and one.tail == "musttail" for one in out[:-3:-1])
