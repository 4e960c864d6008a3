"""What stack variables are called in the source, and where they are declared.

    #dbg_declare(ptr %buf, !DILocalVariable(name: "buf", line: 5), ...)             buf:5
    #dbg_value(ptr %x, !DILocalVariable(name: "x", ...), !DIExpression(DW_OP_deref))  the same

Without debug info a variable has the name it has in the IR.

Source: the LLVM Language Reference, "Debug records".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from irsan.ir.instruction import DebugRecord
from irsan.ir.metadata import DebugNode, DILocation, ValueAsMetadata
from irsan.ir.values import Argument, Function, LocalValue, Value

_DEREF = 0x06  # DW_OP_deref


class StackName(NamedTuple):
    """A name, and the line and column of its declaration or 0."""

    text: str
    line: int
    column: int = 0


def stack_names(
    function: Function, variables: Collection[LocalValue]
) -> dict[Value, StackName]:
    """The name of each of `variables`."""
    wanted: set[Value] = set(variables)
    found: dict[Value, StackName] = {}
    for block in function.blocks:
        for instruction in block.instructions:
            for record in instruction.debug_records:
                _read_record(record, wanted, found)
    return {one: found.get(one) or StackName(one.name or "", 0) for one in variables}


def _read_record(
    record: DebugRecord, wanted: set[Value], found: dict[Value, StackName]
) -> None:
    if record.kind not in ("declare", "value", "assign"):
        return
    place, variable = record.operands[:2]
    if record.kind == "assign":
        place = record.operands[4]
    if not isinstance(place, ValueAsMetadata) or place.value not in wanted:
        return
    if not isinstance(variable, DebugNode) or place.value in found:
        return
    if record.kind == "value" and not _is_whole_object(record, place.value):
        return
    line, location = int(variable.get("line") or 0), record.debug_location
    column = location.column if isinstance(location, DILocation) and location.line == line else 0
    found[place.value] = StackName(variable.string("name"), line, column)


def _is_whole_object(record: DebugRecord, place: Value) -> bool:
    """Whether a value record says that the variable lies at `place`, not that it points there."""
    expression = record.operands[2]
    elements = expression.get("elements") if isinstance(expression, DebugNode) else None
    is_deref = elements == [_DEREF]
    return is_deref or isinstance(place, Argument)
