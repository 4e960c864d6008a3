"""MODULE_BLOCK: everything but function bodies, in the order of the stream.

Source: the LLVM bitcode file format, "MODULE_BLOCK Contents".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.attributes import AttributeTable
from irsan.ir.bitcode.constants import read_constants
from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.bitcode.functions import read_function_body
from irsan.ir.bitcode.globals import SymbolReader
from irsan.ir.bitcode.metadata import read_kinds, read_metadata
from irsan.ir.bitcode.state import ModuleState
from irsan.ir.bitcode.types import TypeTable
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.text import decode_name

_ALLOCA_SPACE = re.compile(r"(?:^|-)A(\d+)")
_VERSION = 2


class ModuleReader:
    """Reads one MODULE block into `state.module`."""

    def __init__(self, state: ModuleState) -> None:
        self.state = state
        self.attributes = AttributeTable(state.types, state.position)
        state.attribute_lists = self.attributes.lists
        self.symbols = SymbolReader(state)
        self._bodies: list[Block] = []
        self._blocks: dict[int, Callable[[Block], None]] = {
            c.PARAMATTR_GROUP: self.attributes.read_groups,
            c.PARAMATTR: self.attributes.read_lists,
            c.TYPE_NEW: self._read_types,
            c.CONSTANTS: lambda block: read_constants(state, block),
            c.METADATA_KIND: lambda block: read_kinds(state, block),
            c.METADATA: self._read_metadata,
            c.OPERAND_BUNDLE_TAGS: self._read_bundle_tags,
            c.SYNC_SCOPE_NAMES: self._read_sync_scopes,
            c.FUNCTION: self._bodies.append,
        }
        self._records: dict[int, Callable[[Record], None]] = {
            c.MODULE_VERSION: self._check_version,
            c.MODULE_TRIPLE: self._read_triple,
            c.MODULE_DATALAYOUT: self._read_data_layout,
            c.MODULE_ASM: self._read_assembly,
            c.MODULE_SECTIONNAME: lambda r: state.section_names.append(_text(r)),
            c.MODULE_GCNAME: lambda r: state.collector_names.append(_text(r)),
            c.MODULE_SOURCE_FILENAME: self._read_source_filename,
            c.MODULE_COMDAT: self.symbols.read_comdat,
            c.MODULE_GLOBALVAR: self.symbols.read_variable,
            c.MODULE_FUNCTION: self.symbols.read_function,
            c.MODULE_ALIAS: self.symbols.read_alias,
            c.MODULE_IFUNC: self.symbols.read_ifunc,
            c.MODULE_VSTOFFSET: lambda _: None,
            c.MODULE_HASH: lambda _: None,
        }

    def read(self, block: Block) -> None:
        """All of the module; function bodies come last, when every symbol is known."""
        position = self.state.position
        for item in block.items:
            if isinstance(item, Block):
                reader = self._blocks.get(item.block_id)
                if reader is not None:
                    reader(item)
                continue
            position.block_id, position.record = c.MODULE, item
            handler = self._records.get(item.code)
            if handler is None:
                raise BitcodeError(f"module record {item.code} is older or newer than LLVM 22's")
            handler(item)
        self.symbols.finish()
        self._read_bodies()

    def _read_bodies(self) -> None:
        functions = self.state.pending_bodies
        if len(functions) != len(self._bodies):
            raise BitcodeError(f"{len(functions)} defined functions, {len(self._bodies)} bodies")
        for function, body in zip(functions, self._bodies, strict=True):
            read_function_body(self.state, function, body)
        self.state.check_promises()

    def _read_types(self, block: Block) -> None:
        table = TypeTable(self.state.context, self.state.position)
        table.types = self.state.types
        table.read(block)

    def _read_metadata(self, block: Block) -> None:
        if read_metadata(self.state, block):
            raise BitcodeError("module metadata refers to a value that nothing has")

    def _read_bundle_tags(self, block: Block) -> None:
        self.state.position.enter(c.OPERAND_BUNDLE_TAGS)
        self.state.bundle_tags = [_text(record) for record in block.records()]

    def _read_sync_scopes(self, block: Block) -> None:
        self.state.position.enter(c.SYNC_SCOPE_NAMES)
        self.state.sync_scopes = dict(enumerate([_text(record) for record in block.records()]))

    def _check_version(self, record: Record) -> None:
        if record.operands[0] != _VERSION:
            raise BitcodeError(f"module version {record.operands[0]}, {_VERSION} is supported")

    def _read_triple(self, record: Record) -> None:
        self.state.module.target_triple = _text(record)

    def _read_data_layout(self, record: Record) -> None:
        text = self.state.module.data_layout = _text(record)
        space = _ALLOCA_SPACE.search(text)
        self.state.alloca_space = int(space.group(1)) if space else 0

    def _read_assembly(self, record: Record) -> None:
        self.state.module.assembly = _text(record)

    def _read_source_filename(self, record: Record) -> None:
        self.state.module.source_filename = _text(record)


def _text(record: Record) -> str:
    return decode_name(c.characters(record.operands))
