"""FUNCTION_BLOCK: one body.

The loop over the records is the reader's hot path: one dispatch per record, locations found by
their operands.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents".
"""

from __future__ import annotations

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.constants import read_constants
from irsan.ir.bitcode.debug_records import DEBUG_RECORD_CODES, read_debug_record
from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.bitcode.instructions import HANDLERS
from irsan.ir.bitcode.metadata import read_attachments, read_metadata, set_late_values
from irsan.ir.bitcode.scope import FunctionScope
from irsan.ir.bitcode.state import ModuleState
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.calls import OperandBundle
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import DILocation
from irsan.ir.text import decode_name
from irsan.ir.values import Argument, Function, LocalValue, MetadataAsValue

_METADATA_OPERAND = 0x80000000


def read_function_body(state: ModuleState, function: Function, block: Block) -> None:
    """Fills `function.blocks`; afterwards `state` holds only module values and metadata again."""
    value_count, metadata_count = len(state.values), len(state.metadata)
    scope = FunctionScope(state, function)
    state.values.extend(function.arguments)
    state.position.enter(c.FUNCTION)
    BodyReader(scope).read(block)
    del state.values[value_count:]
    del state.metadata[metadata_count:]


class BodyReader:
    """Walks the items of one FUNCTION block."""

    __slots__ = ("block_index", "instructions", "last_location", "record_count", "scope", "state")

    def __init__(self, scope: FunctionScope) -> None:
        self.scope = scope
        self.state = scope.state
        self.instructions: list[Instruction] = []
        self.last_location: DILocation | None = None
        self.block_index = 0
        self.record_count = 0

    def read(self, block: Block) -> None:
        """Instructions first, then what names and decorates them."""
        position, scope = self.state.position, self.scope
        self.record_count = len(block.items)
        after: list[Block] = []
        handlers, append, values, void = (
            HANDLERS,
            self.instructions.append,
            scope.values,
            scope.void,
        )
        for item in block.items:
            if isinstance(item, Block):
                after += self._inner_block(item)
                position.block_id = c.FUNCTION
                continue
            position.record = item
            handler = handlers.get(item.code)
            if handler is None:
                self._other_record(item)
                continue
            instruction = handler(scope, item.operands)
            if scope.has_forward:
                scope.has_forward = False
                scope.pending.append(instruction)
            append(instruction)
            scope.blocks[self.block_index].instructions.append(instruction)
            if instruction.type is not void:
                values.append(instruction)
            if instruction.is_terminator:
                self.block_index += 1
        self._finish(after)

    def _inner_block(self, block: Block) -> list[Block]:
        """Constants and metadata are read at once; names and attachments are handed back."""
        if block.block_id == c.CONSTANTS:
            read_constants(self.state, block)
        elif block.block_id == c.METADATA:
            self.scope.late_metadata += read_metadata(self.state, block)
        elif block.block_id in (c.VALUE_SYMTAB, c.METADATA_ATTACHMENT):
            return [block]
        elif block.block_id != c.USELIST:
            raise BitcodeError(f"block {block.block_id} inside a function")
        return []

    def _other_record(self, record: Record) -> None:
        code = record.code
        if code == c.FUNC_DEBUG_LOC:
            self.instructions[-1].debug_location = self._location(record.operands)
        elif code == c.FUNC_DEBUG_LOC_AGAIN:
            self.instructions[-1].debug_location = self.last_location
        elif code in DEBUG_RECORD_CODES:
            self._debug_record(record)
        elif code == c.FUNC_OPERAND_BUNDLE:
            self._bundle(record.operands)
        elif code == c.FUNC_DECLAREBLOCKS:
            self._declare_blocks(record.operands[0])
        elif code != c.FUNC_BLOCKADDR_USERS:
            raise BitcodeError(f"function record {code} is older or newer than LLVM 22's")

    def _declare_blocks(self, count: int) -> None:
        """Every block has a record at least, so no hostile count makes millions of them."""
        if count > self.record_count:
            raise BitcodeError(f"a function of {count} blocks and {self.record_count} records")
        self.scope.blocks = self.state.take_blocks(self.scope.function, count)
        self.scope.function.blocks = self.scope.blocks  # its own constants may name them

    def _debug_record(self, record: Record) -> None:
        """Stands in the stream behind the instruction that it stands before in the text."""
        owner, made = self.instructions[-1], read_debug_record(self.scope, record)
        if isinstance(owner.debug_records, list):
            owner.debug_records.append(made)
        else:
            owner.debug_records = [made]

    def _location(self, ops: list[int]) -> DILocation:
        """[line, column, scope, inlined at, implicit, atom group, atom rank], references plus
        one.
        """
        state = self.state
        place, inlined_at = state.metadata_or_none(ops[2]), state.metadata_or_none(ops[3])
        group, rank = (ops[5], ops[6]) if len(ops) > 6 else (0, 0)
        key = (ops[0], ops[1], id(place), id(inlined_at), ops[4], group, rank)
        found = state.locations.get(key)
        if found is None:
            implicit = bool(ops[4])
            found = DILocation(ops[0], ops[1], place, inlined_at, implicit, group, rank)
            state.locations[key] = found
        self.last_location = found
        return found

    def _bundle(self, ops: list[int]) -> None:
        """[tag, value...]; a metadata operand is marked and numbered from zero."""
        scope = self.scope
        operands = []
        index = 1
        while index < len(ops):
            if ops[index] == _METADATA_OPERAND:
                metadata = self.state.metadata[ops[index + 1]]
                operands.append(MetadataAsValue(scope.metadata_type, metadata))
                index += 2
                continue
            value, index = scope.pair(ops, index)
            operands.append(value)  # type: ignore[arg-type]
        scope.bundles.append(OperandBundle(self.state.bundle_tags[ops[0]], operands))

    def _finish(self, after: list[Block]) -> None:
        scope, function = self.scope, self.scope.function
        if self.block_index != len(scope.blocks) or not scope.blocks:
            raise BitcodeError(f"{self.block_index} of {len(scope.blocks)} blocks are complete")
        scope.mend()
        function.blocks = scope.blocks
        set_late_values(scope.late_metadata, scope.values)
        for block in after:
            if block.block_id == c.VALUE_SYMTAB:
                self._read_names(block)
            else:
                read_attachments(self.state, block, function, self.instructions)

    def _read_names(self, block: Block) -> None:
        """VALUE_SYMTAB: [value, name...] and [block, name...]."""
        position = self.state.position
        position.enter(c.VALUE_SYMTAB)
        values, blocks = self.scope.values, self.scope.blocks
        for record in block.items:
            if isinstance(record, Block):
                continue
            position.record = record
            ops = record.operands
            name = decode_name(bytes(ops[1:]))
            if record.code == 1:
                target: LocalValue = values[ops[0]]  # type: ignore[assignment]
                if not isinstance(target, (Instruction, Argument)):
                    raise BitcodeError(f"a local name for value {ops[0]}, which is not local")
                target.name = name
            elif record.code == 2:
                blocks[ops[0]].name = name
