"""METADATA_BLOCK, METADATA_KIND and METADATA_ATTACHMENT.

Nodes refer to each other in circles, so the block is read twice: first every record becomes an
empty object with its number, then the objects are filled.

Source: the LLVM bitcode file format; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.debug_nodes import (
    fill_by_layout,
    fill_enumerator,
    fill_expression,
    fill_fixed_point,
    fill_generic,
    fill_location,
)
from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.debug_fields import LAYOUT_BY_CODE
from irsan.ir.metadata import (
    DebugNode,
    DIArgList,
    DILocation,
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataTuple,
    NamedMetadata,
    ValueAsMetadata,
)
from irsan.ir.text import decode_name
from irsan.ir.values import GlobalValue, Value

if TYPE_CHECKING:
    from irsan.ir.bitcode.state import ModuleState

LateValues = list[tuple[ValueAsMetadata, int]]
_SILENT = {c.MD_NAME, c.MD_NAMED_NODE, c.MD_GLOBAL_DECL_ATTACHMENT, c.MD_INDEX_OFFSET,
           c.MD_INDEX, c.MD_KIND}  # fmt: skip


def read_kinds(state: ModuleState, block: Block) -> None:
    """METADATA_KIND: number -> name of the attachment kinds."""
    state.position.enter(c.METADATA_KIND)
    for record in block.records(c.MD_KIND):
        state.position.record = record
        name = decode_name(c.characters(record.operands[1:]))
        state.metadata_kinds[record.operands[0]] = name


def read_metadata(state: ModuleState, block: Block) -> LateValues:
    """Appends the block's metadata to `state.metadata`.

    Returns the values of instructions not read yet, to be set when the function has been read.
    """
    state.position.enter(c.METADATA)
    waiting: list[tuple[Callable[..., None], Metadata, Record]] = []
    late: LateValues = []
    records = list(block.records())
    for record in records:
        state.position.record = record
        _make_shell(state, record, waiting, late)
    for fill, node, record in waiting:
        state.position.record = record
        fill(state, node, record.operands)
    _read_named(state, records)
    return late


def _make_shell(
    state: ModuleState,
    record: Record,
    waiting: list[tuple[Callable[..., None], Metadata, Record]],
    late: LateValues,
) -> None:
    code = record.code
    if code in _SILENT:
        return
    if code == c.MD_STRINGS:
        state.metadata.extend(_strings(record))
        return
    if code == c.MD_VALUE:
        state.metadata.append(_value(state, record.operands, late))
        return
    node, fill = _shell(code)
    waiting.append((fill, node, record))
    state.metadata.append(node)


def _shell(code: int) -> tuple[Metadata, Callable[..., None]]:
    """The empty object of a record code, and what fills it."""
    if code in (c.MD_NODE, c.MD_DISTINCT_NODE):
        return MetadataTuple((), code == c.MD_DISTINCT_NODE), _fill_tuple
    if code == c.MD_LOCATION:
        return DILocation(0, 0, None), fill_location
    if code == c.MD_ARG_LIST:
        return DIArgList(()), _fill_arguments
    layout = LAYOUT_BY_CODE.get(code)
    if layout is not None:
        return DebugNode(layout.kind), fill_by_layout
    special = _SPECIAL_NODES.get(code)
    if special is None:
        raise BitcodeError(f"metadata code {code} is older or newer than LLVM 22's")
    return DebugNode(special[0]), special[1]


_SPECIAL_NODES: dict[int, tuple[str, Callable[..., None]]] = {
    c.MD_EXPRESSION: ("DIExpression", fill_expression),
    c.MD_ENUMERATOR: ("DIEnumerator", fill_enumerator),
    c.MD_GENERIC_DEBUG: ("GenericDINode", fill_generic),
    c.MD_FIXED_POINT_TYPE: ("DIFixedPointType", fill_fixed_point),
}


def _fill_tuple(state: ModuleState, node: MetadataTuple, ops: list[int]) -> None:
    metadata = state.metadata
    node.operands = [metadata[raw - 1] if raw else None for raw in ops]


def _fill_arguments(state: ModuleState, node: DIArgList, ops: list[int]) -> None:
    found = [state.metadata[raw] for raw in ops]
    if not all(isinstance(item, ValueAsMetadata) for item in found):
        raise ValueError("a DIArgList of what is no value")
    node.arguments = found  # type: ignore[assignment]


def _value(state: ModuleState, ops: list[int], late: LateValues) -> ValueAsMetadata:
    """[type, value]; the value may be an instruction that comes later."""
    state.types[ops[0]]
    if ops[1] < len(state.values):
        return ValueAsMetadata(state.values[ops[1]])
    node = ValueAsMetadata.__new__(ValueAsMetadata)
    late.append((node, ops[1]))
    return node


def set_late_values(late: LateValues, values: list[Value]) -> None:
    """Gives metadata the values that stood behind it in the function."""
    for node, index in late:
        node.value = values[index]


def _strings(record: Record) -> list[Metadata]:
    """[count, offset] and a blob: lengths as VBR6 from its start, characters from `offset`."""
    count, offset = record.operands[:2]
    blob = record.blob
    if blob is None or offset > len(blob) or count > len(blob) * 8:
        raise ValueError("metadata strings without their bytes")
    bits = int.from_bytes(blob[:offset], "little")
    limit = offset * 8
    found: list[Metadata] = []
    start, bit = offset, 0
    window = 0
    for _ in range(count):
        length, shift = 0, 0
        while True:
            if bit + 6 > limit:
                raise ValueError("metadata string lengths run out")
            if bit - window >= 4096:
                bits >>= bit - window
                window = bit
            chunk = bits >> (bit - window) & 63
            bit += 6
            length |= (chunk & 31) << shift
            shift += 5
            if chunk < 32:
                break
        if start + length > len(blob):
            raise ValueError("metadata strings run out of characters")
        found.append(MetadataString(decode_name(blob[start : start + length])))
        start += length
    return found


def _read_named(state: ModuleState, records: list[Record]) -> None:
    """Named metadata (a name record, then its node), and attachments of globals."""
    name = ""
    for record in records:
        state.position.record = record
        ops = record.operands
        if record.code == c.MD_NAME:
            name = decode_name(c.characters(ops))
        elif record.code == c.MD_NAMED_NODE:
            nodes = [_node(state, index) for index in ops]
            state.module.named_metadata[name] = NamedMetadata(name, nodes)
        elif record.code == c.MD_GLOBAL_DECL_ATTACHMENT:
            value = state.values[ops[0]]
            if not isinstance(value, GlobalValue):
                raise ValueError("metadata attached to what is no global")
            value.metadata = (*value.metadata, *_attachments(state, ops, 1))


def _node(state: ModuleState, index: int) -> MetadataNode:
    found = state.metadata[index]
    if not isinstance(found, MetadataNode):
        raise ValueError("metadata that should be a node and is none")
    return found


def _attachments(
    state: ModuleState, ops: list[int], start: int
) -> tuple[tuple[str, MetadataNode], ...]:
    kinds = state.metadata_kinds
    pairs = zip(ops[start::2], ops[start + 1 :: 2], strict=True)
    return tuple([(kinds[kind], _node(state, node)) for kind, node in pairs])


def read_attachments(state: ModuleState, block: Block, function: Any, instructions: Any) -> None:
    """METADATA_ATTACHMENT of a function: [instruction number, kind, node...], or [kind, node...]
    of itself.
    """
    state.position.enter(c.METADATA_ATTACHMENT)
    for record in block.records(11):
        state.position.record = record
        ops = record.operands
        if len(ops) % 2 == 0:
            function.metadata = (*function.metadata, *_attachments(state, ops, 0))
            continue
        instructions[ops[0]].metadata = _attachments(state, ops, 1)
