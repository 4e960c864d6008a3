"""Appends instructions to a list, with one debug location.

    new = []
    at = Builder(module, new, instruction.debug_location)
    at.call(hook, [pointer])
    block.instructions = [*before, *new, *after]

Every method returns the new instruction. `name` is always optional and need not be unique: the
printer renames duplicates. Alignments are bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.attributes import NO_ATTRIBUTES, AttributeList
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantBytes, ConstantInt, ConstantNull
from irsan.ir.control import Br, Ret, Switch, Unreachable
from irsan.ir.instruction import Instruction
from irsan.ir.memory import (
    Alloca,
    AtomicRMW,
    CmpXchg,
    Fence,
    GetElementPtr,
    Load,
    Store,
    gep_vector_shape,
)
from irsan.ir.metadata import MetadataNode
from irsan.ir.module import Module
from irsan.ir.operations import (
    BinaryOp,
    Cast,
    ExtractElement,
    ExtractValue,
    Freeze,
    ICmp,
    InsertValue,
    Select,
)
from irsan.ir.phi import Phi
from irsan.ir.types import FunctionType, Type, VectorType
from irsan.ir.values import BasicBlock, Constant, Function, GlobalVariable, Value


class Builder:
    """Appends to `instructions` (a list of its own unless given one)."""

    __slots__ = ("debug_location", "instructions", "module", "types")

    def __init__(
        self,
        module: Module,
        instructions: list[Instruction] | None = None,
        debug_location: MetadataNode | None = None,
    ) -> None:
        self.module = module
        self.types = module.types
        self.instructions: list[Instruction] = [] if instructions is None else instructions
        self.debug_location = debug_location

    def _add(self, instruction: Instruction) -> None:
        instruction.debug_location = self.debug_location
        self.instructions.append(instruction)

    def integer(self, width: int, value: int) -> ConstantInt:
        """The constant `iWIDTH value`."""
        return ConstantInt(self.types.integer(width), value)

    def null(self, address_space: int = 0) -> ConstantNull:
        """The constant `ptr null`."""
        return ConstantNull(self.types.ptr(address_space))

    def private_bytes(self, name: str, raw: bytes) -> GlobalVariable:
        """A new constant of the module with these bytes, whose address means nothing."""
        kind = self.types.array(self.types.i8, len(raw))
        made = self.module.add_global(kind, name, ConstantBytes(kind, raw), "private", True)
        made.unnamed_addr = "unnamed_addr"
        made.alignment = 1
        return made

    def call(
        self,
        callee: Value,
        arguments: Sequence[Value] = (),
        attributes: AttributeList = NO_ATTRIBUTES,
        function_type: FunctionType | None = None,
        debug_location: MetadataNode | None = None,
        name: str | None = None,
    ) -> Call:
        """A call; `function_type` is needed when `callee` is not a Function."""
        if function_type is None:
            if not isinstance(callee, Function):
                raise ValueError("an indirect call needs its function type")
            function_type = callee.function_type
        convention = callee.calling_convention if isinstance(callee, Function) else 0
        made = Call(function_type, callee, arguments, attributes, convention, name)
        self._add(made)
        if debug_location is not None:
            made.debug_location = debug_location
        return made

    def load(
        self, value_type: Type, pointer: Value, alignment: int, name: str | None = None
    ) -> Load:
        made = Load(value_type, pointer, alignment, name=name)
        self._add(made)
        return made

    def store(self, value: Value, pointer: Value, alignment: int) -> Store:
        made = Store(self.types.void, value, pointer, alignment)
        self._add(made)
        return made

    def alloca(
        self, allocated_type: Type, alignment: int, count: Value | None = None,
        name: str | None = None,
    ) -> Alloca:  # fmt: skip
        amount = ConstantInt(self.types.i32, 1) if count is None else count
        made = Alloca(self.types.ptr_default, allocated_type, amount, alignment, name)
        self._add(made)
        return made

    def gep(
        self,
        source_type: Type,
        pointer: Value,
        indices: Sequence[Value],
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> GetElementPtr:
        """The address of a member of `source_type`; a vector operand makes a vector of
        addresses.
        """
        shape = gep_vector_shape([pointer, *indices])
        result = pointer.type
        if shape is not None and not isinstance(result, VectorType):
            result = self.types.vector(result, *shape)
        made = GetElementPtr(result, source_type, pointer, indices, flags, name)
        self._add(made)
        return made

    def byte_gep(self, pointer: Value, offset: Value, flags: tuple[str, ...] = ()) -> GetElementPtr:
        """`pointer` plus `offset` bytes."""
        return self.gep(self.types.i8, pointer, [offset], flags)

    def binary(
        self, opcode: str, left: Value, right: Value, flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> BinaryOp:  # fmt: skip
        """`add`, `sub`, `mul`, `and`, `shl`, `fadd`, ... of two values of one type."""
        made = BinaryOp(opcode, left, right, flags, name)
        self._add(made)
        return made

    def cast(self, opcode: str, value: Value, target: Type, name: str | None = None) -> Cast:
        """`zext`, `trunc`, `ptrtoint`, `bitcast`, ... of `value` to `target`."""
        made = Cast(opcode, value, target, name=name)
        self._add(made)
        return made

    def icmp(self, predicate: str, left: Value, right: Value, name: str | None = None) -> ICmp:
        result: Type = self.types.i1
        if isinstance(left.type, VectorType):
            result = self.types.vector(result, left.type.count, left.type.scalable)
        made = ICmp(result, predicate, left, right, name=name)
        self._add(made)
        return made

    def select(
        self, condition: Value, if_true: Value, if_false: Value, name: str | None = None
    ) -> Select:
        made = Select(condition, if_true, if_false, name=name)
        self._add(made)
        return made

    def freeze(self, value: Value, name: str | None = None) -> Freeze:
        made = Freeze(value, name)
        self._add(made)
        return made

    def phi(
        self, value_type: Type, values: Sequence[Value], blocks: Sequence[BasicBlock],
        name: str | None = None,
    ) -> Phi:  # fmt: skip
        made = Phi(value_type, list(values), list(blocks), name=name)
        self._add(made)
        return made

    def extract_value(
        self, aggregate: Value, indices: Sequence[int], name: str | None = None
    ) -> ExtractValue:
        made = ExtractValue(aggregate, indices, name)
        self._add(made)
        return made

    def extract_element(
        self, vector: Value, index: Value, name: str | None = None
    ) -> ExtractElement:
        made = ExtractElement(vector, index, name)
        self._add(made)
        return made

    def insert_value(
        self, aggregate: Value, element: Value, indices: Sequence[int], name: str | None = None
    ) -> InsertValue:
        made = InsertValue(aggregate, element, indices, name)
        self._add(made)
        return made

    def fence(self, ordering: str, sync_scope: str = "") -> Fence:
        made = Fence(self.types.void, ordering, sync_scope)
        self._add(made)
        return made

    def atomic_rmw(
        self, operation: str, pointer: Value, value: Value, ordering: str, alignment: int
    ) -> AtomicRMW:
        made = AtomicRMW(operation, pointer, value, ordering, alignment)
        self._add(made)
        return made

    def cmpxchg(
        self, pointer: Value, expected: Value, new: Value, orderings: tuple[str, str],
        alignment: int,
    ) -> CmpXchg:  # fmt: skip
        """`orderings` are those of success and of failure; the result is { old, i1 }."""
        result = self.types.struct([expected.type, self.types.i1])
        made = CmpXchg(result, pointer, expected, new, *orderings, alignment)
        self._add(made)
        return made

    def br(self, target: BasicBlock) -> Br:
        made = Br(self.types.void, [target])
        self._add(made)
        return made

    def cond_br(self, condition: Value, if_true: BasicBlock, if_false: BasicBlock) -> Br:
        made = Br(self.types.void, [if_true, if_false], condition)
        self._add(made)
        return made

    def switch(
        self, condition: Value, default: BasicBlock, cases: Sequence[tuple[Constant, BasicBlock]]
    ) -> Switch:
        made = Switch(self.types.void, condition, default, cases)
        self._add(made)
        return made

    def ret(self, value: Value | None = None) -> Ret:
        made = Ret(self.types.void, value)
        self._add(made)
        return made

    def unreachable(self) -> Unreachable:
        made = Unreachable(self.types.void)
        self._add(made)
        return made
