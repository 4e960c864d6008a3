"""Lowering of one function: SSA to register code, block by block.

Each family of instructions has a file of its own with a table `LOWERINGS`: opcode -> function of
(lowering, instruction).  What no family takes goes to a helper (`shapes.py`); what only the frame's
owner can do goes to the stub (`stubs.py`).  Phis are moves on edges (`edges.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irsan.engine.interp.code import Code, Field, Helper, Immediate, Label, Operation, Register
from irsan.engine.interp.edges import Edges
from irsan.engine.interp.liveness import shared_registers
from irsan.engine.interp.registers import Registers, find_last_uses
from irsan.engine.interp.shapes import Shapes
from irsan.errors import UnsupportedError
from irsan.ir.constants import BlockAddress, ConstantAggregate, ConstantExpr, ConstantInt
from irsan.ir.datalayout import DataLayout
from irsan.ir.instruction import Instruction
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock, Constant, Function, InlineAsm, MetadataAsValue, Value

Lower = Callable[["FunctionLowering", Any], None]
_IMMEDIATE = range(-(1 << 31), 1 << 31)


class _LimitError(UnsupportedError):
    """What the engine does not do, and where it was asked to."""


@dataclass(slots=True)
class Request:
    """What the stub does in its own frame, and where it goes on."""

    op: Instruction
    operands: list[Register | None]
    result: Register | None
    resume: Label
    is_tail: bool = False
    ways: tuple[Label, ...] = ()
    """Of a callbr: where each of its successors is; then `resume` is none of them."""


@dataclass(slots=True)
class FunctionLowering:
    """The state of one function's lowering, and its outcome."""

    function: Function
    layout: DataLayout
    shapes: Shapes
    lowerings: Mapping[str, Lower]
    has_far_jumps: bool = False
    has_lines: bool = True
    code: Code = field(default_factory=Code)
    helpers: dict[str, int] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    allocas: list[tuple[Instruction, Register]] = field(default_factory=list)
    registers: Registers = field(init=False)
    block: BasicBlock = field(init=False)
    next_block: BasicBlock | None = None
    result: Register | None = None
    fused: set[Instruction] = field(default_factory=set)
    """Parts of an instruction behind them, which lowers them."""
    runs: dict[Instruction, Callable[[], None]] = field(default_factory=dict)
    """What lowers an instruction with the fused ones in front of it."""
    edges: Edges = field(init=False)

    def __post_init__(self) -> None:
        keeps_all = any(is_returned_to_twice(op) for op in all_instructions(self.function))
        if keeps_all:
            self.registers = Registers(self.layout, {})
        else:
            leaders = shared_registers(self.function, self.layout)
            self.registers = Registers(self.layout, find_last_uses(self.function), leaders)
        self.edges = Edges(self.code, self.registers)

    def run(self) -> None:
        """Lower the whole function."""
        for argument in self.function.arguments:
            self.registers.define(argument)
        parameters = self.function.attributes.parameters
        if any(one.kind == "swifterror" for part in parameters for one in part):
            raise self.refuse(self.function.entry.instructions[0], "a `swifterror` parameter")
        returned = self.function.function_type.return_type
        if returned.text != "void":
            self.result = self.registers.permanent(self.registers.n_slots(returned))
        for index, block in enumerate(self.function.blocks):
            self._lower_block(block, index)
        self.edges.emit()

    def _lower_block(self, block: BasicBlock, index: int) -> None:
        self.code.place(self.label(block))
        instructions = block.instructions
        following = self.function.blocks[index + 1 : index + 2]
        self.next_block = following[0] if following else None
        for op in instructions:
            if op.opcode == "phi":
                self.registers.of(op)
                continue
            self.block = block
            if op not in self.fused:  # else its operands live until what it is part of
                self._lower(op)
                self.registers.end(op)

    def _lower(self, op: Instruction) -> None:
        try:
            if op in self.runs:
                self.runs[op]()
            else:
                self.lowerings.get(op.opcode, by_helper)(self, op)
        except _LimitError:
            raise
        except UnsupportedError as problem:  # of the data layout, which knows no place
            raise self.refuse(op, f"`{op.opcode}`: {problem}") from None

    def emit(self, name: str, *fields: Field, words: Sequence[Any] = ()) -> None:
        self.code.emit(name, *fields, words=words)

    def of(self, value: Value) -> Register:
        return self.registers.of(value)

    def scratch(self, until: Instruction) -> Register:
        return self.registers.scratch(until)

    def label(self, block: BasicBlock) -> Label:
        """Where a block's code begins, behind its phis."""
        return self.edges.label(block)

    def edge(self, target: BasicBlock) -> Label:
        """Where the edge from the current block to `target` begins."""
        return self.edges.edge(self.block, target)

    def helper(self, symbol: str) -> Helper:
        """The function's number of a helper."""
        return Helper(self.helpers.setdefault(symbol, len(self.helpers)))

    def call_helper(self, symbol: str, operands: Sequence[Register | Immediate]) -> None:
        self.code.append(Operation("call", (self.helper(symbol),), operands=tuple(operands)))

    def forget_pointers(self) -> None:
        """Clear what dead pointers have left in registers, before a call that looks for leaks."""
        for index in sorted(self.registers.stale):
            self.copy(Register(index), self.registers.number(0))
        self.registers.stale.clear()

    def refuse(self, op: Instruction, why: str) -> UnsupportedError:
        """The limit: which instruction, where."""
        where = f"{self.function.name}"
        location = op.location
        if location is not None and self.has_lines:
            where += f", line {location.line}"
        return _LimitError(f"--engine interp cannot run {why} (in {where}); --engine jit may")

    def jump(self, target: BasicBlock) -> None:
        """Moves of an edge in place, and the way to its end."""
        self.edges.move(self.block, target)
        if target is not self.next_block:
            self.emit("jmp", self.label(target))

    def copy(self, target: Register, source: Register, n_slots: int = 1) -> None:
        self.edges.copy(target, source, n_slots)


def by_helper(lowering: FunctionLowering, op: Instruction) -> None:
    """An instruction as a helper: constants are part of its shape, registers are operands."""
    if op.is_terminator:
        raise lowering.refuse(op, f"`{op.opcode}`")
    if any(kind.type.text == "token" for kind in [op, *op.operands]):
        raise lowering.refuse(op, f"`{op.opcode}` of a token")
    given = [value if is_literal(value) else None for value in op.operands]
    places = [
        lowering.of(value)
        for value, literal in zip(op.operands, given, strict=True) if literal is None
    ]  # fmt: skip
    symbol = lowering.shapes.plain(op, given, [False] * len(given))
    result = [lowering.of(op)] if op.type.text != "void" else []
    lowering.call_helper(symbol, [*places, *result])


def is_literal(value: Value) -> bool:
    """Whether a value may be written into another function: a constant and its like."""
    if isinstance(value, (ConstantExpr, ConstantAggregate)):
        parts = value.operands if isinstance(value, ConstantExpr) else value.elements
        return all(is_literal(part) for part in parts)
    if isinstance(value, (InlineAsm, MetadataAsValue)):
        return True
    return isinstance(value, Constant) and not isinstance(value, BlockAddress)


def immediate_of(value: Value) -> Immediate | None:
    """The operand that stands in the operand list itself."""
    if not isinstance(value, ConstantInt) or not isinstance(value.type, IntegerType):
        return None
    width = value.type.width
    return Immediate(value.value) if width <= 64 and value.value in _IMMEDIATE else None


def all_instructions(function: Function) -> list[Instruction]:
    return [op for block in function.blocks for op in block.instructions]


def is_returned_to_twice(op: Instruction) -> bool:
    """Whether a call may return again, as setjmp and vfork do."""
    if op.opcode != "call" and not op.is_terminator:
        return False
    attributes = getattr(op, "attributes", None)
    if attributes is None or not hasattr(attributes, "has_function"):
        return False
    callee = op.operands[0]
    own = isinstance(callee, Function) and (
        callee.attributes.has_function("returns_twice")
        or callee.name == "llvm.eh.sjlj.setjmp"
    )
    return own or attributes.has_function("returns_twice")
