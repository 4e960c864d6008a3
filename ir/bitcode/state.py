"""What the readers of the blocks share while one module is read.

values      one list: globals, module constants, then those of the function being read (cut off
after it) metadata    likewise: module metadata, then the function's types, attribute_lists, strings
(STRTAB), metadata kind names, bundle tags, scope names
"""

from __future__ import annotations

from irsan.ir.attributes import AttributeList
from irsan.ir.bitcode.errors import BitcodeError, Position
from irsan.ir.metadata import DILocation, Metadata
from irsan.ir.module import Module
from irsan.ir.types import Type, TypeContext
from irsan.ir.values import BasicBlock, Function, Value

MAX_PROMISED_BLOCKS = 1 << 20
LocationKey = tuple[int, ...]


class ModuleState:
    """Shared by all block readers of one module."""

    def __init__(self, module: Module, position: Position, strings: bytes) -> None:
        self.module = module
        self.context: TypeContext = module.types
        self.position = position
        self.strings = strings
        self.types: list[Type] = []
        self.attribute_lists: list[AttributeList] = []
        self.values: list[Value] = []
        self.metadata: list[Metadata] = []
        self.metadata_kinds: dict[int, str] = {}
        self.bundle_tags: list[str] = []
        self.sync_scopes: dict[int, str] = {0: "singlethread", 1: ""}
        self.section_names: list[str] = []
        self.collector_names: list[str] = []
        self.pending_bodies: list[Function] = []
        self.locations: dict[LocationKey, DILocation] = {}
        self.alloca_space = 0
        self._promised: dict[int, tuple[Function, list[BasicBlock]]] = {}

    def name_at(self, offset: int, size: int) -> bytes:
        """Bytes of the string table; ValueError outside of it."""
        if offset + size > len(self.strings):
            raise ValueError(f"a name outside the string table of {len(self.strings)} bytes")
        return self.strings[offset : offset + size]

    def metadata_at(self, index: int) -> Metadata:
        """Metadata number `index`."""
        return self.metadata[index]

    def metadata_or_none(self, index: int) -> Metadata | None:
        """Metadata number `index` - 1, or None for 0."""
        return self.metadata[index - 1] if index else None

    def block_of(self, function: Function, index: int) -> BasicBlock:
        """Block `index` of a function that may not have been read yet."""
        if function.blocks:
            return function.blocks[index]
        if index > MAX_PROMISED_BLOCKS:
            raise BitcodeError(f"block number {index}")
        blocks = self._promised.setdefault(id(function), (function, []))[1]
        while len(blocks) <= index:
            blocks.append(self.new_block(function))
        return blocks[index]

    def new_block(self, function: Function) -> BasicBlock:
        """A block of `function`, not yet in its list."""
        block = BasicBlock(self.context.label)
        block.parent = function
        return block

    def take_blocks(self, function: Function, count: int) -> list[BasicBlock]:
        """The `count` blocks of a function whose body begins, those already named included."""
        promised = self._promised.pop(id(function), (function, []))[1]
        if len(promised) > count:
            raise BitcodeError(f"a block address names block {len(promised) - 1} of {count}")
        return promised + [self.new_block(function) for _ in range(count - len(promised))]

    def check_promises(self) -> None:
        """Every block address must be of a block that exists."""
        for function, _ in self._promised.values():
            raise BitcodeError(f"a block address in {function.name}, which has no body")
