"""IR that clang has already instrumented for AddressSanitizer, in the engine's terms.

    %s = (%a lshr 3) + 0x7fff8000           __asan_load4(ptr %a)
    %v = load i8, ptr %s                    %v is 0: the inline test passes
    ... __asan_report_load4(i64 %a)         never reached; the call goes

    store i32 0xf3f3f8f1, ptr %s            the same store, to irsan's own shadow:
                                            %s - 0x7fff8000 + @__asan_shadow_memory_dynamic_address
    call __asan_load4(i64 %a)               __asan_load4(ptr %a), which the engine can inline
    landingpad                              __irsan_unwound(): frames below are gone

`__asan_set_shadow_*` get addresses of clang's mapping, as clang's own calls do. An access of an odd
size is tested at its first and at its last byte: the first test becomes `__asan_loadN` of the
whole. When addresses are not checked, tests, calls and stores go.

Source: LLVM's AddressSanitizer pass (x86-64 Linux mapping: shift 3, offset 0x7fff8000), seen in
the output of clang 19 and 22. Deviations: code that throws is treated as code that does not:
clang calls `__asan_handle_no_return` before a throw, a C++ library that is not instrumented does
not. Soundness: what cannot be rewritten is an UnsupportedError, since the shadow address would be a
wild one at run time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from irsan.errors import UnsupportedError
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import ACCESS_SIZES, HOOKS, SHADOW_OFFSET
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantExpr, ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.metadata import MetadataTuple
from irsan.ir.module import Module
from irsan.ir.operations import BinaryOp, Cast
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock, Function, GlobalVariable, Value

SHADOW_SHIFT = 3
_REPORT = re.compile(r"__asan_report_(?:exp_)?(load|store)(\d+|_n)(_noabort)?$")
_MAPPING = "__asan_shadow_memory_dynamic_address"
_ADVICE = "compile with -mllvm -asan-instrumentation-with-call-threshold=0"


@dataclass(frozen=True, slots=True)
class Preinstrumented:
    """Rewrites what clang has put in; `is_checked`: whether addresses are checked at all."""

    is_checked: bool = True

    def apply(self, module: Module) -> None:
        """Change checks, shadow accesses and landing pads; other code stays."""
        _refuse_dynamic_mapping(module)
        replaced = _take_out_integer_hooks(module)
        for function in module.functions[:]:
            if function.blocks:
                _Rewriting(module, function, self.is_checked).run(replaced)


def _refuse_dynamic_mapping(module: Module) -> None:
    if module.symbol(_MAPPING) is not None:
        raise UnsupportedError(
            f"the module reads {_MAPPING}; compile without -mllvm -asan-force-dynamic-shadow"
        )


def _take_out_integer_hooks(module: Module) -> dict[Value, str]:
    """Declarations of hooks that take addresses as integers leave; their names by function."""
    found: dict[Value, str] = {}
    for function in module.functions:
        hook = HOOKS.get(function.name)
        if hook is None or hook.group not in ("access", "range") or function.blocks:
            continue
        if isinstance(function.function_type.parameters[0], IntegerType):
            found[function] = function.name
    module.functions[:] = [each for each in module.functions if each not in found]
    module.reindex()
    return found


class _Rewriting:
    """One function; `_zeroed` collects shadow loads, which read as 0 from now on."""

    __slots__ = ("_function", "_is_checked", "_module", "_predecessors", "_zeroed")

    def __init__(self, module: Module, function: Function, is_checked: bool) -> None:
        self._module, self._function, self._is_checked = module, function, is_checked
        self._zeroed: dict[Value, Value] = {}
        self._predecessors: dict[BasicBlock, list[BasicBlock]] = {}

    def run(self, integer_hooks: Mapping[Value, str]) -> None:
        accesses = []
        for block in self._function.blocks:
            self._rewrite_calls(block, integer_hooks)
            for instruction in block.instructions:
                if instruction.opcode not in ("load", "store"):
                    continue
                assert isinstance(instruction, (Load, Store))
                if shadowed_address(instruction.pointer):
                    accesses.append((block, instruction))
        if not accesses:
            return
        checks = self._checks_by_load()
        for block, access in accesses:
            if isinstance(access, Store):
                self._rewrite_store(block, access)
            else:
                self._rewrite_load(block, access, checks.get(access))
        replace_all_uses(self._function, self._zeroed)

    def _rewrite_calls(self, block: BasicBlock, integer_hooks: Mapping[Value, str]) -> None:
        """Calls of hooks with integers become calls with pointers; landing pads clear the stack."""
        out: list[Instruction] = []
        is_pad = False
        for instruction in block.instructions:
            is_pad = is_pad or instruction.opcode == "landingpad"
            name = integer_hooks.get(instruction.operands[0]) if instruction.operands else None
            if name is None or not isinstance(instruction, Call):
                out.append(instruction)
                continue
            if self._is_checked:
                at = Builder(self._module, out, instruction.debug_location)
                address, *others = instruction.arguments
                pointer = at.cast("inttoptr", address, at.types.ptr_default)
                hooks = HookCalls(self._module)
                out.append(hooks.call(name, [pointer, *others], at.debug_location))
        block.instructions = out
        if is_pad:
            self._clear_at_pad(block)

    def _clear_at_pad(self, block: BasicBlock) -> None:
        types = self._module.types
        function = self._module.declare_function("__irsan_unwound", types.function(types.void))
        index = block.first_insertion_index()
        at = Builder(self._module, [], block.instructions[index].debug_location)
        at.call(function)
        block.instructions[index:index] = at.instructions

    def _checks_by_load(self) -> dict[Value, Call]:
        """For each shadow load, the report that its test leads to; the reports are taken out."""
        for block in self._function.blocks:
            for successor in block.successors:
                self._predecessors.setdefault(successor, []).append(block)
        found: dict[Value, Call] = {}
        for block in self._function.blocks:
            for report in [i for i in block.instructions if _is_report(i)]:
                load = self._load_behind(block, report.operands[1])
                assert isinstance(report, Call)
                if load is not None:
                    found[load] = report
                    block.instructions.remove(report)
        return found

    def _load_behind(self, block: BasicBlock, address: Value) -> Load | None:
        """The shadow load of `address` in a block that leads here."""
        at = block
        for _ in range(4):
            for instruction in reversed(at.instructions):
                is_load = isinstance(instruction, Load)
                if is_load and shadowed_address(instruction.operands[0]) is address:
                    return instruction  # type: ignore[return-value]
            before = self._predecessors.get(at, [])
            if len(before) != 1:
                return None
            at = before[0]
        return None

    def _rewrite_load(self, block: BasicBlock, load: Load, report: Call | None) -> None:
        if report is None:
            raise UnsupportedError(
                f"{self._function.name}: a shadow load of AddressSanitizer without its report; "
                f"{_ADVICE}"
            )
        assert isinstance(load.type, IntegerType)
        new: list[Instruction] = []
        if self._is_checked:
            self._add_check(report, Builder(self._module, new, report.debug_location))
        index = block.instructions.index(load)
        block.instructions[index : index + 1] = new
        self._zeroed[load] = ConstantInt(load.type, 0)

    def _add_check(self, report: Call, at: Builder) -> None:
        address = report.operands[1]
        matched = _REPORT.match(_name_of(report))
        assert matched is not None
        word, size = matched[1], matched[2]
        hooks = HookCalls(self._module)
        if size == "_n":
            amount = report.operands[2]
            if _is_last_byte(address, amount):
                return
            pointer = at.cast("inttoptr", address, at.types.ptr_default)
            arguments = [pointer, amount]
            at.instructions.append(hooks.call(f"__asan_{word}N", arguments, at.debug_location))
            return
        assert int(size) in ACCESS_SIZES
        pointer = at.cast("inttoptr", address, at.types.ptr_default)
        at.instructions.append(hooks.call(f"__asan_{word}{size}", [pointer], at.debug_location))

    def _rewrite_store(self, block: BasicBlock, store: Store) -> None:
        """The same bytes at the same distance in irsan's shadow."""
        new: list[Instruction] = []
        if self._is_checked:
            at = Builder(self._module, new, store.debug_location)
            base = at.load(at.types.i64, self._mapping(), 8)
            offset = at.integer(64, -SHADOW_OFFSET)
            shadow = at.binary("add", at.cast("ptrtoint", store.pointer, at.types.i64), offset)
            moved = at.cast("inttoptr", at.binary("add", shadow, base), at.types.ptr_default)
            mark = MetadataTuple()
            moved_store = at.store(store.value, moved, store.alignment)
            for access in (base, moved_store):
                access.set_metadata("nosanitize", mark)
        index = block.instructions.index(store)
        block.instructions[index : index + 1] = new

    def _mapping(self) -> GlobalVariable:
        found = self._module.global_by_name(_MAPPING)
        return found or self._module.add_global(self._module.types.i64, _MAPPING)


def shadowed_address(pointer: Value) -> Value | None:
    """The i64 address whose shadow `pointer` is; None for other pointers."""
    at = pointer
    if not isinstance(at, (Cast, ConstantExpr)) or at.opcode != "inttoptr":
        return None
    at = at.operands[0]
    has_offset = False
    while isinstance(at, (BinaryOp, ConstantExpr)) and at.opcode == "add":
        amount = at.operands[1]
        if not isinstance(amount, ConstantInt):
            return None
        has_offset = has_offset or amount.value == SHADOW_OFFSET
        at = at.operands[0]
    if not has_offset or not isinstance(at, BinaryOp) or at.opcode != "lshr":
        return None
    shift = at.operands[1]
    is_shift = isinstance(shift, ConstantInt) and shift.value == SHADOW_SHIFT
    return at.operands[0] if is_shift else None


def _name_of(call: Instruction) -> str:
    callee = call.operands[0] if isinstance(call, Call) else None
    return callee.name if isinstance(callee, Function) else ""


def _is_report(instruction: Instruction) -> bool:
    return isinstance(instruction, Call) and _REPORT.match(_name_of(instruction)) is not None


def _is_last_byte(address: Value, amount: Value) -> bool:
    """Whether `address` is some other address plus amount - 1."""
    at = address
    while isinstance(at, Cast) and at.opcode in ("ptrtoint", "inttoptr"):
        at = at.operands[0]
    if not isinstance(at, BinaryOp) or at.opcode != "add":
        return False
    step = at.operands[1]
    if isinstance(step, ConstantInt) and isinstance(amount, ConstantInt):
        return step.value == amount.value - 1
    is_minus = isinstance(step, BinaryOp) and step.opcode == "sub"
    return is_minus and step.operands[0] is amount  # type: ignore[attr-defined]
