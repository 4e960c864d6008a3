"""State while one function's records are read: values by relative number, blocks, forward
references.

Operands are relative: `values[-n]` is the value made n values ago. A number that reaches beyond the
last value is a forward reference; it becomes a `ForwardValue`, and the instruction is mended when
the function is complete.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents" (relative ids since module version
1).
"""

from __future__ import annotations

from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.bitcode.state import ModuleState
from irsan.ir.calls import Call, CallTerminator, OperandBundle
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import ValueAsMetadata
from irsan.ir.types import Type
from irsan.ir.values import BasicBlock, Function, MetadataAsValue, Value

_U32 = 0xFFFFFFFF


class ForwardValue(Value):
    """Stands for value `index` until it exists."""

    __slots__ = ("index", "type")

    def __init__(self, index: int, value_type: Type) -> None:
        self.index = index
        self.type = value_type


class FunctionScope:
    """State of one function body."""

    __slots__ = (
        "alloca_space", "attribute_lists", "blocks", "bundles", "function",
        "has_forward", "i1", "late_metadata",  "metadata_type", "pending", "scopes",
        "state", "types", "values", "void",
    )  # fmt: skip

    def __init__(self, state: ModuleState, function: Function) -> None:
        self.state = state
        self.function = function
        self.values = state.values
        self.types = state.types
        self.attribute_lists = state.attribute_lists
        self.scopes = state.sync_scopes
        self.void = state.context.void
        self.i1 = state.context.i1
        self.metadata_type = state.context.metadata
        self.alloca_space = state.alloca_space
        self.blocks: list[BasicBlock] = []
        self.bundles: list[OperandBundle] = []
        self.has_forward = False
        self.pending: list[Instruction] = []
        self.late_metadata: list[tuple[ValueAsMetadata, int]] = []

    def pair(self, ops: list[int], index: int) -> tuple[Value, int]:
        """The value at `index`, followed by its type when it is a forward reference; and what
        follows.
        """
        relative = ops[index]
        values = self.values
        if 0 < relative <= len(values):
            return values[-relative], index + 1
        return self.forward(relative, self.types[ops[index + 1]]), index + 2

    def value(self, relative: int, value_type: Type) -> Value:
        """The value `relative` before, whose type is known from elsewhere."""
        values = self.values
        if 0 < relative <= len(values):
            return values[-relative]
        return self.forward(relative, value_type)

    def signed_value(self, raw: int, value_type: Type) -> Value:
        """As `value`, with the sign in the lowest bit (phi)."""
        relative = -(raw >> 1) if raw & 1 else raw >> 1
        if 0 < relative <= len(self.values):
            return self.values[-relative]
        return self.forward(relative, value_type)

    def argument(self, relative: int, value_type: Type) -> Value:
        """A call's argument: metadata and labels are numbered apart from values."""
        if value_type is self.metadata_type:
            index = (len(self.values) - relative) & _U32
            return MetadataAsValue(value_type, self.state.metadata[index])
        return self.value(relative, value_type)

    def forward(self, relative: int, value_type: Type) -> ForwardValue:
        """A placeholder for a value that comes later; BitcodeError when it cannot exist."""
        index = (len(self.values) - relative) & _U32
        if index < len(self.values) or index > len(self.values) + (1 << 26):
            raise BitcodeError(f"value {index} does not exist")
        self.has_forward = True
        return ForwardValue(index, value_type)

    def take_bundles(self) -> tuple[OperandBundle, ...] | list[OperandBundle]:
        """The bundles read since the last call; they belong to the next one."""
        if not self.bundles:
            return ()
        taken, self.bundles = self.bundles, []
        return taken

    def mend(self) -> None:
        """Replaces forward references by the values, which all exist now."""
        for instruction in self.pending:
            instruction.operands = [self._resolved(value) for value in instruction.operands]
            if isinstance(instruction, (Call, CallTerminator)):
                for bundle in instruction.bundles:
                    bundle.operands = [self._resolved(value) for value in bundle.operands]

    def _resolved(self, value: Value) -> Value:
        if type(value) is not ForwardValue:
            return value
        found = self.values[value.index]
        if found.type is not value.type:
            raise BitcodeError(
                f"value {value.index} was used as {value.type.text} and is {found.type.text}"
            )
        return found
