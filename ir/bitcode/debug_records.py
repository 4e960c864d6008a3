"""Debug records: `#dbg_value` and its relatives, which stand before an instruction.

Source: LLVM's "Source Level Debugging", "Debug Records"; record layouts observed with
llvm-bcanalyzer.
"""

from __future__ import annotations

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.scope import ForwardValue, FunctionScope
from irsan.ir.bitstream.model import Record
from irsan.ir.instruction import DebugRecord
from irsan.ir.metadata import Metadata, MetadataNode, ValueAsMetadata

_WORDS = {
    c.FUNC_DEBUG_RECORD_VALUE: "value",
    c.FUNC_DEBUG_RECORD_DECLARE: "declare",
    c.FUNC_DEBUG_RECORD_ASSIGN: "assign",
    c.FUNC_DEBUG_RECORD_VALUE_SIMPLE: "value",
    c.FUNC_DEBUG_RECORD_LABEL: "label",
    c.FUNC_DEBUG_RECORD_DECLARE_VALUE: "declare_value",
}
DEBUG_RECORD_CODES = frozenset(_WORDS)


def read_debug_record(scope: FunctionScope, record: Record) -> DebugRecord:
    """The record; its operands are ordered as they are printed."""
    ops, metadata = record.operands, scope.state.metadata
    location = metadata[ops[0]]
    if not isinstance(location, MetadataNode):
        raise ValueError("a debug record without a location")
    if record.code == c.FUNC_DEBUG_RECORD_LABEL:
        return DebugRecord("label", [metadata[ops[1]]], location)
    variable, expression = metadata[ops[1]], metadata[ops[2]]
    if record.code == c.FUNC_DEBUG_RECORD_VALUE_SIMPLE:
        described: Metadata = _wrapped_value(scope, ops)
    else:
        described = metadata[ops[3]]
    operands: list[Metadata | None] = [described, variable, expression]
    if record.code == c.FUNC_DEBUG_RECORD_ASSIGN:
        operands += [metadata[ops[4]], metadata[ops[6]], metadata[ops[5]]]
    return DebugRecord(_WORDS[record.code], operands, location)


def _wrapped_value(scope: FunctionScope, ops: list[int]) -> ValueAsMetadata:
    value, _ = scope.pair(ops, 3)
    wrapped = ValueAsMetadata(value)
    if isinstance(value, ForwardValue):
        scope.has_forward = False
        scope.late_metadata.append((wrapped, value.index))
    return wrapped
