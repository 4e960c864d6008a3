"""Runs of hooks as one helper: the address in front of them, the access or the call behind them.

    %p = getelementptr double, ptr %a, i64 %i
    call void @__irsan_check_read8_both(ptr %p, i32 9)      one helper instead of three operations
    %x = load double, ptr %p

Four of ten operations of a checked program are hooks, and what stands beside one is most often the
address that it checks, the access that it is for, or another hook (`bench/operation_pairs.py`).  A
run's helper loads each operand once, does all of it natively, and stores the results at the end, so
a result may have the register of an operand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from irsan.engine.interp.code import Immediate, Register
from irsan.engine.interp.function_lowering import FunctionLowering, is_returned_to_twice
from irsan.engine.interp.lower_calls import call_operands, check_call
from irsan.engine.interp.lower_memory import access_bits, cut, fold, is_flat, pointer_and_kind
from irsan.engine.interp.shapes import Body
from irsan.instrument.hooks import is_hook_name
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.memory import GetElementPtr, Load, Store
from irsan.ir.types import IntegerType, PointerType, Type
from irsan.ir.values import Argument, BasicBlock, InlineAsm, LocalValue, Value

MAX_HOOKS: Final = 4  # more would make a helper of its own for each place


def find_runs(lowering: FunctionLowering) -> None:
    """Say which instructions are lowered as one, when the last of them is."""
    for block in lowering.function.blocks:
        for ops in _runs_of(lowering, block):
            lowering.fused.update(ops[:-1])
            lowering.runs[ops[-1]] = partial(lower_run, lowering, ops)


def _runs_of(lowering: FunctionLowering, block: BasicBlock) -> Iterator[list[Instruction]]:
    ops, index = block.instructions, 0
    while index < len(ops):
        start = index
        while index < len(ops) and index - start < MAX_HOOKS and _is_hook(ops[index]):
            index += 1
        if index == start:
            index += 1
            continue
        end = index + (index < len(ops) and _is_end(lowering, ops[index]))
        has_address = start > 0 and _is_address_of(lowering, ops[start - 1], ops[start:end])
        first = start - has_address
        if end - first > 1:
            yield ops[first:end]
        index = end


def _is_hook(op: Instruction) -> bool:
    callee = op.called_function if isinstance(op, Call) else None
    return (
        callee is not None and callee.is_declaration and is_hook_name(callee.name)
        and op.type.text == "void" and not is_returned_to_twice(op)
    )  # fmt: skip


def _is_address_of(
    lowering: FunctionLowering, op: Instruction, users: Sequence[Instruction]
) -> bool:
    is_simple = isinstance(op, GetElementPtr) and fold(lowering, op) is not None
    return is_simple and any(op in user.operands for user in users)


def _is_end(lowering: FunctionLowering, op: Instruction) -> bool:
    """An access of a word, or a call like any other."""
    if isinstance(op, (Load, Store)):
        pointer, kind = pointer_and_kind(op)
        return is_flat(pointer) and access_bits(lowering, kind) > 0
    if not isinstance(op, Call) or _is_hook(op):
        return False
    if op.tail == "musttail" or is_returned_to_twice(op):
        return False
    callee = op.called_function
    is_special = isinstance(op.operands[0], InlineAsm) or (
        callee is not None and callee.is_intrinsic
    )
    return not is_special


def lower_run(lowering: FunctionLowering, ops: Sequence[Instruction]) -> None:
    """One helper for all of `ops`."""
    run = _Run(lowering)
    if isinstance(ops[-1], Call) and not _is_hook(ops[-1]):
        lowering.forget_pointers()
    for op in ops:
        if isinstance(op, GetElementPtr):
            run.add_address(op, is_kept=lowering.registers.last_uses.get(op) not in ops)
        elif isinstance(op, Call):
            run.add_call(op)
        else:
            assert isinstance(op, (Load, Store))
            run.add_access(op)
    run.emit()
    if isinstance(ops[-1], Load):
        cut(lowering, ops[-1], access_bits(lowering, ops[-1].type))
    for op in ops[:-1]:
        lowering.registers.end(op)


@dataclass(slots=True)
class _Run:
    """A helper's text and its operand list while instructions are added."""

    lowering: FunctionLowering
    body: Body = field(default_factory=Body)
    operands: list[Register | Immediate] = field(default_factory=list)
    known: dict[Value, Value] = field(default_factory=dict)
    """What has been loaded or computed here, by what it stands for."""
    results: list[tuple[Instruction, str, Type]] = field(default_factory=list)

    def add_address(self, op: GetElementPtr, *, is_kept: bool) -> None:
        """base + index * step + constant, the numbers in the operand list."""
        folded = fold(self.lowering, op)
        assert folded is not None
        word, lines = IntegerType(64), self.body.lines
        base, offset = self._value(folded.base), self._number(folded.constant)
        if folded.index is not None:
            index, step = self._value(folded.index), self._number(folded.step)
            lines += [
                f"  %scaled = mul i64 {index.ref}, {step.ref}",
                f"  %offset = add i64 %scaled, {offset.ref}",
            ]
            offset = Argument(word, 0, "offset")
        lines.append(f"  %address = getelementptr i8, {base.typed_ref}, i64 {offset.ref}")
        self.known[op] = Argument(op.type, 0, "address")
        if is_kept:
            self.results.append((op, "%address", op.type))

    def add_call(self, op: Call) -> None:
        """A hook, or the call at the end."""
        check_call(self.lowering, op)
        given, immediates, operands = call_operands(self.lowering, op, self.known)
        self.operands += operands
        twin = self.body.twin(op, given, immediates)
        values = zip(op.operands, twin.operands, strict=True)
        self.known |= {value: own for value, own in values if isinstance(value, LocalValue)}
        result = self.body.execute(twin, self.lowering.shapes.texts)
        if result is not None:
            self.results.append((op, result, op.type))

    def add_access(self, op: Load | Store) -> None:
        """The access at the end, of a word."""
        pointer, kind = pointer_and_kind(op)
        bits = access_bits(self.lowering, kind)
        address = self._value(pointer)
        if isinstance(op, Store):
            value = self._stored(op.operands[0], bits)
            self.body.lines.append(f"  store {value.typed_ref}, {address.typed_ref}, align 1")
            return
        self.body.lines.append(f"  %accessed = load i{bits}, {address.typed_ref}, align 1")
        self.results.append((op, "%accessed", IntegerType(bits)))

    def _stored(self, value: Value, bits: int) -> Value:
        """What a store writes: a pointer that is at hand, else `bits` of a register."""
        if value in self.known and isinstance(value.type, PointerType):
            return self.known[value]
        self.operands.append(self.lowering.of(value))
        return self.body.load(IntegerType(bits), is_immediate=False)

    def _value(self, value: Value) -> Value:
        """A register's value, loaded once."""
        if value in self.known:
            return self.known[value]
        self.operands.append(self.lowering.of(value))
        loaded = self.body.load(value.type, is_immediate=False)
        if isinstance(value, LocalValue):
            self.known[value] = loaded
        return loaded

    def _number(self, number: int) -> Value:
        """A number of 64 bits, in the operand list where it fits there."""
        kind = IntegerType(64)
        is_short = -(1 << 31) <= number < 1 << 31
        low = number & ((1 << 64) - 1)
        registers = self.lowering.registers
        self.operands.append(Immediate(number) if is_short else registers.number(low))
        return self.body.load(kind, is_immediate=is_short)

    def emit(self) -> None:
        """The helper's call; what it stores comes last in its operand list."""
        lowering = self.lowering
        for op, value, kind in self.results:
            self.body.store(value, kind)
            self.operands.append(lowering.of(op))
        lowering.call_helper(lowering.shapes.of_body(self.body), self.operands)
